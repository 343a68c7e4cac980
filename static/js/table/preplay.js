// A card chosen before one's turn. It is played when the turn comes if it then does what was meant: it follows the suit
// that was led, or that suit lay open when it was chosen. Else it stays in the hand, and the player is told.

import { suitOf } from "./cards.js";

const LAST_CARD_MS = 450;
// Of two pages of the same player the one that is looked at goes first.
const HIDDEN_MS = 1500;

export class PrePlay {
  // `play(card)` acts; `dropped(card, why)` tells the player; `settings` may switch either part off.
  constructor({ play, dropped, settings }) {
    Object.assign(this, { play, dropped, settings, chosen: null, led: null });
  }

  // Whether a card can be chosen now: in play, on somebody else's turn, with more than one card in hand.
  isOpen(view) {
    return this.settings.beforehand && view.phase === "play" && view.you !== null && view.turn !== null && view.turn !== view.you && !view.doing && view.hand.length > 1;
  }

  // True where the card is now chosen or taken back; false where it could not be played in any case.
  toggle(card, view) {
    if (this.chosen === card) return this.clear();
    const led = ledSuit(view);
    if (led && suitOf(card) !== led && view.hand.some((held) => suitOf(held) === led)) return false;
    Object.assign(this, { chosen: card, led });
    return true;
  }

  clear() {
    Object.assign(this, { chosen: null, led: null });
    return true;
  }

  // Called with every new view.
  hear(view) {
    clearTimeout(this.waiting);
    const mine = view.phase === "play" && view.turn === view.you && view.legal?.length > 0;
    if (this.chosen && !(view.phase === "play" && view.hand?.includes(this.chosen))) this.clear();
    if (this.chosen && mine) this.resolve(view);
    else if (mine && this.isLastToPlay(view)) this.waiting = setTimeout(() => this.play(view.hand[0]), document.hidden ? HIDDEN_MS : LAST_CARD_MS);
  }

  // Not for somebody who has gone: the page alone must not bring a player back to the table.
  isLastToPlay(view) {
    const { away, sitting_in: sittingIn } = view.seats[view.you];
    return view.hand.length === 1 && this.settings.lastCard && !away && !sittingIn;
  }

  resolve(view) {
    const { chosen, led } = this;
    const now = view.trick.length ? suitOf(view.trick[0][1]) : null;
    this.clear();
    if (view.legal.includes(chosen) && now && (suitOf(chosen) === now || led === now)) this.play(chosen);
    else this.dropped(chosen, now);
  }
}

// The suit that was led to the trick in which the viewer has still to play, if it is known.
function ledSuit(view) {
  const played = view.trick.some(([seat]) => seat === view.you);
  return view.trick.length && !played ? suitOf(view.trick[0][1]) : null;
}
