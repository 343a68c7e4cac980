// How the line to the server stands, said only when it matters.

import { el, refill } from "./dom.js";

const PATIENCE_MS = 900;

export class Connection {
  constructor(box, { urls, user }) {
    Object.assign(this, { box, urls, user, since: null });
  }

  draw({ connection, closeCode, view }) {
    if (connection === "closed") return this.final(closeCode);
    if (connection === "open" && this.signedOut(view)) return this.final(4401);
    if (connection === "open") return this.hide();
    this.since ??= performance.now();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.lost(), Math.max(0, PATIENCE_MS - (performance.now() - this.since)));
    return undefined;
  }

  // Somebody who sat here is now only a spectator: the session has ended while the line was down.
  signedOut(view) {
    if (!view) return false;
    if (view.you !== null) this.sat = view.phase !== "waiting";
    return Boolean(this.sat && view.you === null);
  }

  hide() {
    clearTimeout(this.later);
    this.since = null;
    this.box.hidden = true;
    document.body.classList.remove("offline");
  }

  lost() {
    document.body.classList.add("offline");
    this.box.hidden = false;
    refill(this.box, "lost", () => el("p", {}, el("span", { class: "spinner", "aria-hidden": "true" }), gettext("The connection was lost. Nothing is lost with it; trying again…")));
  }

  final(code) {
    clearTimeout(this.later);
    this.box.hidden = false;
    this.box.classList.add("final");
    refill(this.box, code, () => [el("p", {}, saying(code)), el("p", {}, this.wayOut(code))]);
  }

  wayOut(code) {
    if (code === 4401) return el("a", { class: "button primary", href: this.urls.login }, gettext("Log in and come back"));
    return el("a", { class: "button primary", href: this.urls.lobby }, gettext("All tables"));
  }
}

function saying(code) {
  return {
    4401: gettext("You have been logged out. Your seat is kept: log in and come back."),
    4403: gettext("You may not watch this table."),
    4404: gettext("There is no such table any more."),
  }[code];
}
