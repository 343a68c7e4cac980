// Whose turn it is, in words; the player's own mark and clock; and what just went wrong.

import { cardName, rankShown, suitOf, suitSign } from "./cards.js";
import { inDigits } from "./digits.js";
import { el, icon, nameOf, refill, sentence } from "./dom.js";
import { marks, seatFacts, token } from "./seats.js";
import { seatName } from "./terms.js";

const NOTE_MS = 4500;

export class TurnLine {
  constructor({ line, own, note }, { takeBack }) {
    Object.assign(this, { line, own, noteBox: note, takeBack });
  }

  // `chosen`: a card that will be played when the turn comes.
  draw(view, chosen = null) {
    const mine = view.turn !== null && view.turn === view.you && !view.doing && !view.paused;
    this.line.classList.toggle("mine", mine);
    const seat = view.you === null ? null : seatFacts(view, view.you);
    const name = view.turn === null ? null : seatName(view, view.turn);
    const facts = { phase: view.phase, paused: view.paused, last: view.last_deal, mine, name, doing: view.doing, clock: view.deadline_ms !== null, bank: view.bank_seconds, chosen };
    refill(this.line, facts, () => [el("span", { class: "turn-words" }, words(view, mine, name)), clockPart(view), chosen && this.chosenCard(chosen)]);
    this.own.hidden = seat === null || view.phase === "waiting" || view.phase === "over";
    if (!this.own.hidden) refill(this.own, seat, () => [token(seat), el("span", { class: "plate-facts" }, marks({ ...seat, playing: false }))]);
    this.drawAway(view, seat);
  }

  chosenCard(card) {
    const label = interpolate(gettext("%(card)s will be played in your turn. Take it back"), { card: cardName(card) }, true);
    return el("button", { type: "button", class: "chosen-card", "aria-label": label, title: label, onclick: this.takeBack }, el("bdi", { dir: "ltr" }, rankShown(card)), suitSign(suitOf(card)), icon("close"));
  }

  drawAway(view, seat) {
    const away = Boolean(seat?.away) && view.phase !== "over";
    this.line.parentElement.classList.toggle("away", away);
  }

  // The server says why in the reader's language.
  refused({ message }) {
    this.note(message || gettext("This was refused. Nothing has changed."), "bad");
  }

  note(text, tone = "") {
    clearTimeout(this.noteGoes);
    this.noteBox.className = `note ${tone}`;
    this.noteBox.textContent = inDigits(text);
    this.noteBox.hidden = false;
    this.noteGoes = setTimeout(() => this.quiet(), NOTE_MS);
  }

  quiet() {
    this.noteBox.hidden = true;
    this.noteBox.textContent = "";
  }
}

function words(view, mine, name) {
  if (view.paused && view.phase !== "over") return gettext("Paused");
  if (view.phase === "deal" && view.last_deal) return gettext("The match ends");
  if (view.phase === "deal") return view.deal === null ? gettext("The match begins") : gettext("Next deal");
  if (view.phase === "waiting" || view.phase === "over" || name === null) return "";
  if (mine) return { auction: gettext("Your turn to call"), trump: gettext("Your turn: name the trump") }[view.phase] ?? gettext("Your turn");
  if (view.doing) return gettext("Sent…");
  return sentence(gettext("%(name)s's turn"), { name: nameOf(name) });
}

// The own seconds as number and bar; beside them the bank, which takes over when they are used up.
function clockPart(view) {
  if (view.deadline_ms === null) return null;
  const bank = view.turn !== null && view.bank_seconds > 0;
  return [
    el("span", { class: "seconds", dir: "ltr", "data-seconds": "" }),
    el("span", { class: "clock-bar", "aria-hidden": "true" }, el("span", { class: "clock-left" })),
    bank && bankRunning(),
  ];
}

function bankRunning() {
  const words = el("span", { class: "visually-hidden" }, gettext("Time bank"));
  return el("span", { class: "bank", title: gettext("Time bank") }, icon("bank"), words, el("span", { class: "score", dir: "ltr", "data-bank-running": "" }));
}
