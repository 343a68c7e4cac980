// Steps through a finished match: by buttons, keys, slider, swipe, or by itself.

import { el } from "./table/dom.js";
import { copies, withMoment } from "./table/moment.js";
import { Settings } from "./table/settings.js";
import { Board } from "./replay/board.js";
import { Chat } from "./replay/chat.js";
import { canCheck, check } from "./replay/check.js";
import { Course } from "./replay/course.js";
import { positionAt, trickEdges } from "./replay/position.js";
import { Runner } from "./replay/runner.js";
import { Sight } from "./replay/sight.js";
import { besideLine, contractText, outcomeLine, stepLine } from "./replay/words.js";

const SWIPE = 40;

const root = document.querySelector("[data-replay]");
const part = (name) => root.querySelector(`[data-${name}]`);
const replay = JSON.parse(document.querySelector("#replay-data").textContent);
const bottom = Number(root.dataset.bottom);
const leftToRight = document.documentElement.dir === "ltr";

const at = { deal: 0, step: 0 };
let laidOut = null;

const board = new Board(part("board"), { names: replay.names, bottom });
const course = new Course(part("course"), { names: replay.names, bottom, go: (step) => go(at.deal, step) });
const chat = new Chat(part("chat-lines"), replay.chat);
const sight = new Sight(part("sight"), replay.names, { onChange: () => go(at.deal, at.step) });
const runner = new Runner(part("speed"), { next: () => replay.deals[at.deal].steps[at.step], step: runOn });
const slider = part("slider");
const picker = dealPicker();

function dealPicker() {
  const options = replay.deals.map((deal, index) => el("option", { value: index }, interpolate(gettext("Deal %(number)s of %(total)s"), { number: deal.number, total: replay.deals.length }, true)));
  const select = el("select", { "aria-label": gettext("Deal"), onchange: () => go(Number(select.value), 0) }, options);
  part("deal-title").replaceChildren(select);
  return select;
}

const lengthOf = (deal) => replay.deals[deal].steps.length;
const isFirst = () => at.deal === 0 && at.step === 0;
const isLast = () => at.deal === replay.deals.length - 1 && at.step === lengthOf(at.deal);

function go(deal, step) {
  at.deal = Math.min(Math.max(deal, 0), replay.deals.length - 1);
  at.step = Math.min(Math.max(step, 0), lengthOf(at.deal));
  draw();
  const seen = new URLSearchParams(sight.named).toString();
  history.replaceState(null, "", `${location.pathname}${seen && "?"}${seen}#${at.deal + 1}.${at.step}`);
}

// The edges of the tricks: from one to the next, over the ends of the deals.
function trickOn() {
  const edge = trickEdges(replay.deals[at.deal]).find((step) => step > at.step);
  return edge === undefined ? moves.on() : go(at.deal, edge);
}

function trickBack() {
  const edge = trickEdges(replay.deals[at.deal]).findLast((step) => step < at.step);
  return edge === undefined ? moves.back() : go(at.deal, edge);
}

const moves = {
  on: () => (at.step < lengthOf(at.deal) ? go(at.deal, at.step + 1) : at.deal + 1 < replay.deals.length && go(at.deal + 1, 0)),
  back: () => (at.step > 0 ? go(at.deal, at.step - 1) : at.deal > 0 && go(at.deal - 1, lengthOf(at.deal - 1))),
  "trick-on": trickOn,
  "trick-back": trickBack,
  begin: () => go(at.deal, 0),
  end: () => go(at.deal, lengthOf(at.deal)),
  "deal-on": () => (at.deal + 1 < replay.deals.length ? go(at.deal + 1, 0) : go(at.deal, lengthOf(at.deal))),
  "deal-back": () => (at.step > 0 ? go(at.deal, 0) : go(at.deal - 1, 0)),
  run: () => run(!runner.isRunning && !isLast()),
};

function run(start) {
  if (start) runner.start();
  else runner.stop();
  const button = root.querySelector("[data-go=run]");
  button.setAttribute("aria-pressed", String(start));
  button.setAttribute("aria-label", start ? gettext("Stop") : gettext("Play by itself"));
}

// One step while it plays by itself; whether it goes on.
function runOn() {
  moves.on();
  if (!isLast()) return true;
  run(false);
  return false;
}

function draw() {
  const deal = replay.deals[at.deal];
  if (laidOut !== at.deal) layOut(deal);
  const position = positionAt(deal, at.step);
  board.show(position, sight.seat);
  root.classList.toggle("sighted", sight.seat !== null);
  chat.show(at.deal, at.step);
  course.show(at.step);
  slider.value = at.step;
  part("contract").replaceChildren(...standing(deal, position));
  part("said").replaceChildren(...said(deal, position));
  part("beside").replaceChildren(...beside(deal));
  pointHere();
  slider.setAttribute("aria-valuetext", part("said").textContent);
  for (const [name, off] of [["back", isFirst()], ["trick-back", isFirst()], ["deal-back", isFirst()], ["on", isLast()], ["trick-on", isLast()], ["deal-on", isLast()]]) {
    root.querySelector(`[data-go="${name}"]`).setAttribute("aria-disabled", String(off));
  }
}

