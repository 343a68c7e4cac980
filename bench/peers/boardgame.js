// boardgame.io with the like game: `node boardgame.js PORT [SOCKET_DIRECTORY DATABASE]`. In memory, or with
// PostgreSQL storage at that Unix socket.
"use strict";

const { INVALID_MOVE } = require("boardgame.io/dist/cjs/core.js");
const { Server } = require("boardgame.io/dist/cjs/server.js");
const { DECK, dealt, isOver, play, seen } = require("./cards.js");

const tarneeb = {
  name: "tarneeb",
  setup: ({ random }) => dealt(random.Shuffle(DECK), 0),
  moves: {
    play: ({ G, random, playerID }, card) => {
      if (!play(G, Number(playerID), card)) return INVALID_MOVE;
      if (isOver(G)) Object.assign(G, dealt(random.Shuffle(DECK), G.turn));
    },
  },
  turn: { minMoves: 1, maxMoves: 1, order: { first: ({ G }) => G.turn, next: ({ G }) => G.turn } },
  playerView: ({ G, playerID }) => seen(G, playerID === null ? null : Number(playerID)),
  minPlayers: 4,
  maxPlayers: 4,
};

function storage([host, database]) {
  if (!host) return undefined;
  const { PostgresStore } = require("bgio-postgres");
  return new PostgresStore({ database, username: "postgres", host, logging: false });
}

const server = Server({ games: [tarneeb], origins: [/./], db: storage(process.argv.slice(3)) });
server.run(Number(process.argv[2]), () => console.log("ready"));
