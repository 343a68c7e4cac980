// The table page: one line to the server, one state, and the parts that draw it.

import { Absence } from "./absence.js";
import { Auction } from "./auction.js";
import { Bar } from "./bar.js";
import { Talk } from "./chat.js";
import { Clock } from "./clock.js";
import { Conduct } from "./conduct.js";
import { Connection } from "./connection.js";
import { Ending } from "./ending.js";
import { Hand } from "./hand.js";
import { Keys } from "./keys.js";
import { adopt, Liking } from "./liking.js";
import { Meter } from "./meter.js";
import { closable, Drawer, open, showLastTrick } from "./panels.js";
import { Organised } from "./organised.js";
import { PrePlay } from "./preplay.js";
import { promisePart } from "./proof.js";
import { cardName, suitName } from "./cards.js";
import { forgetDrawn, isolated, refill } from "./dom.js";
import { Rematch } from "./rematch.js";
import { Resign } from "./resign.js";
import { Seats } from "./seats.js";
import { Settings } from "./settings.js";
import { Sheet } from "./sheet.js";
import { Line } from "./socket.js";
import { heardOf, Sound } from "./sound.js";
import { happened, Spoken } from "./spoken.js";
import { TableState } from "./state.js";
import { placeOf } from "./terms.js";
import { Trick } from "./trick.js";
import { TurnLine } from "./turn.js";
import { Waiting } from "./waiting.js";

const PLACES = ["bottom", "right", "top", "left"];

const root = document.getElementById("table");
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const dialog = (name) => root.querySelector(`dialog[data-dialog="${name}"]`);
const { socket, title, user, account, host } = root.dataset;
const urls = { ...root.dataset };
const forms = { sit: "sit-form", fill: "fill-form", leave: "leave-form", remove: document.getElementById("remove-form") && "remove-form", user, host, login: urls.login };

const line = new Line(new URL(socket, location.href.replace(/^http/, "ws")).href, {
  hear,
  turn: (state, code) => table.connectionTurned(state, code),
  version: () => Math.max(0, table.version),
});
const table = new TableState(line, draw);
const settings = new Settings(redraw);
adopt(settings);
const liking = new Liking(root, { settings, preview: root.querySelector("[data-preview]") });
const sound = new Sound(settings);
const scores = new Drawer(part("scores-panel"), part("bar"));
const talkDrawer = new Drawer(part("talk-panel"), part("say"));

const bar = new Bar(part("bar"), { title, openSheet: () => scores.toggle() });
const preplay = new PrePlay({ play: act, dropped, settings });
const hand = new Hand(part("hand"), {
  play: act,
  explain: (text) => turnLine.note(text),
  redraw: () => draw({}),
  dealtFrom: (view) => seatAt(PLACES[placeOf(view, view.dealer)]),
  settings,
  preplay,
});
const seats = new Seats(Object.fromEntries(["bottom", "right", "top", "left"].map((place) => [place, part(place)])), {
  inspect: (seat) => conduct.inspect(table.view.seats[seat].name, seat),
  isMuted: (name) => talk.muted.has(name),
  forms,
});
const trick = new Trick(part("trick"), { startOf: (card) => hand.restOf(card), seatAt });
const auction = new Auction(part("auction"), { act });
const waiting = new Waiting(part("waiting"), { urls, forms, tell: (text, tone) => turnLine.note(text, tone) });
const ending = new Ending(part("ending"), { urls, rematch: new Rematch({ vote: (choice) => vote("rematch", choice) }) });
const meter = new Meter(part("meter"));
const sheet = new Sheet({ scores: part("scores"), calls: part("calls") });
const turnLine = new TurnLine({ line: part("turn"), own: part("own"), note: part("note") }, { takeBack: () => { preplay.clear(); draw({}); } });
const talk = new Talk(part("talk"), { say, changed: () => table.view && draw({}), inspect: (name, seat) => conduct.inspect(name, seat), account });
const conduct = new Conduct({ player: dialog("player"), report: dialog("report") }, { urls, account, forms, view: () => table.view, talk, tell: (text, tone) => turnLine.note(text, tone) });
const absence = new Absence(part("absence"), { vote: (choice) => vote("absence", choice) });
const resign = new Resign({ box: part("resign"), button: root.querySelector("[data-resign]"), dialog: dialog("resign") }, { vote: (choice) => vote("resign", choice) });
const organised = new Organised({ box: part("organised"), call: root.querySelector("[data-call-link]"), link: root.querySelector("[data-moment-link]") }, { urls });
const clock = new Clock(root, { short: () => sound.play("short") });
const connection = new Connection(part("connection"), { urls, user, line, news: happened });
const spoken = new Spoken(part("spoken"), { table, brief: () => settings.spoken === "brief" });

