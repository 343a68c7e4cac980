// Giving a match up: both partners must want it. Only their own side sees who does.

import { el, isolated, refill } from "./dom.js";
import { open } from "./panels.js";
import { seatName } from "./terms.js";

const IN_PLAY = new Set(["deal", "auction", "trump", "play"]);

export class Resign {
  // `box`: the strip at the table; `button`: in the menu; `dialog` asks once more; `vote("yes" or null)`.
  constructor({ box, button, dialog }, { vote }) {
    Object.assign(this, { box, button, dialog, vote, ignored: false });
    button?.addEventListener("click", () => {
      button.closest("dialog")?.close();
      this.ask();
    });
    dialog.querySelector("[data-yes]").addEventListener("click", () => {
      this.vote("yes");
      dialog.close();
    });
  }

  draw(view) {
    this.view = view;
    const may = view.you !== null && IN_PLAY.has(view.phase);
    if (this.button) this.button.hidden = !may;
    const wanting = may ? (view.resign ?? []) : [];
    const mine = wanting.includes(view.you);
    const partner = wanting.some((seat) => seat !== view.you);
    if (!partner) this.ignored = false;
    this.box.hidden = !mine && (!partner || this.ignored);
    const name = view.you === null ? "" : seatName(view, partnerOf(view));
    refill(this.box, { mine, partner, name, hidden: this.box.hidden }, () => (this.box.hidden ? [] : mine ? this.asked(name) : this.asks(name)));
    if (!may && this.dialog.open) this.dialog.close();
  }

  asked(name) {
    return [
      el("p", {}, interpolate(gettext("You want to resign. %(name)s has to agree."), { name: isolated(name) }, true)),
      el("button", { type: "button", class: "button", "data-act": "resign-back", onclick: () => this.vote(null) }, gettext("Take it back")),
    ];
  }

  asks(name) {
    return [
      el("p", {}, interpolate(gettext("%(name)s wants to resign the match with you."), { name: isolated(name) }, true)),
      el("span", { class: "strip-acts" },
        el("button", { type: "button", class: "button", "data-act": "resign-no", onclick: () => this.ignore() }, gettext("Play on")),
        el("button", { type: "button", class: "button quiet", "data-act": "resign-yes", onclick: () => this.ask() }, gettext("Resign…"))),
    ];
  }

  ignore() {
    this.ignored = true;
    this.draw(this.view);
  }

  ask() {
    const { view } = this;
    const seat = partnerOf(view);
    const partner = view.seats[seat];
    const agreed = view.resign?.includes(seat) || partner.kind === "bot";
    const text = agreed ? gettext("The match ends at once and the other side wins.") : interpolate(gettext("The match ends and the other side wins as soon as %(name)s agrees. Until then you play on, and may take it back."), { name: isolated(seatName(view, seat)) }, true);
    this.dialog.querySelector("[data-body]").replaceChildren(el("p", {}, text), !agreed && partner.away ? el("p", { class: "muted" }, gettext("Your partner is away just now and cannot agree.")) : "");
    open(this.dialog);
  }
}

const partnerOf = (view) => (view.you + 2) % 4;
