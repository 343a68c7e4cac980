// Before the match: who is missing, an invitation to share, bots for the host, a grain of salt for the careful.

import { el, refill } from "./dom.js";

export class Waiting {
  // `forms`: the ids of the page's forms to sit, leave and fill.
  constructor(box, { urls, forms }) {
    Object.assign(this, { box, urls, forms });
  }

  draw(view) {
    this.box.hidden = view.phase !== "waiting";
    if (this.box.hidden) return;
    const open = view.seats.filter(({ kind }) => kind === "open").length;
    refill(this.box, { open, you: view.you }, () => [
      el("h2", { class: "asking-title" }, headline(open)),
      el("p", { class: "muted" }, this.advice(view)),
      el("p", { class: "muted" }, terms(view)),
      el("div", { class: "waiting-acts" }, this.invitation(), this.forms.host && this.fill(), view.you !== null && this.leave()),
    ]);
  }

  advice(view) {
    if (!this.forms.user) return gettext("Log in to sit down, or stay and watch.");
    if (view.you === null) return gettext("Choose a seat: who sits opposite is your partner.");
    return gettext("The match starts by itself when four are seated.");
  }

  invitation() {
    return el("button", { type: "button", class: "button primary", onclick: (event) => this.share(event.currentTarget) }, gettext("Invite friends"));
  }

  async share(button) {
    const url = this.urls.invitation;
    if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => {});
    try {
      await navigator.clipboard.writeText(url);
      button.textContent = gettext("Link copied");
    } catch {
      button.replaceWith(el("input", { class: "link", readonly: true, value: url, dir: "ltr", "aria-label": gettext("Link of this table") }));
    }
  }

  fill() {
    return el("button", { type: "submit", class: "button", form: this.forms.fill }, gettext("Fill with bots"));
  }

  leave() {
    return el("button", { type: "submit", class: "button quiet", form: this.forms.leave }, gettext("Leave the seat"));
  }
}

function terms({ target, turn_seconds: seconds }) {
  return interpolate(gettext("Target %(target)s · %(seconds)s s a turn"), { target, seconds }, true);
}

function headline(open) {
  return interpolate(ngettext("One seat is open", "%(count)s seats are open", open), { count: open }, true);
}
