// The table page: one line to the server, one state, and the parts that draw it.

import { Auction } from "./auction.js";
import { Bar } from "./bar.js";
import { Clock } from "./clock.js";
import { Connection } from "./connection.js";
import { Ending } from "./ending.js";
import { Hand } from "./hand.js";
import { Keys } from "./keys.js";
import { closable, Drawer, open, showLastTrick, showPlayer } from "./panels.js";
import { saidAloud, Talk } from "./phrases.js";
import { promisePart } from "./proof.js";
import { refill } from "./dom.js";
import { Seats } from "./seats.js";
import { Settings } from "./settings.js";
import { Sheet } from "./sheet.js";
import { Line } from "./socket.js";
import { Spoken } from "./spoken.js";
import { TableState } from "./state.js";
import { Trick } from "./trick.js";
import { TurnLine } from "./turn.js";
import { Waiting } from "./waiting.js";

const root = document.getElementById("table");
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const dialog = (name) => root.querySelector(`dialog[data-dialog="${name}"]`);
const { socket, title, user, host, login, lobby, match, record, create, back, invitation } = root.dataset;
const urls = { login, lobby, match, record, create, back, invitation };
const forms = { sit: "sit-form", fill: "fill-form", leave: "leave-form", user, host, login };

const line = new Line(new URL(socket, location.href.replace(/^http/, "ws")).href, {
  hear,
  turn: (state, code) => table.connectionTurned(state, code),
  version: () => Math.max(0, table.version),
});
const table = new TableState(line, draw);
const settings = new Settings(() => table.view && draw({}));
const scores = new Drawer(part("scores-panel"), part("bar"));
const talkDrawer = new Drawer(part("talk-panel"), part("say"));

const bar = new Bar(part("bar"), { title, openSheet: () => scores.toggle() });
const hand = new Hand(part("hand"), { play: act, explain: (text) => turnLine.note(text), settings });
const seats = new Seats(Object.fromEntries(["bottom", "right", "top", "left"].map((place) => [place, part(place)])), {
  inspect: (seat) => showPlayer(dialog("player"), table.view, seat),
  forms,
});
const trick = new Trick(part("trick"), { startOf: (card) => hand.restOf(card) });
const auction = new Auction(part("auction"), { act });
const waiting = new Waiting(part("waiting"), { urls, forms });
const ending = new Ending(part("ending"), { urls });
const sheet = new Sheet({ scores: part("scores"), calls: part("calls") });
const turnLine = new TurnLine({ line: part("turn"), own: part("own"), note: part("note") }, { back: part("back") });
const talk = new Talk(part("talk"), { say: (phrase) => say(phrase), changed: () => table.view && draw({}) });
const clock = new Clock(root);
const connection = new Connection(part("connection"), { urls, user });
const spoken = new Spoken(part("spoken"));

function hear(frame) {
  if (frame.type === "said" && table.view) spoken.say(saidAloud(table.view, frame.seat, talk.hear(frame)));
  else table.receive(frame);
}

function act(action) {
  turnLine.quiet();
  return table.act(action);
}

function say(phrase) {
  line.send({ type: "say", phrase });
  talkDrawer.close();
}

function draw({ before, after, refused }) {
  connection.draw(table);
  const view = table.shown;
  if (!view) return;
  root.dataset.phase = view.phase;
  root.dataset.version = table.version;
  root.dataset.ruleset = view.ruleset;
  root.classList.toggle("watching", view.you === null);
  bar.draw(view);
  seats.draw(view, talk.bubbles);
  trick.draw(view, table.fresh);
  hand.draw(view);
  auction.draw(view);
  waiting.draw(view);
  ending.draw(view, view.ended, !table.fresh);
  sheet.draw(view);
  talk.draw(view);
  turnLine.draw(view);
  clock.set(table);
  refill(part("promise"), [view.commitment, view.salt], () => promisePart(view));
  if (refused) turnLine.refused(table.refusal);
  if (after) spoken.hear(before, after);
}

new Keys({
  view: () => table.view,
  act,
  hand,
  openHelp: () => open(dialog("help")),
  showLast: () => table.view && showLastTrick(dialog("last"), table.view),
  openSheet: () => scores.toggle(),
});

for (const one of root.querySelectorAll("dialog")) closable(one);
root.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]")?.dataset.opens;
  if (opener === "menu" || opener === "help") open(dialog(opener));
  if (opener === "last" && table.view) showLastTrick(dialog("last"), table.view);
  if (opener === "talk") talkDrawer.toggle();
  if (event.target.closest("[data-return]")) line.send({ type: "back" });
});
for (const box of root.querySelectorAll("[data-setting]")) {
  box.checked = settings[box.dataset.setting];
  box.addEventListener("change", () => settings.set(box.dataset.setting, box.checked));
}

line.open();
