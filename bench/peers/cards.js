// The game that both peers play: four seats, thirteen cards each, suit must be followed, highest card of the
// led suit or of spades wins. After thirteen tricks the next deal follows at once.
"use strict";

const RANKS = "23456789TJQKA";
const SUITS = "CDHS";
const DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

const strength = (card, led) =>
  RANKS.indexOf(card[0]) + (card[1] === "S" ? 100 : 0) + (card[1] === led ? 50 : 0);

function dealt(deck, first) {
  return {
    hands: [0, 1, 2, 3].map((seat) => deck.slice(13 * seat, 13 * seat + 13)),
    trick: [],
    lastTrick: null,
    tricks: [0, 0],
    leader: first,
    turn: first,
  };
}

function playable(deal, seat) {
  const hand = deal.hands[seat];
  if (deal.trick.length === 0) return hand;
  const same = hand.filter((card) => card[1] === deal.trick[0][1]);
  return same.length ? same : hand;
}

// Changes `deal`; false, and nothing changed, where the card may not be played.
function play(deal, seat, card) {
  if (seat !== deal.turn || !playable(deal, seat).includes(card)) return false;
  deal.hands[seat] = deal.hands[seat].filter((held) => held !== card);
  deal.trick.push(card);
  deal.turn = (seat + 1) % 4;
  if (deal.trick.length === 4) take(deal);
  return true;
}

function take(deal) {
  const led = deal.trick[0][1];
  const strengths = deal.trick.map((card) => strength(card, led));
  const winner = (deal.leader + strengths.indexOf(Math.max(...strengths))) % 4;
  deal.tricks[winner % 2] += 1;
  deal.lastTrick = { leader: deal.leader, cards: deal.trick.slice(), winner };
  deal.trick = [];
  deal.leader = deal.turn = winner;
}

const isOver = (deal) => deal.tricks[0] + deal.tricks[1] === 13;

// What one seat sees: its own hand, what it may play, and of the others only how many cards they hold.
function seen(deal, seat) {
  return {
    trick: deal.trick,
    lastTrick: deal.lastTrick,
    tricks: deal.tricks,
    leader: deal.leader,
    turn: deal.turn,
    cards: deal.hands.map((hand) => hand.length),
    hand: seat === null ? [] : deal.hands[seat],
    legal: seat === deal.turn ? playable(deal, seat) : [],
  };
}

module.exports = { DECK, dealt, isOver, play, seen };
