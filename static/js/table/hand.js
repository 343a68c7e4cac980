// The own hand: in one row where there is room, else in two; what may be played now stands higher, and before one's turn
// a card can be chosen that will be.

import { cardName, face, faceStyle, sorted, suitOf, suitOrder } from "./cards.js";
import { el } from "./dom.js";
import { deal } from "./motion.js";
import { contractSuit } from "./terms.js";

const NARROWEST_STEP = 44;

export class Hand {
  // `preplay` keeps the card chosen beforehand; `dealtFrom(view)`: where on the screen the dealer sits.
  constructor(box, { play, explain, settings, preplay, dealtFrom, redraw }) {
    Object.assign(this, { box, play, explain, settings, preplay, dealtFrom, redraw, lifted: null, view: null, rests: new Map(), held: "", order: [] });
    new ResizeObserver(() => this.view && this.lay()).observe(box);
  }

  draw(view) {
    const dealt = Boolean(this.view) && view.deal !== this.view.deal && view.hand?.length === 13;
    this.view = view;
    this.lay();
    if (dealt) deal(this.buttons, this.dealtFrom(view));
    const choosing = view.phase === "play" && (view.legal?.length ?? 0) > 0;
    this.box.classList.toggle("choosing", choosing);
    this.box.classList.toggle("beforehand", this.preplay.isOpen(view));
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
    const chosen = card === this.preplay.chosen;
    button.classList.toggle("lifted", card === this.lifted);
    button.classList.toggle("chosen", chosen);
    button.setAttribute("aria-disabled", String(!playable && !this.preplay.isOpen(this.view)));
    button.setAttribute("aria-label", this.labelOf(card, { chosen, barred: choosing && !playable }));
    if (this.settings.twoTaps || chosen) button.setAttribute("aria-pressed", String(chosen || card === this.lifted));
    else button.removeAttribute("aria-pressed");
  }

  labelOf(card, { chosen, barred }) {
    if (chosen) return `${cardName(card)}, ${gettext("chosen beforehand")}`;
    return barred ? `${cardName(card)}, ${gettext("not now")}` : cardName(card);
  }

  // The order of the suits stays the same through a deal: cards do not change places because a suit has run out.
  arranged() {
    const { hand, deal: number, contract } = this.view;
    const first = this.settings.trumpFirst && contract ? contractSuit(contract) : null;
    const { fourColours } = this.settings;
    const key = `${number} ${first} ${fourColours}`;
    if (key !== this.orderKey || !this.order.length) {
      this.orderKey = hand?.length ? key : null;
      this.order = suitOrder(hand ?? [], { fourColours, first: first === "N" ? null : first });
    }
    return sorted(hand ?? [], this.order);
  }

  // Builds the rows anew when the cards or the number of rows have changed, and keeps the focus near its card.
  lay() {
    const rows = this.rowsOf(this.arranged());
    const key = [faceStyle(), ...rows.map((row) => row.join(" "))].join("|");
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
    if (this.preplay.isOpen(this.view)) return this.choose(card, button);
    if (!this.view.legal?.includes(card)) return this.refuse(button);
    if (this.settings.twoTaps && this.lifted !== card) {
      this.lifted = card;
      return this.draw(this.view);
    }
    this.lifted = null;
    return this.play(card);
  }

  choose(card, button) {
    if (this.preplay.toggle(card, this.view)) return this.redraw();
    this.shake(button);
    return this.explain(gettext("You hold the suit that was led: choose a card of it."));
  }

  refuse(button) {
    if (this.view.phase !== "play" || this.view.turn !== this.view.you) return;
    this.shake(button);
    this.explain(this.view.paused ? gettext("The match is paused.") : gettext("Play one of the raised cards."));
  }

  // Shows that a card stays where it is.
  shake(button) {
    if (!button) return;
    button.classList.remove("refused");
    void button.offsetWidth;
    button.classList.add("refused");
  }

  buttonOf(card) {
    return this.buttons.find((button) => button.dataset.card === card);
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

  // Where a card lay when it was played: from there it flies.
  leave(card) {
    const button = this.buttonOf(card);
    if (button) this.rests.set(card, button.getBoundingClientRect());
  }

  restOf(card) {
    return this.rests.get(card) ?? null;
  }
}

const cardWidth = (box) => box.querySelector(".playing-card")?.offsetWidth || 60;

// A phone on its side has no height for two.
const oneRow = (box) => getComputedStyle(box).getPropertyValue("--one-row") === "1";

// Two rows of at most seven, broken between suits where that is possible.
function splitPoint(cards) {
  const half = Math.ceil(cards.length / 2);
  const breaks = (at) => at > 0 && suitOf(cards[at]) !== suitOf(cards[at - 1]);
  const near = [half, half - 1, half + 1].filter((at) => at <= 7 && cards.length - at <= 7);
  return near.find(breaks) ?? half;
}
