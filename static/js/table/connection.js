// How the line to the server stands, said only when it matters: since when it is lost, what is tried, what happened
// meanwhile, and whether an act has arrived.

import { el, refill } from "./dom.js";
import { inDigits } from "./digits.js";
import { renewal } from "./renewed.js";

const PATIENCE_MS = 900;
const UNCONFIRMED_MS = 2500;
const TICK_MS = 500;
const NEWS_MS = 6000;
const RESTARTING = 1012;
const FLOODING = 4429;

export class Connection {
  // `line`: says when it tries again, and tries at once; `news(before, after)`: sentences of what happened between.
  constructor(box, { urls, user, line, news }) {
    Object.assign(this, { box, urls, user, line, news, since: null, pending: null, lastSeen: null, returned: null });
    setInterval(() => this.show(), TICK_MS);
  }

  draw(table, after) {
    this.table = table;
    const { connection, closeCode, pending, view } = table;
    if (pending?.id !== this.pending?.id) this.pending = pending && { id: pending.id, at: performance.now() };
    if (connection === "open" && this.signedOut(view)) this.end = 4401;
    else this.end = connection === "closed" ? closeCode : null;
    if (this.end === 4401) this.renewal ??= renewal(this.user, this.urls.login, () => this.show());
    if (connection !== "open") this.wait(view, closeCode);
    else if (after || this.lastSeen === null) this.arrived(view);
    this.show();
  }

  wait(view, code) {
    this.since ??= performance.now();
    this.lastSeen ??= view;
    // While a server restarts, the tries in between fail in ways of their own.
    if (code && this.code !== RESTARTING) this.code = code;
    this.returned = null;
  }

  // A view has come over the new line: say what happened while it was down, if that was long enough to be noticed.
  arrived(view) {
    if (this.since !== null && this.lastSeen && performance.now() - this.since > PATIENCE_MS && view) {
      this.returned = { until: performance.now() + NEWS_MS, words: this.news(this.lastSeen, view) };
    }
    Object.assign(this, { since: null, lastSeen: null, code: null });
  }

  // Somebody who sat here is now only a spectator: the session has ended while the line was down.
  signedOut(view) {
    if (!view) return false;
    if (view.you !== null) this.sat = view.phase !== "waiting";
    return Boolean(this.sat && view.you === null);
  }

  get state() {
    const now = performance.now();
    if (this.end) return this.renewal?.asking ? "" : "final";
    if (this.since !== null) return now - this.since < PATIENCE_MS ? "" : "lost";
    if (this.pending && now - this.pending.at > UNCONFIRMED_MS) return "unconfirmed";
    return this.returned && now < this.returned.until ? "back" : "";
  }

  show() {
    const { box, state } = this;
    box.hidden = !state;
    box.classList.toggle("final", state === "final");
    box.classList.toggle("good", state === "back");
    document.body.classList.toggle("offline", state === "lost");
    if (state === "final") return refill(box, this.end, () => [el("p", {}, ending(this.end)), el("p", {}, this.wayOut(this.end))]);
    if (state === "back") return refill(box, this.returned, () => el("p", {}, [gettext("Connected again."), ...this.returned.words].join(" ")));
    if (state === "unconfirmed") return refill(box, state, () => el("p", {}, spinner(), gettext("Your move is not confirmed yet. It is sent again by itself and counts once.")));
    if (state === "lost") return this.lost();
    return undefined;
  }

  lost() {
    const { code, pending, box } = this;
    const first = !this.table.view;
    refill(box, { code, first, pending: Boolean(pending), online: navigator.onLine }, () => [
      el("p", {}, spinner(), losing(code, first)),
      pending && el("p", {}, gettext("Your move is kept and goes out as soon as the line is back.")),
      el("p", { class: "line-facts", "aria-hidden": "true" }, el("span", { "data-since": "" })),
      el("button", { type: "button", class: "button", onclick: () => this.line.now() }, gettext("Try now")),
    ]);
    const facts = [];
    const gone = Math.round((performance.now() - this.since) / 1000);
    if (!first && gone > 2) facts.push(interpolate(gettext("Lost %(seconds)s s ago"), { seconds: gone }, true));
    const next = Math.ceil((this.line.retryAt - performance.now()) / 1000);
    facts.push(next > 0 ? interpolate(gettext("next try in %(seconds)s s"), { seconds: next }, true) : gettext("trying now…"));
    const text = inDigits(facts.join(" · "));
    const node = box.querySelector("[data-since]");
    if (node.textContent !== text) node.textContent = text;
  }

  wayOut(code) {
    if (code === 4401) return el("a", { class: "button primary", href: this.urls.login }, gettext("Log in and come back"));
    return el("a", { class: "button primary", href: this.urls.lobby }, gettext("All tables"));
  }
}

const spinner = () => el("span", { class: "spinner", "aria-hidden": "true" });

function losing(code, first) {
  if (!navigator.onLine) return gettext("Your device is offline. The table is kept; the page comes back by itself.");
  if (code === RESTARTING) return gettext("The server is being restarted. The table waits, and nobody loses time by it.");
  if (code === FLOODING) return gettext("Too many messages came from here; the page pauses for a moment.");
  return first ? gettext("Connecting…") : gettext("The connection was lost. Nothing is lost with it; trying again…");
}

function ending(code) {
  return {
    4401: gettext("You have been logged out. Your seat is kept: log in and come back."),
    4403: gettext("You may not watch this table."),
    4404: gettext("There is no such table any more."),
  }[code];
}
