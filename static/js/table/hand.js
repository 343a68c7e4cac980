// The own hand: in one row where there is room, else in two; what may be played now stands higher.

import { cardName, face, sorted, suitOf } from "./cards.js";
import { el } from "./dom.js";

const NARROWEST_STEP = 44;

export class Hand {
  constructor(box, { play, explain, settings }) {
    Object.assign(this, { box, play, explain, settings, lifted: null, view: null, rests: new Map(), held: "" });
    new ResizeObserver(() => this.view && this.lay()).observe(box);
  }

  draw(view) {
    this.view = view;
    this.lay();
    const choosing = view.phase === "play" && (view.legal?.length ?? 0) > 0;
    this.box.classList.toggle("choosing", choosing);
    if (!choosing || !view.legal.includes(this.lifted)) this.lifted = null;
    for (const button of this.buttons) this.mark(button, choosing);
  }

  get buttons() {
    return [...this.box.querySelectorAll(".playing-card")];
  }

  mark(button, choosing) {
    const { card } = button.dataset;
    const playable = choosing && this.view.legal.includes(card);
    button.classList.toggle("playable", playable);
    button.classList.toggle("lifted", card === this.lifted);
    button.setAttribute("aria-disabled", String(!playable));
    button.setAttribute("aria-label", choosing && !playable ? `${cardName(card)}, ${gettext("not now")}` : cardName(card));
    if (this.settings.twoTaps) button.setAttribute("aria-pressed", String(card === this.lifted));
    else button.removeAttribute("aria-pressed");
  }

  // Builds the rows anew when the cards or the number of rows have changed, and keeps the focus near its card.
  lay() {
    const cards = sorted(this.view.hand ?? [], this.settings.fourColours);
    const rows = this.rowsOf(cards);
    const key = rows.map((row) => row.join(" ")).join("|");
    if (key === this.held) return;
    const focused = this.buttons.indexOf(document.activeElement);
    this.held = key;
    const choosing = this.box.classList.contains("choosing");
    this.box.replaceChildren(...rows.map((row) => el("div", { class: "hand-row", "--cards": row.length }, row.map((card, at) => this.slot(card, row[at - 1])))));
    for (const button of this.buttons) this.mark(button, choosing);
    this.roam(Math.max(0, focused), focused >= 0);
  }

  slot(card, before) {
    const button = el(
      "button",
      { type: "button", class: "playing-card", "data-card": card, "data-suit": suitOf(card), onclick: () => this.press(card, button), onfocus: () => this.roam(this.buttons.indexOf(button), false) },
      face(card),
    );
    const gap = before && suitOf(before) !== suitOf(card) ? " new-suit" : "";
    return el("span", { class: `slot${gap}` }, button);
  }

  rowsOf(cards) {
    const width = this.box.clientWidth;
    const step = (width - cardWidth(this.box)) / Math.max(1, cards.length - 1);
    if (cards.length < 8 || step >= NARROWEST_STEP || oneRow(this.box)) return cards.length ? [cards] : [];
    const half = splitPoint(cards);
    return [cards.slice(0, half), cards.slice(half)];
  }

  press(card, button) {
    this.rests.set(card, button.getBoundingClientRect());
    if (!this.view.legal?.includes(card)) return this.refuse(button);
    if (this.settings.twoTaps && this.lifted !== card) {
      this.lifted = card;
      return this.draw(this.view);
    }
    this.lifted = null;
    return this.play(card);
  }

  refuse(button) {
    if (this.view.phase !== "play" || this.view.turn !== this.view.you) return;
    button.classList.remove("refused");
    void button.offsetWidth;
    button.classList.add("refused");
    this.explain(gettext("Play one of the raised cards."));
  }

  // Arrows move through the hand; one card of it is in the tab order.
  roam(to, focus = true) {
    const { buttons } = this;
    if (!buttons.length) return;
    const at = (to + buttons.length) % buttons.length;
    buttons.forEach((button, index) => button.setAttribute("tabindex", index === at ? "0" : "-1"));
    if (focus) buttons[at].focus({ preventScroll: true });
  }

  step(by) {
    const at = this.buttons.indexOf(document.activeElement);
    if (at >= 0) return this.roam(at + by);
    const first = this.buttons.findIndex((button) => button.classList.contains("playable"));
    return this.roam(Math.max(0, first));
  }

  // The next card of a suit after the one in focus, those that may be played first.
  seek(suit) {
    const { buttons } = this;
    const at = buttons.indexOf(document.activeElement);
    const ofSuit = buttons.map((button, index) => ({ button, index })).filter(({ button }) => button.dataset.suit === suit);
    const playable = ofSuit.filter(({ button }) => button.classList.contains("playable"));
    const among = playable.length ? playable : ofSuit;
    const next = among.find(({ index }) => index > at) ?? among[0];
    if (next) this.roam(next.index);
  }

  restOf(card) {
    return this.rests.get(card) ?? null;
  }
}

const cardWidth = (box) => parseFloat(getComputedStyle(box).getPropertyValue("--hand-card")) || 58;

// A phone on its side has no height for two.
const oneRow = (box) => getComputedStyle(box).getPropertyValue("--one-row") === "1";

// Two rows of at most seven, broken between suits where that is possible.
function splitPoint(cards) {
  const half = Math.ceil(cards.length / 2);
  const breaks = (at) => at > 0 && suitOf(cards[at]) !== suitOf(cards[at - 1]);
  const near = [half, half - 1, half + 1].filter((at) => at <= 7 && cards.length - at <= 7);
  return near.find(breaks) ?? half;
}
