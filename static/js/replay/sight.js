// Whose cards are seen: all four hands, or what one player saw.

import { el, isolated } from "../table/dom.js";

export class Sight {
  constructor(select, names, { onChange }) {
    this.select = select;
    const asked = new URLSearchParams(location.search).get("seat");
    const seats = names.map((name, seat) => el("option", { value: seat }, interpolate(gettext("What %(name)s saw"), { name: isolated(name) }, true)));
    select.replaceChildren(el("option", { value: "" }, gettext("All four hands")), ...seats);
    select.value = /^[0-3]$/.test(asked ?? "") ? asked : "";
    select.addEventListener("change", onChange);
  }

  /** The seat, or null: everything is seen. */
  get seat() {
    return this.select.value === "" ? null : Number(this.select.value);
  }

  /** What an address says of it. */
  get named() {
    return this.seat === null ? {} : { seat: this.seat };
  }
}
