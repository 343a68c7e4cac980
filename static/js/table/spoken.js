// What a screen reader hears: what has just happened at the table, then whose turn it is; the clock; who comes and goes.

import { cardName, suitName } from "./cards.js";
import { inDigits } from "./digits.js";
import { el, isolated, signed } from "./dom.js";
import { arrivalSaid, lastDealSaid, pauseSaid } from "./organised.js";
import { presenceWord, seatFacts, spokenName } from "./seats.js";
import { bidParts, callSaid, contractSuit, resultSaid, seatName, sides } from "./terms.js";

const KEPT = 6;
const WARN_S = [20, 10, 5];
const TICK_MS = 400;

export class Spoken {
  // `box` is a log that is read as it grows. `brief()`: only what concerns the listener's own part.
  constructor(box, { table, brief }) {
    Object.assign(this, { box, table, brief, warned: null });
    this.title = document.title;
    setInterval(() => this.warn(), TICK_MS);
  }

  hear(before, after) {
    const news = before ? [...happened(before, after, this.brief()), ...presence(before, after), turn(before, after, this.brief())] : [turn({}, after, false)];
    const said = news.filter(Boolean);
    if (said.length) this.say(said.join(" "));
    const mine = after.turn !== null && after.turn === after.you && !after.paused;
    document.title = mine ? `● ${gettext("Your turn")} · ${this.title}` : this.title;
  }

  // Added, not replaced: what comes while the last words are read waits for its turn.
  say(text) {
    this.box.append(el("p", {}, inDigits(text)));
    while (this.box.childElementCount > KEPT) this.box.firstElementChild.remove();
  }

  // The own clock, at a few marks; then that the bank runs.
  warn() {
    const { view, time, pending } = this.table;
    if (!view || !time || pending || view.turn === null || view.turn !== view.you) return;
    const now = performance.now();
    const left = Math.ceil((time.until - now) / 1000);
    const turnKey = `${view.deal} ${view.phase} ${view.calls.length} ${view.hand?.length}`;
    if (this.warned?.turn !== turnKey) this.warned = { turn: turnKey, at: left, bank: false };
    const mark = WARN_S.filter((seconds) => left <= seconds && seconds < this.warned.at).pop();
    if (mark !== undefined) {
      this.warned.at = mark;
      this.say(interpolate(ngettext("%(count)s second left.", "%(count)s seconds left.", left), { count: left }, true));
    } else if (!this.warned.bank && now > time.ownUntil && left > WARN_S[0]) {
      this.warned.bank = true;
      this.say(gettext("Your time bank runs now."));
    }
  }

  // How everything stands, for who asks.
  read(view) {
    this.say(standing(view).filter(Boolean).join(" "));
  }
}

export function happened(before, after, brief = false) {
  if (before.deal !== after.deal) return [gettext("New deal."), lastDealSaid(before, after)].filter(Boolean);
  const all = brief ? [] : [...newCalls(before, after), ...newCards(before, after)];
  return [...all, named(before, after), taken(before, after), ended(before, after), arrivalSaid(before, after), pauseSaid(before, after), lastDealSaid(before, after), after.phase === "over" && before.phase !== "over" && resultSaid(after)].filter(Boolean);
}

function newCalls(before, after) {
  return after.calls.slice(before.calls.length).map(([seat, code]) => line(after, seat, callSaid(code)));
}

function newCards(before, after) {
  const known = new Set(before.trick.map(([, card]) => card));
  const done = same(before.last_trick, after.last_trick) ? [] : (after.last_trick?.cards ?? []);
  return [...done, ...after.trick].filter(([, card]) => !known.has(card)).map(([seat, card]) => line(after, seat, cardName(card)));
}

function named(before, after) {
  if (after.phase !== "play" || before.phase === "play" || !after.contract) return "";
  return contractSaid(after);
}

function contractSaid(view) {
  const { seat, bid, doubled } = view.contract;
  const suit = contractSuit(view.contract);
  const what = [bidParts(bid).tricks, suit && suitName(suit), doubled > 1 && `×${doubled}`].filter(Boolean).join(" ");
  return interpolate(gettext("Contract of %(name)s: %(what)s."), { name: isolated(seatName(view, seat)), what }, true);
}

function taken(before, after) {
  if (!after.last_trick || same(before.last_trick, after.last_trick)) return "";
  return interpolate(gettext("%(name)s takes the trick."), { name: isolated(seatName(after, after.last_trick.winner)) }, true);
}

function ended(before, after) {
  if (!after.ended || same(before.ended, after.ended)) return "";
  return scoreSaid(after);
}

function scoreSaid(view) {
  return interpolate(gettext("Score: %(score)s."), { score: sides(view).map(({ label, score }) => `${label} ${signed(score)}`).join(gettext(", ")) }, true);
}

function presence(before, after) {
  return [0, 1, 2, 3].filter((seat) => seat !== after.you).map((seat) => presenceNews(before, after, seat));
}

function presenceNews(before, after, seat) {
  const [was, is] = [seatFacts(before, seat), seatFacts(after, seat)];
  if (is.kind !== was.kind || is.name !== was.name) return sitting(after, seat, was, is);
  if (is.sittingIn && !was.sittingIn) return interpolate(gettext("A bot sits in for %(name)s."), { name: isolated(is.name) }, true);
  // Who comes for the first time is told of as an arrival.
  if (is.presence === was.presence || (was.presence === "expected" && is.presence === "here")) return "";
  if (is.presence === "here") return interpolate(gettext("%(name)s is back."), { name: isolated(is.name) }, true);
  return line(after, seat, presenceWord(is.presence));
}

function sitting(view, seat, was, is) {
  if (view.phase !== "waiting") return "";
  if (is.kind === "open") return interpolate(gettext("%(name)s has left the seat."), { name: isolated(was.name) }, true);
  return interpolate(gettext("%(name)s sits down."), { name: isolated(is.name) }, true);
}

function turn(before, after, brief) {
  if (after.turn === null || (before.turn === after.turn && before.phase === after.phase)) return "";
  if (after.turn === after.you) return after.phase === "trump" ? gettext("Your turn: name the trump") : gettext("Your turn.");
  return brief ? "" : interpolate(gettext("%(name)s's turn."), { name: isolated(seatName(after, after.turn)) }, true);
}

// Contract, tricks, the cards on the table, whose turn, the score and who is not there.
function standing(view) {
  const absent = [0, 1, 2, 3].map((seat) => seatFacts(view, seat)).filter(({ kind, presence: at }) => kind === "player" && at !== "here");
  return [
    view.paused && gettext("The match is paused."),
    view.last_deal && view.phase !== "over" && gettext("This is the last deal of this match."),
    view.contract && view.phase !== "auction" && contractSaid(view),
    ...(view.phase === "auction" ? view.calls.slice(-4).map(([seat, code]) => line(view, seat, callSaid(code))) : []),
    ["trump", "play"].includes(view.phase) && interpolate(gettext("Tricks: %(tricks)s."), { tricks: sides(view).map(({ side, label }) => `${label} ${view.tricks[side]}`).join(gettext(", ")) }, true),
    ...view.trick.map(([seat, card]) => line(view, seat, cardName(card))),
    turn({}, view, false),
    view.deal !== null && scoreSaid(view),
    ...absent.map(({ seat, presence: at }) => line(view, seat, presenceWord(at))),
  ];
}

const line = (view, seat, what) => `${spokenName(view, seat)}: ${what}.`;
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
