// The cards as pictures and as words.

import { el, svg } from "./dom.js";

export const SUITS = ["S", "H", "D", "C"];
const RANKS = "AKQJT98765432";
// The page names the sheet of pictures, because its address changes with its content.
const sheet = document.querySelector("[data-faces]").dataset.faces;

export const suitOf = (card) => card[1];
export const rankOf = (card) => (card[0] === "T" ? "10" : card[0]);

export function suitName(suit) {
  return { S: gettext("spades"), H: gettext("hearts"), D: gettext("diamonds"), C: gettext("clubs"), N: gettext("no trump") }[suit];
}

function rankName(card) {
  const names = { A: gettext("Ace"), K: gettext("King"), Q: gettext("Queen"), J: gettext("Jack") };
  return names[card[0]] ?? rankOf(card);
}

export function cardName(card) {
  return interpolate(gettext("%(rank)s of %(suit)s"), { rank: rankName(card), suit: suitName(suitOf(card)) }, true);
}

function picture(id, viewBox, name) {
  return svg("svg", { class: name, viewBox, "aria-hidden": "true", focusable: "false" }, svg("use", { href: `${sheet}#${id}` }));
}

export const face = (card) => picture(card, "0 0 100 140", "card-art");

// A suit's sign in its colour; no trump has no sign, so it is written.
export function suitSign(suit) {
  if (suit === "N") return el("span", { class: "suit no-trump" }, pgettext("no trump, short", "NT"));
  return el("span", { class: "suit", "data-suit": suit, role: "img", "aria-label": suitName(suit) }, picture(`suit-${suit}`, "0 0 24 24", "suit-art"));
}

// A card that lies open and is not for playing.
export function lyingCard(card, attributes = {}) {
  return el("span", { class: "playing-card", "data-card": card, "data-suit": suitOf(card), role: "img", "aria-label": cardName(card), ...attributes }, face(card));
}

// As held in the hand: suits together, highest first. With two colours the red suits are kept apart.
export function sorted(hand, fourColours) {
  const order = fourColours ? ["S", "H", "D", "C"] : ["S", "H", "C", "D"];
  const place = (card) => order.indexOf(suitOf(card)) * 13 + RANKS.indexOf(card[0]);
  return [...hand].sort((one, other) => place(one) - place(other));
}

export function countBySuit(hand) {
  return Object.fromEntries(SUITS.map((suit) => [suit, hand.filter((card) => suitOf(card) === suit).length]));
}