function layOut(deal) {
  laidOut = at.deal;
  board.deal(deal);
  course.deal(deal);
  slider.max = deal.steps.length;
  picker.value = at.deal;
  for (const row of document.querySelectorAll("[data-sheet-deal]")) {
    row.classList.toggle("mine", row.dataset.sheetDeal === String(deal.number));
  }
}

// The contract and the tricks taken against it, as at the table.
function standing(deal, { contract, tricks, inPlay }) {
  if (!contract) return [];
  const taken = tricks[contract.seat % 2];
  const needed = Number(/\d+/.exec(contract.bid)[0]);
  return [
    el("span", {}, gettext("Contract"), " ", el("strong", {}, contractText(contract))),
    inPlay && el("strong", { class: taken >= needed ? "score good" : "score", dir: "ltr" }, `${taken}/${needed}`),
  ].filter(Boolean);
}

function said(deal, position) {
  if (!position.last) return stepless(deal);
  const line = stepLine(position.last, replay.names[position.last.seat]);
  return [line, position.over ? [" · ", outcomeLine(deal)] : []].flat(Infinity).filter(Boolean);
}

function stepless(deal) {
  return [gettext("The cards are dealt."), " ", el("span", { class: "meta" }, gettext("Dealer:"), " ", el("bdi", {}, replay.names[deal.dealer]))];
}

// What happened at the table before the next step: who left or came back, a bot that sat in, a break.
function beside(deal) {
  const news = (deal.beside ?? []).filter(({ after }) => after === at.step);
  return news.map((item) => el("span", {}, besideLine(item, replay.names)));
}

// The links of the page lead to the moment that is shown.
function pointHere() {
  const moment = { deal: at.deal + 1, act: at.step, ...sight.named };
  if (!part("moment")) return;
  part("moment").href = withMoment(location.pathname, moment);
  part("paper").href = withMoment(part("paper").href, { deal: at.deal + 1 });
  const call = part("call");
  if (call) call.href = withMoment(call.href, moment);
}

// "#3.17", or "?deal=3&act=17": the third deal after seventeen of its calls and cards.
function goToAddress() {
  const asked = new URLSearchParams(location.search);
  const [deal, step] = location.hash ? location.hash.slice(1).split(".").map(Number) : [asked.get("deal"), asked.get("act")].map(Number);
  go(deal >= 1 ? deal - 1 : 0, step || 0);
}

const KEYS = {
  ArrowRight: leftToRight ? "on" : "back",
  ArrowLeft: leftToRight ? "back" : "on",
  ArrowDown: "on",
  ArrowUp: "back",
  PageDown: "deal-on",
  PageUp: "deal-back",
  Home: "begin",
  End: "end",
  " ": "run",
};
const BY_TRICKS = { on: "trick-on", back: "trick-back" };

function pressed(event) {
  const key = KEYS[event.key];
  const move = event.shiftKey ? BY_TRICKS[key] ?? key : key;
  if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input, select, textarea, summary")) return;
  if (event.key === " " && event.target.closest("button, a")) return;
  event.preventDefault();
  if (move !== "run") run(false);
  moves[move]();
}

// A swipe turns over as a page does: towards where reading begins goes on.
function listenForSwipes(area) {
  let from = null;
  area.addEventListener("touchstart", (event) => { from = event.touches.length === 1 ? event.touches[0].clientX : null; }, { passive: true });
  area.addEventListener("touchend", (event) => {
    const moved = from === null ? 0 : event.changedTouches[0].clientX - from;
    if (Math.abs(moved) < SWIPE) return;
    run(false);
    (moved < 0) === leftToRight ? moves.on() : moves.back();
  });
}

function listenForChecks() {
  const area = document.querySelector("[data-check]");
  if (!area || !canCheck()) return;
  area.hidden = false;
  area.querySelector("[data-check-now]").addEventListener("click", async () => {
    const found = await check(replay);
    const decks = interpolate(ngettext("%(fitting)s of %(deals)s deck fits", "%(fitting)s of %(deals)s decks fit", found.deals), found, true);
    area.querySelector("[data-checks]").replaceChildren(
      verdict(found.commitment, gettext("The secret fits the commitment")),
      verdict(found.dealer, gettext("The first dealer follows from the secret")),
      verdict(found.fitting === found.deals, decks),
    );
  });
}

function verdict(fits, words) {
  return el("li", { class: fits ? "fits" : "differs" }, el("span", { "aria-hidden": "true" }, fits ? "✓" : "✗"), " ", words, fits ? [] : [" — ", gettext("does not fit")]);
}

new Settings(() => {}).show(); // the colours of the suits as at the table
root.hidden = false;
part("controls").addEventListener("click", (event) => {
  const move = event.target.closest("[data-go]")?.dataset.go;
  if (move && move !== "run") run(false);
  if (move) moves[move]();
});
slider.addEventListener("input", () => { run(false); go(at.deal, Number(slider.value)); });
document.addEventListener("keydown", pressed);
window.addEventListener("hashchange", goToAddress);
listenForSwipes(part("board"));
listenForChecks();
if (part("moment")) copies(part("moment"));
goToAddress();
