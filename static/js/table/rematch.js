// After the match: another one with the same four, as they sat or with other partners. It begins when all who played agree.

import { el, nameOf, sentence } from "./dom.js";
import { seatName } from "./terms.js";

const MOVE_MS = 1600;

export class Rematch {
  // `vote(choice)` sends the wish, null takes it back.
  constructor({ vote }) {
    Object.assign(this, { vote, waited: false });
  }

  // A casual table whose match was played to its end; a tournament makes its own matches.
  isOffered(view) {
    return view.you !== null && view.result !== null && !view.title && !view.next;
  }

  // Who was here while it was agreed goes along; who comes later finds the door.
  follow(view) {
    if (view.phase !== "over") return;
    if (view.next && this.waited && !this.moving) this.moving = setTimeout(() => location.assign(tableAddress(view.next)), MOVE_MS);
    this.waited ||= view.you !== null && !view.next;
  }

  draw(view) {
    if (view.next) return this.door(view);
    return this.isOffered(view) ? el("div", { class: "rematch" }, this.choices(view), wishes(view)) : null;
  }

  door(view) {
    return el(
      "div",
      { class: "rematch" },
      this.moving && el("p", { role: "status" }, gettext("Everybody agreed: on to the new table…")),
      el("a", { class: "button primary wide", href: tableAddress(view.next), "data-act": "next" }, gettext("To the rematch")),
    );
  }

  choices(view) {
    const own = votesOf(view)[view.you];
    return el("div", { class: "rematch-choices", role: "group", "aria-label": gettext("Rematch") }, this.choice("same", gettext("Rematch, same sides"), own), this.choice("rotate", gettext("Rematch, other partners"), own));
  }

  choice(choice, words, own) {
    const chosen = own === choice;
    return el("button", { type: "button", class: `button${chosen ? " primary" : ""}`, "data-act": `rematch-${choice}`, "aria-pressed": String(chosen), onclick: () => this.vote(chosen ? null : choice) }, words);
  }
}

const votesOf = (view) => view.votes?.rematch ?? {};
const tableAddress = (code) => new URL(`../${code}/`, location.href).href;

// Who wants what, and who has still to say so.
function wishes(view) {
  const votes = votesOf(view);
  const people = view.seats.filter(({ kind }) => kind === "player");
  const silent = people.filter(({ seat }) => seat !== view.you && !votes[seat]);
  return el(
    "ul",
    { class: "wishes", role: "status" },
    people.filter(({ seat }) => votes[seat] && seat !== view.you).map(({ seat }) => el("li", {}, sentence(wish(votes[seat]), { name: nameOf(seatName(view, seat)) }))),
    votes[view.you] && silent.map(({ seat }) => el("li", { class: "muted" }, sentence(gettext("Waiting for %(name)s"), { name: nameOf(seatName(view, seat)) }))),
    differ(votes) && el("li", { class: "why" }, gettext("It begins once all want the same.")),
  );
}

function wish(choice) {
  return choice === "same" ? gettext("%(name)s wants a rematch, same sides") : gettext("%(name)s wants a rematch, other partners");
}

const differ = (votes) => new Set(Object.values(votes)).size > 1;
