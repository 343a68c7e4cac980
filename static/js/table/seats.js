// The four players around the table: who, how many cards, whose turn, and who is there.

import { suitSign } from "./cards.js";
import { el, icon, nameOf, number, refill, svg } from "./dom.js";
import { bidParts, callShown, contractSuit, placeOf, seatName, sideOf } from "./terms.js";

const PLACES = ["bottom", "right", "top", "left"];

export function ring() {
  const circle = (name) => svg("circle", { class: name, cx: 24, cy: 24, r: 22, pathLength: 1 });
  return svg("svg", { class: "ring", viewBox: "0 0 48 48", "aria-hidden": "true", "data-clock": "" }, circle("ring-track"), circle("ring-left"));
}

export class Seats {
  // `places`: the four elements by place on the screen; `inspect(seat)` shows a player's card.
  constructor(places, { inspect, forms }) {
    Object.assign(this, { places, inspect, forms });
  }

  draw(view, bubbles) {
    for (const seat of [0, 1, 2, 3]) {
      const box = this.places[PLACES[placeOf(view, seat)]];
      // The player's own mark stands beside the hand; here is only what he has just said.
      if (seat === view.you && view.phase !== "waiting") refill(box, { own: bubbles[seat] }, () => [bubbleOf(bubbles[seat])]);
      else this.drawSeat(box, view, seat, bubbles[seat]);
    }
  }

  drawSeat(box, view, seat, bubble) {
    const facts = seatFacts(view, seat);
    box.dataset.seat = seat;
    box.classList.toggle("on-turn", facts.onTurn);
    box.classList.toggle("ours", view.you !== null && sideOf(seat) === sideOf(view.you));
    refill(box, { facts, bubble, you: view.you, phase: view.phase, host: view.host === seat }, () =>
      facts.kind === "open" ? this.openSeat(view, seat) : [this.plate(view, seat, facts), lastCall(view, seat), bubbleOf(bubble)],
    );
  }

  plate(view, seat, facts) {
    return el(
      "button",
      { type: "button", class: "plate", "aria-label": spoken(view, seat, facts), onclick: () => this.inspect(seat) },
      token(facts, { small: false }),
      el("span", { class: "plate-text" }, nameOf(facts.name), el("span", { class: "plate-facts" }, marks(facts))),
    );
  }

  openSeat(view, seat) {
    const mark = el("span", { class: "token vacant" }, icon("seat"));
    if (view.phase !== "waiting") return mark;
    const label = el("span", {}, view.you === null ? gettext("Sit here") : gettext("Move here"));
    if (!this.forms.user) return el("a", { class: "plate sit", href: this.forms.login }, mark, label);
    return el("button", { type: "submit", class: "plate sit", form: this.forms.sit, name: "seat", value: seat }, mark, label);
  }
}

export function seatFacts(view, seat) {
  const { kind, connected, away, cards, sitting_in: sittingIn } = view.seats[seat];
  return {
    name: seatName(view, seat),
    kind,
    connected,
    away: Boolean(away),
    sittingIn: Boolean(sittingIn),
    cards,
    onTurn: view.turn === seat && !view.doing,
    dealer: view.dealer === seat && ["auction", "trump", "play"].includes(view.phase),
    contract: ["trump", "play"].includes(view.phase) && view.contract?.seat === seat ? view.contract : null,
    call: view.phase === "auction" ? ([...view.calls].reverse().find(([by]) => by === seat)?.[1] ?? null) : null,
    playing: ["auction", "trump", "play"].includes(view.phase),
  };
}

export function token(facts) {
  const inside = facts.kind === "bot" ? icon("bot") : [...facts.name][0].toUpperCase();
  return el(
    "span",
    { class: `token${facts.kind === "bot" ? " bot" : ""}` },
    facts.onTurn && ring(),
    el("span", { class: "initial" }, inside),
    facts.kind === "player" && el("span", { class: `dot ${facts.connected ? "here" : "gone"}` }),
    facts.dealer && el("span", { class: "dealer", title: gettext("Dealer") }, pgettext("mark of the dealer, one letter", "D")),
  );
}

export function marks(facts) {
  return [
    facts.playing && el("span", { class: "held" }, icon("cards"), number(facts.cards)),
    facts.contract && el("span", { class: "pledge" }, number(bidParts(facts.contract.bid).tricks), contractSuit(facts.contract) && suitSign(contractSuit(facts.contract))),
    facts.away && el("span", { class: "state-mark" }, gettext("away")),
    facts.sittingIn && el("span", { class: "state-mark" }, gettext("bot plays")),
  ];
}

const bubbleOf = (text) => (text ? el("p", { class: "bubble", dir: "auto" }, text) : null);

function lastCall(view, seat) {
  const { call } = seatFacts(view, seat);
  if (!call) return null;
  return el("p", { class: `call-chip ${call === "p" ? "said-pass" : "said-bid"}` }, callShown(call));
}

function spoken(view, seat, facts) {
  const place = [gettext("you"), gettext("on the right"), gettext("opposite"), gettext("on the left")][placeOf(view, seat)];
  const held = interpolate(ngettext("%(count)s card", "%(count)s cards", facts.cards), { count: facts.cards }, true);
  return [
    facts.name,
    place,
    facts.playing && held,
    facts.onTurn && gettext("on turn"),
    facts.dealer && gettext("Dealer"),
    facts.kind === "bot" && gettext("Bot"),
    facts.kind === "player" && !facts.connected && gettext("not connected"),
    facts.away && gettext("away"),
  ].filter(Boolean).join(gettext(", "));
}
