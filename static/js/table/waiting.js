// Before the match: who is missing, what is played, friends to invite, bots for the host.

import { inDigits } from "./digits.js";
import { el, icon, isolated, refill } from "./dom.js";
import { InviteByName } from "./invite.js";
import { seatName } from "./terms.js";

export class Waiting {
  // `forms`: the ids of the page's forms to sit, leave and fill.
  constructor(box, { urls, forms, tell }) {
    Object.assign(this, { box, urls, forms, tell });
    this.byName = urls.account === "member" ? new InviteByName({ urls, tell }) : null;
  }

  draw(view) {
    this.box.hidden = view.phase !== "waiting";
    if (this.box.hidden) return;
    const names = view.seats.map((_, seat) => seatName(view, seat));
    const open = view.seats.filter(({ kind }) => kind === "open").length;
    refill(this.box, { open, names, you: view.you, host: view.host, watching: view.watching }, () => [
      el("h2", { class: "asking-title" }, headline(open)),
      el("p", { class: "muted" }, this.advice(view)),
      el("div", { class: "waiting-acts" }, this.invitation(), this.forms.host && open > 0 && this.fill(), view.you !== null && this.leave()),
      el("ul", { class: "terms", "aria-label": gettext("What is played here") }, agreed(view).map((words) => el("li", {}, inDigits(words)))),
      this.more(view),
      el("p", { class: "muted small" }, this.closing(view)),
    ]);
  }

  // Who gets up of their own will loads the page anew: here somebody has lost the seat before their eyes.
  hear(before, after) {
    if (after.phase !== "waiting" || after.you !== null || (before?.you ?? null) === null) return;
    this.tell(gettext("You have no seat here any more: the host asked you off it, or you left it in another tab."), "bad");
  }

  advice(view) {
    if (!this.forms.user) return gettext("Log in to sit down, or stay and watch.");
    if (view.you === null) return gettext("Choose a seat: who sits opposite is your partner.");
    const partner = view.seats[(view.you + 2) % 4];
    if (partner.kind === "open") return gettext("The seat opposite you is your partner's. The match starts by itself when four are seated.");
    return interpolate(gettext("Your partner is %(name)s. The match starts by itself when four are seated."), { name: isolated(seatName(view, (view.you + 2) % 4)) }, true);
  }

  closing(view) {
    const host = this.forms.host && view.seats.some(({ kind }, seat) => kind === "player" && seat !== view.you);
    return [
      host && gettext("Press a player to remove them from the table."),
      gettext("A table that nobody starts closes by itself half an hour after the last one sat down."),
    ].filter(Boolean).join(" ");
  }

  // Other ways to invite: by name, by a code to be photographed, by the written link.
  more(view) {
    if (!this.forms.user) return null;
    const invites = view.you !== null || this.forms.host;
    return el(
      "details",
      { class: "fold invite-fold", open: this.unfolded, ontoggle: (event) => { this.unfolded = event.target.open; } },
      el("summary", { "data-act": "invite-more" }, gettext("By name, QR code or link")),
      invites && this.byName?.part,
      this.urls.qr && el("img", { class: "qr", src: this.urls.qr, alt: gettext("QR code of this table's link"), width: 168, height: 168, loading: "lazy" }),
      el("label", { class: "own-words" }, el("span", {}, gettext("Link of this table")), el("input", { class: "link", readonly: true, value: this.urls.invitation, dir: "ltr", onfocus: (event) => event.target.select() })),
    );
  }

  invitation() {
    return el("button", { type: "button", class: "button primary", "data-act": "share", onclick: (event) => this.share(event.currentTarget) }, navigator.share ? gettext("Invite friends") : gettext("Copy the link"));
  }

  async share(button) {
    const url = this.urls.invitation;
    if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => {});
    try {
      await navigator.clipboard.writeText(url);
      button.textContent = gettext("Link copied");
    } catch {
      this.unfolded = true;
      this.box.querySelector(".invite-fold").open = true;
    }
  }

  fill() {
    return el("button", { type: "submit", class: "button", "data-act": "fill", form: this.forms.fill }, icon("bot"), gettext("Fill with bots"));
  }

  leave() {
    return el("button", { type: "submit", class: "button quiet", "data-act": "leave", form: this.forms.leave }, gettext("Leave the seat"));
  }
}

// Everything that was settled when the table opened, in words.
function agreed(view) {
  return [
    interpolate(gettext("Target %(target)s"), { target: view.target }, true),
    pace(view),
    view.bank_seconds > 0 && interpolate(gettext("time bank %(seconds)s s a player"), { seconds: view.bank_seconds }, true),
    view.rated ? gettext("rated: four people with accounts") : gettext("not rated"),
    ...options(view.options),
    view.free_chat ? (view.rated || view.title ? gettext("chat between the deals") : gettext("free chat")) : gettext("phrases only"),
    delay(view.watch_delay),
    { clock: gettext("the clock plays for who is away"), bot: gettext("a bot plays for who is away") }[view.absence] ?? gettext("a bot plays for who is away, unless the others decide otherwise"),
  ].filter(Boolean);
}

function pace({ speed, call_seconds: call, turn_seconds: card }) {
  const name = { fast: gettext("Fast"), normal: gettext("Normal"), slow: gettext("Slow") }[speed];
  const seconds = call && call !== card ? interpolate(gettext("%(call)s s a call, %(card)s s a card"), { call, card }, true) : interpolate(gettext("%(seconds)s s a turn"), { seconds: card }, true);
  return name ? `${name}: ${seconds}` : seconds;
}

function options({ round_cap: cap, redouble, double_defenders: both }) {
  return [
    cap === null && gettext("no limit of rounds"),
    cap > 0 && interpolate(ngettext("at most %(count)s round", "at most %(count)s rounds", cap), { count: cap }, true),
    redouble && gettext("redouble allowed"),
    both && gettext("a double counts for both sides"),
  ];
}

function delay(seconds) {
  if (!seconds) return gettext("spectators see it live");
  if (seconds < 0) return gettext("spectators see a deal once it is over");
  return interpolate(ngettext("spectators see it %(count)s second later", "spectators see it %(count)s seconds later", seconds), { count: seconds }, true);
}

function headline(open) {
  return interpolate(ngettext("One seat is open", "%(count)s seats are open", open), { count: open }, true);
}