function hear(frame) {
  if (frame.type === "chat") talk.remember(frame);
  else if (frame.type === "mute") talk.mute(frame.name, frame.muted);
  else if (frame.type === "said") hearWords(frame);
  else table.receive(frame);
}

function act(action) {
  turnLine.quiet();
  hand.leave(action);
  const sent = table.act(action);
  if (sent && table.view.phase === "play") sound.play("card");
  return sent;
}

// Where on the screen a player sits: the own mark stands beside the hand.
function seatAt(place) {
  const box = place === "bottom" && !part("own").hidden ? part("own") : part(place);
  return (box.querySelector(".token") ?? box).getBoundingClientRect();
}

// A card chosen beforehand that would not do what was meant stays in the hand.
function dropped(card, led) {
  hand.draw(table.shown);
  hand.shake(hand.buttonOf(card));
  const why = led ? gettext("%(card)s stays in your hand: %(suit)s were led.") : gettext("%(card)s stays in your hand: you lead this trick.");
  turnLine.note(interpolate(why, { card: cardName(card), suit: led && suitName(led) }, true));
}

function redraw() {
  adopt(settings);
  liking.draw();
  forgetDrawn(root);
  if (table.view) draw({});
}

function showCalls() {
  scores.show();
  part("calls").scrollIntoView({ block: "nearest" });
}

function hearWords(frame) {
  const said = table.view && talk.hear(table.view, frame);
  if (said && (frame.seat ?? null) !== table.view.you) sound.play("message");
  if (said) spoken.say(`${isolated(said.name)}: ${isolated(said.text)}`);
}

// A phrase closes the drawer; who writes goes on writing.
function say(words) {
  const sent = line.send({ type: "say", ...words });
  if (words.phrase) talkDrawer.close();
  return sent;
}

function openTalk() {
  talkDrawer.toggle();
  if (talkDrawer.isOpen) talk.field?.focus();
}

function vote(on, choice) {
  line.send({ type: "vote", on, choice });
}

function draw({ before, after, refused }) {
  connection.draw(table, after);
  const view = table.shown;
  if (!view) return;
  const focused = root.contains(document.activeElement);
  root.dataset.phase = view.phase;
  root.dataset.version = table.version;
  root.dataset.ruleset = view.ruleset;
  root.classList.toggle("watching", view.you === null);
  bar.draw(view);
  seats.draw(view, talk.bubbles);
  absence.draw(view);
  resign.draw(view);
  organised.draw(view);
  trick.draw(view, table.fresh);
  hand.draw(view);
  auction.draw(view);
  waiting.draw(view);
  ending.draw(view, view.ended, !table.fresh);
  sheet.draw(view);
  meter.draw(view);
  talk.draw(view);
  turnLine.draw(view, preplay.chosen);
  clock.set(table.time, view.bank_ms);
  refill(part("promise"), [view.commitment, view.salt], () => promisePart(view));
  markUnread();
  if (focused) keepFocus();
  if (refused) {
    preplay.clear();
    turnLine.refused(table.refusal);
  }
  if (!after) return;
  spoken.hear(before, after);
  for (const name of heardOf(before, after)) sound.play(name);
  preplay.hear(after);
  waiting.hear(before, after);
}

// A focus that was drawn away goes to the hand, else to the table: who plays by keys goes on from there.
function keepFocus() {
  const { activeElement: now } = document;
  if (root.contains(now) && now.checkVisibility({ visibilityProperty: true })) return;
  (part("hand").querySelector('[tabindex="0"]') ?? root.querySelector(".middle")).focus({ preventScroll: true });
}

// Where the talk lies in a drawer, its button counts what came meanwhile.
function markUnread() {
  if (talkDrawer.isOpen) talk.seen();
  part("say").dataset.unread = talk.unread || "";
}

new Keys({
  view: () => table.view,
  act,
  hand,
  openHelp: () => open(dialog("help")),
  showLast: () => table.view && showLastTrick(dialog("last"), table.view),
  openSheet: () => scores.toggle(),
  openTalk,
  read: () => table.view && spoken.read(table.view),
});

for (const one of root.querySelectorAll("dialog")) closable(one);
root.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]")?.dataset.opens;
  if (opener === "settings") dialog("menu").close();
  if (["menu", "help", "settings"].includes(opener)) open(dialog(opener));
  if (opener === "last" && table.view) showLastTrick(dialog("last"), table.view);
  if (opener === "talk") talkDrawer.toggle();
  if (opener === "calls") showCalls();
  if (event.target.closest("[data-return]")) line.send({ type: "back" });
});
line.open();
