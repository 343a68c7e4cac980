// What is asked of the player besides cards: the calls of the auction and the trump. Only what is legal can be pressed.

import { actorMark, actors } from "./actors.js";
import { countBySuit, suitName, suitSign, SUITS } from "./cards.js";
import { el, nameOf, number, refill, sentence } from "./dom.js";
import { bidParts, callSaid, callShown, chooseTrump, isBid, namingTrump, seatAt, seatName } from "./terms.js";

const NUMBERS = [7, 8, 9, 10, 11, 12, 13];
const STRAINS = ["N", "S", "H", "D", "C"];

export class Auction {
  constructor(box, { act }) {
    Object.assign(this, { box, act });
  }

  draw(view) {
    const asked = view.phase === "auction" || view.phase === "trump";
    this.box.hidden = !asked;
    if (!asked) return;
    const { phase, calls, legal, contract, turn, you, doing } = view;
    const names = view.seats.map((_, seat) => seatName(view, seat));
    const held = phase === "trump" ? view.hand : null;
    const drawn = refill(this.box, { phase, calls, legal, contract, turn, you, names, held, doing }, () => (phase === "auction" ? this.calls(view) : this.trumps(view)));
    if (drawn) this.box.querySelector(".calls")?.scrollTo(0, 1e6);
  }

  calls(view) {
    return [callsTable(view), view.you === null ? waitingFor(view) : this.choices(view)];
  }

  choices(view) {
    const legal = view.legal ?? [];
    const bids = legal.filter(isBid);
    const other = legal.filter((code) => !isBid(code));
    const grid = view.ruleset === "egyptian" ? this.strains(bids) : el("div", { class: "bids" }, NUMBERS.map((tricks) => this.bid(`b${tricks}`, bids)));
    return el(
      "div",
      { class: `choices${legal.length ? "" : " idle"}` },
      legal.length ? grid : el("div", { class: "bids-room" }, waitingFor(view)),
      el("div", { class: "other-calls" }, other.map((code) => this.button(code, callSaid(code), `call ${code === "p" ? "pass" : "double"}`))),
    );
  }

  strains(bids) {
    return el("div", { class: "bids strains" }, STRAINS.map((strain) => NUMBERS.map((tricks) => this.bid(`b${tricks}${strain}`, bids))));
  }

  bid(code, bids) {
    const { tricks, suit } = bidParts(code);
    if (!bids.includes(code)) return el("span", { class: "bid off", "aria-hidden": "true" }, suit ? "" : String(tricks));
    const label = interpolate(gettext("Bid %(bid)s"), { bid: callSaid(code) }, true);
    return this.button(code, suit ? [number(tricks), suitSign(suit)] : number(tricks), "bid", label);
  }

  trumps(view) {
    const mine = view.legal?.length > 0;
    if (!mine) return el("p", { class: "asking-line" }, sentence(namingTrump(view), { name: nameOf(seatName(view, view.turn)) }));
    const counts = countBySuit(view.hand);
    return [
      el("h2", { class: "asking-title" }, chooseTrump(view)),
      el("div", { class: "trumps" }, SUITS.filter((suit) => view.legal.includes(`t${suit}`)).map((suit) => this.trump(suit, counts[suit]))),
    ];
  }

  trump(suit, count) {
    const cards = interpolate(ngettext("%(count)s card", "%(count)s cards", count), { count }, true);
    return this.button(`t${suit}`, [suitSign(suit), el("span", { class: "trump-name" }, suitName(suit)), el("span", { class: "trump-count" }, cards)], "trump");
  }

  button(code, inside, name, label) {
    return el("button", { type: "button", class: name, "data-act": code, "aria-label": label, "aria-keyshortcuts": shortcutOf(code), onclick: () => this.act(code) }, inside);
  }
}

// The key that does the same, where it is a single one.
function shortcutOf(code) {
  if (code.startsWith("t")) return code[1].toLowerCase();
  return { p: "p", x: "x", xx: "x" }[code] ?? (/^b[789]$/.test(code) ? code[1] : null);
}

function waitingFor(view) {
  if (view.doing || view.turn === null) return null;
  return el("p", { class: "asking-line" }, sentence(gettext("%(name)s is to call"), { name: nameOf(seatName(view, view.turn)) }));
}

// Who said what, a column for each seat in the order they speak, a row for each time round.
export function callsTable(view) {
  const first = view.calls.length ? view.calls[0][0] : (view.turn ?? seatAt(view, 0));
  const order = [0, 1, 2, 3].map((step) => (first + step) % 4);
  const rows = rounds(view.calls, first);
  const by = rounds(view.calls.map(([seat], at) => [seat, actors(view).calls[at] ?? ""]), first);
  return el(
    "div",
    { class: "calls", tabindex: rows.length > 1 ? "0" : null },
    el(
      "table",
      {},
      el("caption", { class: "visually-hidden" }, gettext("Calls of this deal")),
      el("thead", {}, el("tr", {}, order.map((seat) => el("th", { scope: "col", class: seat === view.you ? "mine" : null }, seat === view.you ? gettext("You") : nameOf(seatName(view, seat)))))),
      el("tbody", {}, rows.map((row, at) => el("tr", {}, row.map((code, column) => callCell(code, view, by[at][column]))))),
    ),
  );
}

function callCell(code, view, by) {
  if (!code) return el("td", {});
  const standing = isBid(code) && code === view.contract?.bid;
  return el("td", { class: code === "p" ? "passed" : standing ? "standing" : "spoken" }, el("span", {}, callShown(code)), actorMark(by));
}

// The calls laid out by seat: a seat that has dropped out leaves its place empty.
export function rounds(calls, first) {
  const rows = [];
  let before = 4;
  for (const [seat, code] of calls) {
    const column = (seat - first + 4) % 4;
    if (column <= before) rows.push(["", "", "", ""]);
    rows[rows.length - 1][column] = code;
    before = column;
  }
  return rows.length ? rows : [["", "", "", ""]];
}
