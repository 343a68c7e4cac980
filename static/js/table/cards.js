// The cards as pictures and as words.

import { arabicDigits, inDigits } from "./digits.js";
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

const use = (id, attributes = {}) => svg("use", { href: `${sheet}#${id}`, ...attributes });

function picture(viewBox, name, ...uses) {
  return svg("svg", { class: name, viewBox, "aria-hidden": "true", focusable: "false" }, uses);
}

// How faces are drawn: whose letters stand on ace and court cards, and whether the index fills the card.
const style = { indices: "latin", large: false };

export const faceStyle = () => `${style.indices} ${style.large} ${arabicDigits()}`;

export function drawFaces(wanted) {
  Object.assign(style, wanted);
}

function rankId(card) {
  const arabic = "AKQJ".includes(card[0]) ? style.indices === "arabic" : arabicDigits();
  return `${arabic ? "arabic" : "rank"}-${card[0]}`;
}

// The rank as the faces show it.
export function rankShown(card) {
  if (style.indices === "arabic" && "AKQJ".includes(card[0])) return { A: "إ", K: "ش", Q: "ب", J: "و" }[card[0]];
  return inDigits(rankOf(card));
}

export function face(card) {
  if (style.large) return largeFace(card);
  if (rankId(card) === `rank-${card[0]}`) return picture("0 0 100 140", "card-art", use(card));
  return picture("0 0 100 140", "card-art", use(`art-${card}`), use(rankId(card)));
}

// Rank and suit alone, as large as the card allows.
function largeFace(card) {
  const suit = (box) => use(`suit-${suitOf(card)}`, box);
  const rank = use(rankId(card), { transform: "translate(-2 -5) scale(1.9)" });
  return picture("0 0 100 140", "card-art", rank, suit({ x: 7, y: 84, width: 44, height: 44 }), suit({ x: 66, y: 106, width: 26, height: 26 }));
}

// A suit's sign in its colour; no trump has no sign, so it is written.
export function suitSign(suit) {
  if (suit === "N") return el("span", { class: "suit no-trump" }, pgettext("no trump, short", "NT"));
  return el("span", { class: "suit", "data-suit": suit, role: "img", "aria-label": suitName(suit) }, picture("0 0 24 24", "suit-art", use(`suit-${suit}`)));
}

// A card that lies open and is not for playing.
export function lyingCard(card, attributes = {}) {
  return el("span", { class: "playing-card", "data-card": card, "data-suit": suitOf(card), role: "img", "aria-label": cardName(card), ...attributes }, face(card));
}

const RED = new Set(["H", "D"]);
const ORDERS = ["SHCD", "HSDC", "SDCH", "DSHC", "CHSD", "HCDS", "CDSH", "DCHS"];

// The order of the suits in a hand: colours in turn as long as the suits held allow it, the trump first where that is wished.
export function suitOrder(hand, { fourColours = false, first = null } = {}) {
  const held = SUITS.filter((suit) => hand.some((card) => suitOf(card) === suit));
  const base = fourColours ? ["SHDC", "HSDC", "DSHC", "CSHD"] : ORDERS;
  const orders = first ? base.filter((order) => order[0] === first) : base;
  const clashes = (order) => [...order].filter((suit) => held.includes(suit)).filter((suit, at, row) => at && RED.has(suit) === RED.has(row[at - 1])).length;
  const best = fourColours ? orders[0] : orders.reduce((one, other) => (clashes(other) < clashes(one) ? other : one));
  return [...best];
}

// As held in the hand: suits together, highest first.
export function sorted(hand, order = ["S", "H", "C", "D"]) {
  const place = (card) => order.indexOf(suitOf(card)) * 13 + RANKS.indexOf(card[0]);
  return [...hand].sort((one, other) => place(one) - place(other));
}

export function countBySuit(hand) {
  return Object.fromEntries(SUITS.map((suit) => [suit, hand.filter((card) => suitOf(card) === suit).length]));
}
