// A Colyseus room with the like game: `node colyseus.js PORT ROOMS`. Prints a line of JSON: of each room the
// paths of its four reserved seats. The room tells each seat its view in a message of its own, as it holds what
// only that seat may see.
"use strict";

const { createServer } = require("node:http");
const { Room, Server, matchMaker } = require("@colyseus/core");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { DECK, dealt, isOver, play, seen } = require("./cards.js");

function shuffled() {
  const deck = DECK.slice();
  for (let last = deck.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [deck[last], deck[other]] = [deck[other], deck[last]];
  }
  return deck;
}

class TarneebRoom extends Room {
  onCreate() {
    this.maxClients = 4;
    this.autoDispose = false;
    this.seatReservationTimeout = 120;
    this.version = 0;
    this.seated = [];
    this.deal = dealt(shuffled(), 0);
    this.onMessage("play", (client, { card, version }) => this.played(client, card, version));
  }

  onJoin(client, { seat }) {
    this.seated[seat] = client;
    client.userData = { seat };
    this.show(client);
  }

  played(client, card, version) {
    if (version !== this.version || !play(this.deal, client.userData.seat, card)) return;
    if (isOver(this.deal)) this.deal = dealt(shuffled(), this.deal.turn);
    this.version += 1;
    this.seated.forEach((each) => this.show(each));
  }

  show(client) {
    client.send("view", { version: this.version, ...seen(this.deal, client.userData.seat) });
  }
}

async function reserved() {
  const room = await matchMaker.createRoom("tarneeb", {});
  const paths = [];
  for (let seat = 0; seat < 4; seat += 1) {
    const { sessionId } = await matchMaker.reserveSeatFor(room, { seat });
    paths.push(`/${room.processId}/${room.roomId}?sessionId=${sessionId}`);
  }
  return paths;
}

async function main(port, rooms) {
  const server = new Server({
    greet: false,
    transport: new WebSocketTransport({ server: createServer() }),
  });
  server.define("tarneeb", TarneebRoom);
  await server.listen(port, "127.0.0.1");
  const paths = [];
  for (let room = 0; room < rooms; room += 1) paths.push(await reserved());
  console.log(JSON.stringify(paths));
}

main(Number(process.argv[2]), Number(process.argv[3]));
