// What was said at the table until the moment that is shown, as far as the reader may read it.

import { el, nameOf } from "../table/dom.js";

const SHOWN = 8;

export class Chat {
  constructor(root, lines = []) {
    Object.assign(this, { root, lines, isOfTwoRooms: new Set(lines.map((line) => line.room)).size > 1 });
    root.hidden = !lines.length;
  }

  show(deal, step) {
    const said = this.lines.filter((line) => line.deal === deal && line.after <= step).slice(-SHOWN);
    const lines = said.map((line) => el("li", { class: line.after === step ? "now" : null }, this.line(line)));
    this.root.replaceChildren(...(lines.length ? [el("h2", {}, gettext("What was said")), el("ul", {}, lines)] : []));
  }

  line({ room, name, text }) {
    const where = this.isOfTwoRooms && el("span", { class: "badge" }, room === "table" ? gettext("players") : gettext("spectators"));
    return [where, " ", nameOf(name), ": ", el("bdi", { dir: "auto" }, text)];
  }
}
