// How the contract stands: what its side has taken, still needs and can still reach, and what would bring it down.

import { suitSign } from "./cards.js";
import { el, nameOf, number, refill } from "./dom.js";
import { bidParts, contractSuit, seatName, sideLabel, sideNames, sideOf } from "./terms.js";

const TRICKS = 13;

// All numbers are tricks. `open`: still to be played; `state`: "made", "lost" or "" while it can go either way.
export function standing(view) {
  const { contract, tricks } = view;
  const { tricks: bid } = bidParts(contract.bid);
  const side = sideOf(contract.seat);
  const [taken, against] = [tricks[side], tricks[1 - side]];
  const spare = TRICKS - bid;
  const state = taken >= bid ? "made" : against > spare ? "lost" : "";
  return { side, bid, taken, against, open: TRICKS - taken - against, needed: Math.max(0, bid - taken), breaks: Math.max(0, spare + 1 - against), state };
}

export const isPlaying = (view) => Boolean(view.contract) && view.phase === "play";

// Thirteen marks: the bidders' from the start, their opponents' from the end, a post where the contract is reached.
export function strip(view) {
  const { side, bid, taken, against, state } = standing(view);
  const owner = view.you === null ? "" : side === sideOf(view.you) ? " ours" : " theirs";
  const marks = Array.from({ length: TRICKS }, (_, at) => {
    const whose = at < taken ? "for" : at >= TRICKS - against ? "against" : "free";
    return el("span", { class: `mark ${whose}${at === bid - 1 ? " post" : ""}` });
  });
  return el("span", { class: `meter ${state}${owner}`, "aria-hidden": "true" }, marks);
}

export function takenText({ taken, bid }) {
  return interpolate(gettext("%(taken)s of %(bid)s tricks taken"), { taken, bid }, true);
}

// What is still needed, in a few words.
export function needText({ state, needed, open }) {
  if (state === "made") return gettext("Contract made");
  if (state === "lost") return gettext("Contract failed");
  if (needed === open) return interpolate(ngettext("needs the one trick left", "needs all %(count)s tricks left", needed), { count: needed }, true);
  return interpolate(ngettext("needs %(count)s of the %(open)s left", "needs %(count)s of the %(open)s left", needed), { count: needed, open }, true);
}

function breakText({ state, breaks }) {
  if (state) return "";
  return interpolate(ngettext("%(count)s trick brings it down", "%(count)s tricks bring it down", breaks), { count: breaks }, true);
}

// The whole of it, for the score sheet: both sides, a line each.
export class Meter {
  constructor(box) {
    this.box = box;
  }

  draw(view) {
    if (!this.box) return;
    const names = view.seats.map((_, seat) => seatName(view, seat));
    refill(this.box, isPlaying(view) && { contract: view.contract, tricks: view.tricks, names, you: view.you }, () => isPlaying(view) && this.whole(view));
  }

  whole(view) {
    const facts = standing(view);
    const suit = contractSuit(view.contract);
    return [
      el("h2", { class: "meter-title" }, gettext("Contract"), " ", number(facts.bid), suit && suitSign(suit), view.contract.doubled > 1 && number(`×${view.contract.doubled}`), " ", nameOf(seatName(view, view.contract.seat))),
      strip(view),
      el("dl", { class: "meter-sides" }, this.side(view, facts.side, facts.taken, needText(facts)), this.side(view, 1 - facts.side, facts.against, breakText(facts))),
    ];
  }

  side(view, side, taken, words) {
    return el("div", {}, el("dt", {}, el("bdi", { title: sideNames(view, side) }, sideLabel(view, side))), el("dd", {}, number(taken)), el("dd", { class: "meter-words" }, words));
  }
}
