// The actions of a match in words and signs.

import { el, nameOf, score } from "../table/dom.js";
import { rankOf, suitOf, suitSign } from "../table/cards.js";
import { isCard } from "./position.js";

const ltr = (...parts) => el("bdi", { dir: "ltr" }, ...parts);

export const cardText = (code) => ltr(rankOf(code), suitSign(suitOf(code)));

/** A call, the naming of trump or a card, short enough for a cell. */
export function actionText(step) {
  const { code } = step;
  if (isCard(step)) return cardText(code);
  if (code === "p") return el("span", { class: "pass" }, gettext("pass"));
  if (code === "x") return el("strong", {}, gettext("double"));
  if (code === "xx") return el("strong", {}, gettext("redouble"));
  if (code.startsWith("t")) return suitSign(code[1]);
  return bidText(code);
}

function bidText(code) {
  const [, number, strain] = /^b(\d+)([CDHSN]?)$/.exec(code);
  return ltr(number, strain && suitSign(strain));
}

export function contractText({ bid, trump, doubled }) {
  const number = /\d+/.exec(bid)[0];
  const strain = trump ?? /[CDHSN]$/.exec(bid)?.[0];
  return ltr(number, strain ? suitSign(strain) : null, doubled > 1 ? ` ×${doubled}` : null);
}

function actedBy(by) {
  return { c: gettext("time ran out: played by the clock"), s: gettext("a bot sat in") }[by] ?? null;
}

export const byMark = (by) => ({ c: "⏱", s: "◈" })[by] ?? null;

/** How long it took: "0.4 s", "12 s". */
export function thinkingTime(ms) {
  const seconds = ms < 9950 ? (ms / 1000).toFixed(1) : String(Math.round(ms / 1000));
  return interpolate(gettext("%(seconds)s s"), { seconds }, true);
}

const clock = new Intl.DateTimeFormat(`${document.documentElement.lang}-u-ca-gregory-nu-latn`, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

/** When something happened, in the reader's zone: "20:31:07". */
const momentText = (at) => ltr(clock.format(new Date(at)));

/** What happened beside the calls and cards: who left, came back, was sat in for; breaks and the end. */
export function besideLine({ kind, seat, at }, names) {
  const words = {
    leave: gettext("left the table"),
    back: gettext("came back"),
    sub: gettext("a bot sits in"),
    rest: gettext("the bot stands up"),
    yield: gettext("resigned"),
    pause: gettext("The match is paused."),
    resume: gettext("The match goes on."),
    last: gettext("This is the last deal of this match."),
    close: gettext("The match was ended before its time."),
  }[kind];
  return [seat === null ? [] : [nameOf(names[seat]), " — "], words, " · ", momentText(at)].flat();
}

/** One line of an action: whose, what, who acted for it and how long it took. */
export function stepLine(step, name) {
  const more = [actedBy(step.by), step.ms === null ? null : thinkingTime(step.ms), step.at && momentText(step.at)].filter(Boolean);
  const named = step.code.startsWith("t") ? [gettext("trump"), " "] : [];
  return [nameOf(name), " — ", ...named, el("strong", {}, actionText(step)), more.map((part) => el("span", { class: "meta" }, " · ", part))];
}

/** How a deal ended, in a line. */
export function outcomeLine(deal) {
  if (!deal.contract) return [gettext("All four passed: no points.")];
  const word = deal.made ? gettext("The contract was made:") : gettext("The contract failed:");
  const [first, second] = deal.change;
  return [word, " ", score(first, { plus: true }), " : ", score(second, { plus: true })];
}
