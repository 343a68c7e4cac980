// The four hands around the trick. The table is not mirrored: right is right in both languages.

import { el, icon, isolated, nameOf } from "../table/dom.js";
import { lyingCard, rankOf, sorted, suitOf, suitSign } from "../table/cards.js";
import { isCard } from "./position.js";
import { actionText } from "./words.js";

const PLACES = ["bottom", "right", "top", "left"];
const SUIT_ORDER = ["S", "H", "C", "D"];

export class Board {
  constructor(root, { names, bottom }) {
    Object.assign(this, { root, names, bottom });
  }

  /** Lay out a deal: every card of every hand, none played yet. */
  deal(deal) {
    this.cards = new Map();
    this.hands = [0, 1, 2, 3].map((seat) => this.hand(deal, seat));
    this.middle = el("div", { class: "board-middle" });
    this.root.replaceChildren(...this.hands, this.middle);
  }

  place(seat) {
    return PLACES[(seat - this.bottom + 4) % 4];
  }

  hand(deal, seat) {
    const dealer = pgettext("mark of the dealer, one letter", "D");
    const mark = deal.dealer === seat && el("span", { class: "badge", role: "img", "aria-label": gettext("dealer"), title: gettext("dealer") }, dealer);
    const head = el("p", { class: "hand-head" }, nameOf(this.names[seat]), mark);
    const rows = SUIT_ORDER.map((suit) => this.suitRow(deal.hands[seat], suit));
    const covered = el("p", { class: "hand-covered", hidden: true });
    return el("div", { class: "hand", "data-place": this.place(seat), role: "group", "aria-label": isolated(this.names[seat]) }, head, covered, el("div", { class: "hand-suits" }, rows));
  }

  suitRow(hand, suit) {
    const cards = sorted(hand).filter((code) => suitOf(code) === suit).map((code) => this.rank(code));
    return el("p", { class: "hand-suit", dir: "ltr" }, suitSign(suit), el("span", { class: "held" }, cards.length ? cards : el("span", { class: "none" }, "–")));
  }

  rank(code) {
    const rank = el("span", { class: "rank", "data-code": code }, rankOf(code));
    this.cards.set(code, rank);
    return rank;
  }

  /** Show the position: cards gone from the hands, the trick or the calls in the middle, whose turn it is.

      With a `sight` only what that seat saw: its own cards, and those of the others that had been played. */
  show(position, sight = null) {
    this.hands.forEach((hand, seat) => this.cover(hand, sight !== null && sight !== seat, position));
    for (const [code, rank] of this.cards) {
      rank.classList.toggle("gone", position.gone.has(code));
      rank.classList.toggle("fresh", position.last?.code === code);
    }
    this.hands.forEach((hand, seat) => hand.classList.toggle("turn", position.turn === seat));
    const shown = position.inPlay ? this.trick(position) : this.calls(position);
    this.middle.replaceChildren(...shown);
  }

  cover(hand, isCovered, position) {
    const ranks = [...hand.querySelectorAll(".rank")];
    const held = ranks.filter((rank) => !position.gone.has(rank.dataset.code));
    for (const rank of ranks) rank.hidden = isCovered && held.includes(rank);
    hand.classList.toggle("covered", isCovered);
    const note = hand.querySelector(".hand-covered");
    note.hidden = !isCovered;
    note.textContent = interpolate(ngettext("%(count)s card", "%(count)s cards", held.length), { count: held.length }, true);
  }

  trick(position) {
    return position.trick.map((step) => {
      const won = position.winner === step.seat;
      return el("span", { class: won ? "slot won" : "slot", "data-place": this.place(step.seat) }, lyingCard(step.code));
    });
  }

  calls(position) {
    const newest = new Map(position.calls.map((step) => [step.seat, step]));
    const calls = [...newest].map(([seat, step]) => {
      const high = position.contract?.seat === seat && !isCard(step) && step.code !== "p";
      return el("span", { class: high ? "slot call high" : "slot call", "data-place": this.place(seat) }, actionText(step));
    });
    return calls.length ? calls : [el("span", { class: "slot waiting" }, icon("cards"))];
  }
}
