// A player's card with what can be done about him: profile, mute, report; the host removes before the start.

import { el, nameOf } from "./dom.js";
import { open } from "./panels.js";
import { presenceWord, seatFacts, spokenName } from "./seats.js";

export class Conduct {
  // `dialogs`: player, report. `account`: member, guest or "". `table()`: the newest view. `tell(text, tone)` shows a note.
  constructor(dialogs, { urls, account, forms, view, talk, tell }) {
    Object.assign(this, { dialogs, urls, account, forms, view, talk, tell });
    this.form = dialogs.report.querySelector("form");
    this.form?.addEventListener("submit", (event) => this.sendReport(event));
  }

  // Of a seat, or of a spectator who spoke (`seat` null).
  inspect(name, seat) {
    const view = this.view();
    const facts = seat === null ? null : seatFacts(view, seat);
    const title = facts ? seatTitle(view, seat, facts) : nameOf(name);
    const heading = el("h2", {}, title);
    const state = facts ? stateSaid(view, facts) : [gettext("Watches this table.")];
    this.dialogs.player.querySelector("[data-body]").replaceChildren(
      heading,
      ...state.map((text) => el("p", {}, text)),
      facts?.playing ? el("p", { class: "muted" }, interpolate(ngettext("%(count)s card in hand", "%(count)s cards in hand", facts.cards), { count: facts.cards }, true)) : "",
      this.deeds(view, name, seat, facts),
    );
    open(this.dialogs.player);
  }

  deeds(view, name, seat, facts) {
    const isPerson = facts === null || facts.kind === "player";
    if (!isPerson || !name) return this.removal(view, seat, facts) ?? "";
    const own = seat !== null && seat === view.you;
    return el(
      "div",
      { class: "deeds" },
      !facts?.guest && el("a", { class: "button", href: `/players/${encodeURIComponent(name)}/`, target: "_blank", rel: "noopener" }, gettext("Profile")),
      view.you === null && facts && !facts.guest && el("a", { class: "button quiet", href: `/players/${encodeURIComponent(name)}/watch/` }, gettext("Follow this player")),
      this.account && !own && this.muting(name),
      this.account && !own && el("button", { type: "button", class: "button quiet", onclick: () => this.askReport(name) }, gettext("Report…")),
      this.removal(view, seat, facts),
    );
  }

  removal(view, seat, facts) {
    if (!this.forms.remove || !this.forms.host || view.phase !== "waiting" || seat === null || seat === view.you || facts.kind === "open") return null;
    return el("button", { type: "submit", class: "button quiet", form: this.forms.remove, name: "seat", value: seat }, gettext("Remove from the table"));
  }

  muting(name) {
    const muted = this.talk.muted.has(name);
    return el("button", { type: "button", class: "button quiet", "aria-pressed": String(muted), onclick: () => this.mute(name, !muted) }, muted ? gettext("Hear again") : gettext("Mute"));
  }

  async mute(name, muted) {
    this.dialogs.player.close();
    const answer = await this.post(this.urls.mute, { name, muted: muted ? "1" : "0" });
    if (answer.ok) this.talk.mute(name, muted);
  }

  askReport(name) {
    this.dialogs.player.close();
    this.form.reset();
    this.about = name;
    this.dialogs.report.querySelector("[data-about]").replaceChildren(nameOf(name));
    open(this.dialogs.report);
  }

  async sendReport(event) {
    event.preventDefault();
    const { reason, text } = Object.fromEntries(new FormData(this.form));
    this.dialogs.report.close();
    await this.post(this.urls.report, { name: this.about, reason, text });
  }

  // Whether it was done; what came of it is told in either case.
  async post(url, fields) {
    const token = this.form.querySelector("[name=csrfmiddlewaretoken]").value;
    let answer = { ok: false, message: gettext("This did not arrive. Nothing has changed; try again in a moment.") };
    try {
      const response = await fetch(url, { method: "POST", headers: { "X-CSRFToken": token, Accept: "application/json" }, body: new URLSearchParams(fields) });
      const { message } = await response.json();
      answer = { ok: response.ok, message };
    } catch {
      // No line, or a page instead of an answer: the sentence above says it.
    }
    this.tell(answer.message, answer.ok ? "" : "bad");
    return answer;
  }
}

function seatTitle(view, seat, facts) {
  return facts.sittingIn ? spokenName(view, seat) : nameOf(facts.name);
}

function stateSaid(view, facts) {
  const { kind, presence, sittingIn, guest } = facts;
  if (kind === "bot") return [gettext("A bot plays this seat.")];
  return [
    guest && gettext("Plays as a guest, without an account."),
    {
      here: gettext("Connected."),
      expected: gettext("Was called to this table and has not come yet."),
      reconnecting: gettext("The connection is lost just now; the page is trying to come back."),
      away: sittingIn ? "" : gettext("Away: the table plays quickly for this seat until its player is back."),
      gone: gettext("Has been gone for a while."),
    }[presence] ?? presenceWord(presence),
    sittingIn && gettext("A bot sits in. The owner can take the seat back at any moment."),
  ].filter(Boolean);
}
