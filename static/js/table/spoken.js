// What a screen reader hears: what has just happened at the table, then whose turn it is.

import { cardName } from "./cards.js";
import { isolated } from "./dom.js";
import { callSaid, resultSaid, seatName } from "./terms.js";

export class Spoken {
  constructor(box) {
    this.box = box;
    this.title = document.title;
  }

  hear(before, after) {
    const news = before ? [...happened(before, after), turn(before, after)].filter(Boolean) : [turn({}, after)];
    if (news.filter(Boolean).length) this.say(news.filter(Boolean).join(" "));
    const mine = after.turn !== null && after.turn === after.you;
    document.title = mine ? `● ${gettext("Your turn")} · ${this.title}` : this.title;
  }

  say(text) {
    this.box.textContent = text;
  }
}

function happened(before, after) {
  if (before.deal !== after.deal) return [gettext("New deal.")];
  return [...newCalls(before, after), ...newCards(before, after), taken(before, after), after.phase === "over" && before.phase !== "over" && resultSaid(after)];
}

function newCalls(before, after) {
  return after.calls.slice(before.calls.length).map(([seat, code]) => line(after, seat, callSaid(code)));
}

function newCards(before, after) {
  const known = new Set(before.trick.map(([, card]) => card));
  const done = same(before.last_trick, after.last_trick) ? [] : (after.last_trick?.cards ?? []);
  return [...done, ...after.trick].filter(([, card]) => !known.has(card)).map(([seat, card]) => line(after, seat, cardName(card)));
}

function taken(before, after) {
  if (!after.last_trick || same(before.last_trick, after.last_trick)) return "";
  return interpolate(gettext("%(name)s takes the trick."), { name: isolated(seatName(after, after.last_trick.winner)) }, true);
}

function turn(before, after) {
  if (after.turn === null || (before.turn === after.turn && before.phase === after.phase)) return "";
  if (after.turn === after.you) return gettext("Your turn.");
  return interpolate(gettext("%(name)s's turn."), { name: isolated(seatName(after, after.turn)) }, true);
}

const line = (view, seat, what) => `${isolated(seatName(view, seat))}: ${what}.`;
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
