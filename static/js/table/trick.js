// The trick as the seats sit: cards come from their players and go to whoever took them.

import { lyingCard } from "./cards.js";
import { placeOf } from "./terms.js";

const PLACES = ["bottom", "right", "top", "left"];
const AWAY = { bottom: [0, 130], right: [150, 0], top: [0, -130], left: [-150, 0] };
const COME_MS = 190;
const GO_MS = 220;
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Trick {
  // `startOf(card)`: where on the screen a card of the own hand lay, or null.
  constructor(box, { startOf }) {
    Object.assign(this, { box, startOf, shown: new Map(), first: true });
  }

  // `fresh`: the trick just taken, which stays in sight until the next card lies there.
  draw(view, fresh) {
    const winner = !view.trick.length && fresh ? fresh.winner : null;
    const cards = winner === null ? view.trick : fresh.cards;
    if (winner !== null) this.taker = PLACES[placeOf(view, winner)];
    const wanted = new Map(cards.map(([seat, card]) => [card, { place: PLACES[placeOf(view, seat)], wins: seat === winner }]));
    for (const [card, node] of this.shown) if (!wanted.has(card)) this.remove(card, node, view.trick.length === 0 || this.taker);
    let order = 0;
    for (const [card, { place, wins }] of wanted) this.put(card, place, wins, order++);
    this.first = false;
  }

  put(card, place, wins, order) {
    let node = this.shown.get(card);
    if (!node) {
      node = lyingCard(card);
      node.classList.add("in-trick", place);
      this.box.append(node);
      this.shown.set(card, node);
      if (!this.first) this.come(node, card, place);
    }
    node.style.setProperty("z-index", String(order));
    node.classList.toggle("wins", wins);
  }

  come(node, card, place) {
    if (calm.matches) return;
    const start = place === "bottom" && this.startOf(card);
    const [x, y] = start ? offset(node, start) : AWAY[place];
    const from = { transform: `translate(${x}px, ${y}px)`, opacity: start ? 1 : 0.2 };
    node.animate([from, { transform: "none", opacity: 1 }], { duration: COME_MS, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" });
  }

  remove(card, node, gathered) {
    this.shown.delete(card);
    if (calm.matches || !gathered || !this.taker) return node.remove();
    const [x, y] = AWAY[this.taker];
    node.animate([{}, { transform: `translate(${x * 0.8}px, ${y * 0.8}px) scale(0.6)`, opacity: 0 }], { duration: GO_MS, easing: "ease-in" }).finished.then(
      () => node.remove(),
      () => node.remove(),
    );
  }
}

function offset(node, start) {
  const end = node.getBoundingClientRect();
  return [start.left + start.width / 2 - end.left - end.width / 2, start.top + start.height / 2 - end.top - end.height / 2];
}
