// The dialogs of the table: menu, help, last trick, a player's card; and the panels that are drawers on a phone.

import { actors, markCard } from "./actors.js";
import { lyingCard } from "./cards.js";
import { el, nameOf, sentence } from "./dom.js";
import { placeOf, seatName } from "./terms.js";

const PLACES = ["bottom", "right", "top", "left"];

export function open(dialog) {
  if (!dialog.open) dialog.showModal();
}

// A click beside a dialog closes it, as does its own button.
export function closable(dialog) {
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
  });
}

export function showLastTrick(dialog, view) {
  const body = dialog.querySelector("[data-body]");
  if (!view.last_trick) {
    body.replaceChildren(el("p", { class: "muted" }, gettext("No trick has been taken in this deal yet.")));
    return open(dialog);
  }
  const { cards, winner } = view.last_trick;
  body.replaceChildren(
    el("div", { class: "laid", dir: "ltr" }, cards.map(([seat, card], order) => laid(view, seat, card, order, winner))),
    el("p", { class: "why" }, sentence(gettext("%(name)s took it"), { name: nameOf(seatName(view, winner)) })),
  );
  return open(dialog);
}

function laid(view, seat, card, order, winner) {
  const node = lyingCard(card, { "--order": order });
  node.classList.add("in-trick", PLACES[placeOf(view, seat)]);
  node.classList.toggle("wins", seat === winner);
  markCard(node, actors(view).last[order]);
  return node;
}

// A panel beside the table where there is room, a drawer over it where there is not.
export class Drawer {
  constructor(panel, opener) {
    Object.assign(this, { panel, opener });
    panel.querySelector("[data-close]")?.addEventListener("click", () => this.close());
    panel.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    document.addEventListener("pointerdown", (event) => {
      if (this.isOpen && !panel.contains(event.target) && !event.target.closest("[data-opens]")) this.close();
    });
  }

  get isOpen() {
    return this.panel.classList.contains("open");
  }

  toggle() {
    if (this.isOpen) this.close();
    else this.show();
  }

  show() {
    this.panel.classList.add("open");
    this.opener?.setAttribute("aria-expanded", "true");
    this.panel.focus({ preventScroll: true });
  }

  close() {
    if (!this.isOpen) return;
    this.panel.classList.remove("open");
    this.opener?.setAttribute("aria-expanded", "false");
    this.opener?.focus({ preventScroll: true });
  }
}

