// The four players around the table: who, how many cards, whose turn, and who is there.

import { suitSign } from "./cards.js";
import { bankMark } from "./clock.js";
import { el, icon, isolated, nameOf, number, refill, sentence, svg } from "./dom.js";
import { bidParts, callShown, contractSuit, placeOf, seatName, sideOf } from "./terms.js";

const PLACES = ["bottom", "right", "top", "left"];

export function ring() {
  const circle = (name) => svg("circle", { class: name, cx: 24, cy: 24, r: 22, pathLength: 1 });
  return svg("svg", { class: "ring", viewBox: "0 0 48 48", "aria-hidden": "true", "data-clock": "" }, circle("ring-track"), circle("ring-left"));
}

export class Seats {
  // `places`: the four elements by place on the screen; `inspect(seat)` shows a player's card; `isMuted(name)`.
  constructor(places, { inspect, forms, isMuted = () => false }) {
    Object.assign(this, { places, inspect, forms, isMuted });
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
    const facts = { ...seatFacts(view, seat), muted: this.isMuted(view.seats[seat].name) };
    box.dataset.seat = seat;
    box.classList.toggle("on-turn", facts.onTurn);
    box.classList.toggle("ours", view.you !== null && sideOf(seat) === sideOf(view.you));
    box.classList.toggle("absent", facts.presence !== "here");
    refill(box, { facts, bubble, you: view.you, phase: view.phase, host: view.host === seat }, () =>
      facts.kind === "open" ? this.openSeat(view, seat) : [this.plate(view, seat, facts), lastCall(view, seat), bubbleOf(bubble)],
    );
  }

  plate(view, seat, facts) {
    return el(
      "button",
      { type: "button", class: "plate", "data-act": `seat-${seat}`, "aria-haspopup": "dialog", "aria-label": spoken(view, seat, facts), onclick: () => this.inspect(seat) },
      token(facts, { small: false }),
      el("span", { class: "plate-text" }, shownName(facts), el("span", { class: "plate-facts" }, marks(facts))),
    );
  }

  openSeat(view, seat) {
    const mark = el("span", { class: "token vacant" }, icon("seat"));
    if (view.phase !== "waiting") return mark;
    const words = view.you === null ? gettext("Sit here") : gettext("Move here");
    const label = el("span", {}, words);
    const place = `${words}: ${placeWord(view, seat)}`;
    if (!this.forms.user) return el("a", { class: "plate sit", "aria-label": place, href: this.forms.login }, mark, label);
    return el("button", { type: "submit", class: "plate sit", "data-act": `seat-${seat}`, "aria-label": place, form: this.forms.sit, name: "seat", value: seat }, mark, label);
  }
}

export function seatFacts(view, seat) {
  const { kind, connected, away, cards, guest, presence, sitting_in: sittingIn } = view.seats[seat];
  return {
    seat,
    name: seatName(view, seat),
    kind,
    connected,
    presence: view.arrived?.[seat] === false ? "expected" : (presence ?? (away ? "away" : connected || kind !== "player" ? "here" : "reconnecting")),
    away: Boolean(away),
    sittingIn: Boolean(sittingIn),
    guest: Boolean(guest),
    cards,
    onTurn: view.turn === seat && !view.doing,
    dealer: view.dealer === seat && ["auction", "trump", "play"].includes(view.phase),
    contract: ["trump", "play"].includes(view.phase) && view.contract?.seat === seat ? view.contract : null,
    call: view.phase === "auction" ? ([...view.calls].reverse().find(([by]) => by === seat)?.[1] ?? null) : null,
    playing: ["auction", "trump", "play"].includes(view.phase),
    // A picture that comes later knows no banks.
    bank: view.bank_seconds > 0 && !(view.you === null && view.watch_delay) && kind !== "bot" && ["auction", "trump", "play"].includes(view.phase),
  };
}

export function presenceWord(presence) {
  return {
    // Of four who were called: who never was here has lost no connection.
    expected: pgettext("of a player", "not come yet"),
    reconnecting: pgettext("of a player", "reconnecting"),
    away: pgettext("of a player", "away"),
    gone: pgettext("of a player", "gone"),
  }[presence] ?? "";
}

// A seat where a bot plays for somebody is called after its owner all the same.
function shownName(facts) {
  const name = nameOf(facts.name);
  return facts.sittingIn ? el("span", { class: "stand-in", dir: document.documentElement.dir }, sentence(gettext("(bot) for %(name)s"), { name })) : name;
}

export function spokenName(view, seat) {
  const name = isolated(seatName(view, seat));
  return view.seats[seat].sitting_in ? interpolate(gettext("(bot) for %(name)s"), { name }, true) : name;
}

export function token(facts) {
  const isBot = facts.kind === "bot" || facts.sittingIn;
  return el(
    "span",
    { class: `token${isBot ? " bot" : ""}` },
    facts.onTurn && ring(),
    el("span", { class: "initial" }, isBot ? icon("bot") : [...facts.name][0].toUpperCase()),
    facts.kind === "player" && el("span", { class: `dot ${facts.presence}` }),
    facts.dealer && el("span", { class: "dealer", title: gettext("Dealer") }, pgettext("mark of the dealer, one letter", "D")),
  );
}

export function marks(facts) {
  const absent = facts.kind === "player" && presenceWord(facts.presence);
  return [
    facts.playing && el("span", { class: "held" }, icon("cards"), number(facts.cards)),
    facts.contract && el("span", { class: "pledge" }, number(bidParts(facts.contract.bid).tricks), contractSuit(facts.contract) && suitSign(contractSuit(facts.contract))),
    facts.bank && bankMark(facts.seat),
    absent && el("span", { class: `state-mark ${facts.presence}` }, absent),
    facts.guest && el("span", { class: "guest-mark" }, gettext("(guest)")),
    facts.muted && el("span", { class: "muted-mark", title: gettext("muted") }, icon("hush")),
  ];
}

// The bubble hangs from a place of no height right under the plate: what is said moves nothing.
const bubbleOf = (said) => (said ? el("div", { class: "bubble-place" }, el("p", { class: "bubble", dir: "auto" }, el("bdi", {}, said.text))) : null);

function lastCall(view, seat) {
  const { call } = seatFacts(view, seat);
  if (!call) return null;
  return el("p", { class: `call-chip ${call === "p" ? "said-pass" : "said-bid"}` }, callShown(call));
}

export function placeWord(view, seat) {
  return [view.you === null ? gettext("in front") : gettext("you"), gettext("on the right"), gettext("opposite"), gettext("on the left")][placeOf(view, seat)];
}

function spoken(view, seat, facts) {
  const held = interpolate(ngettext("%(count)s card", "%(count)s cards", facts.cards), { count: facts.cards }, true);
  return [
    spokenName(view, seat),
    placeWord(view, seat),
    facts.kind === "bot" && gettext("Bot"),
    facts.guest && gettext("(guest)"),
    facts.playing && held,
    facts.onTurn && gettext("on turn"),
    facts.dealer && gettext("Dealer"),
    facts.kind === "player" && presenceWord(facts.presence),
    facts.muted && gettext("muted"),
  ].filter(Boolean).join(gettext(", "));
}
