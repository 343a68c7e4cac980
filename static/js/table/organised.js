// What those who organise the match do with it: a break, the last deal; who of the four called has come; the way to
// the referee, and a link to the moment that is shown.

import { el, isolated, nameOf, refill } from "./dom.js";
import { copies, momentOf, withMoment } from "./moment.js";
import { seatName } from "./terms.js";

const IN_PLAY = new Set(["deal", "auction", "trump", "play"]);

export class Organised {
  // `box`: the strip at the table; `call` and `link`: the links in the menu, where there are any.
  constructor({ box, call, link }, { urls }) {
    Object.assign(this, { box, call, link, urls });
    if (link) copies(link);
  }

  draw(view) {
    const words = news(view);
    this.box.hidden = !words;
    this.box.classList.toggle("paused", Boolean(view.paused));
    refill(this.box, words, () => (words ? [el("p", {}, words)] : []));
    if (this.call) this.call.href = callAddress(this.urls, view);
    if (!this.link) return;
    this.link.hidden = view.deal === null;
    this.link.href = withMoment(this.urls.table, momentOf(view));
  }
}

// Where the referee is called: the table and the moment go along.
export function callAddress(urls, view) {
  return withMoment(urls.call, momentOf(view), { table: view.table });
}

export function pauseSaid(before, after) {
  if (Boolean(before.paused) === Boolean(after.paused) || after.phase === "over") return "";
  return after.paused ? gettext("The match is paused.") : gettext("The match goes on.");
}

export function lastDealSaid(before, after) {
  return after.last_deal && !before.last_deal && after.phase !== "over" ? lastDeal(after) : "";
}

function news(view) {
  if (!IN_PLAY.has(view.phase)) return "";
  if (view.paused) return gettext("The organisers have paused the match. The clocks stand still; it goes on where it stopped.");
  return view.last_deal ? lastDeal(view) : "";
}

function lastDeal(view) {
  return view.phase === "deal" ? gettext("That was the last deal of this match.") : gettext("This is the last deal of this match.");
}

// Who has come and who is waited for, until the first deal.
export function rollCall(view) {
  const seats = [0, 1, 2, 3];
  const missing = seats.filter((seat) => !view.arrived[seat]);
  return [
    el("h2", { class: "asking-title" }, missing.length ? gettext("Waiting for the players") : gettext("All four are here")),
    el("ul", { class: "roll-call" }, seats.map((seat) => caller(view, seat))),
    el("p", { class: "muted" }, missing.length ? gettext("The first deal comes as soon as all four are here, and at the latest when the time is up.") : gettext("The cards are about to be dealt.")),
  ];
}

function caller(view, seat) {
  const here = view.arrived[seat];
  const word = here ? gettext("is here") : gettext("is waited for");
  return el("li", { class: here ? "arrived" : "missing" }, nameOf(seatName(view, seat)), " ", el("span", { class: "roll-word" }, word));
}

export function arrivalSaid(before, after) {
  if (!before.arrived || !after.arrived) return "";
  const come = [0, 1, 2, 3].filter((seat) => after.arrived[seat] && !before.arrived[seat] && seat !== after.you);
  return come.map((seat) => interpolate(gettext("%(name)s is here."), { name: isolated(seatName(after, seat)) }, true)).join(" ");
}
