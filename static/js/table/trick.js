// The trick as the seats sit: cards come from their players and go to whoever took them.

import { actors, markCard } from "./actors.js";
import { faceStyle, lyingCard } from "./cards.js";
import { come, go } from "./motion.js";
import { placeOf } from "./terms.js";

const PLACES = ["bottom", "right", "top", "left"];

export class Trick {
  // `startOf(card)`: where on the screen a card of the own hand lay, or null; `seatAt(place)`: where that player sits.
  constructor(box, { startOf, seatAt }) {
    Object.assign(this, { box, startOf, seatAt, shown: new Map(), first: true, style: "" });
  }

  // `fresh`: the trick just taken, which stays in sight until the next card lies there.
  draw(view, fresh) {
    this.restyle();
    const winner = !view.trick.length && fresh ? fresh.winner : null;
    const cards = winner === null ? view.trick : fresh.cards;
    if (winner !== null) this.taker = PLACES[placeOf(view, winner)];
    const by = actors(view)[winner === null ? "trick" : "last"];
    const wanted = new Map(cards.map(([seat, card], at) => [card, { place: PLACES[placeOf(view, seat)], wins: seat === winner, by: by[at] }]));
    const taker = lastTaker(view, this.shown) ?? this.taker;
    for (const [card, node] of this.shown) if (!wanted.has(card)) this.remove(card, node, taker);
    const news = [...wanted.keys()].filter((card) => !this.shown.has(card)).length;
    let order = 0;
    for (const [card, lying] of wanted) this.put(card, { ...lying, order: order++, moves: news === 1 && !this.first });
    this.first = false;
  }

  // Another way to draw faces: what lies there is laid anew.
  restyle() {
    if (this.style === faceStyle()) return;
    this.style = faceStyle();
    for (const node of this.shown.values()) node.remove();
    this.shown.clear();
    this.first = true;
  }

  put(card, { place, wins, by, order, moves }) {
    let node = this.shown.get(card);
    if (!node) {
      node = lyingCard(card);
      node.classList.add("in-trick", place);
      this.box.append(node);
      this.shown.set(card, node);
      if (moves) come(node, (place === "bottom" && this.startOf(card)) || this.seatAt(place), { grow: place === "bottom" ? 1 : 0.5 });
    }
    node.style.setProperty("z-index", String(order));
    node.classList.toggle("wins", wins);
    markCard(node, by);
  }

  remove(card, node, taker) {
    this.shown.delete(card);
    node.setAttribute("aria-hidden", "true");
    if (taker && !this.first) go(node, this.seatAt(taker));
    else node.remove();
  }
}

// Who took what is being cleared away, also where the page never showed the trick as taken.
function lastTaker(view, shown) {
  const { last_trick: taken } = view;
  return taken && taken.cards.some(([, card]) => shown.has(card)) ? PLACES[placeOf(view, taken.winner)] : null;
}
