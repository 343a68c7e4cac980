// Asking somebody to the table by name, with suggestions while one types.

import { el } from "./dom.js";

const WAIT_MS = 250;

export class InviteByName {
  // `tell(text, tone)` shows what came of it.
  constructor({ urls, tell }) {
    Object.assign(this, { urls, tell });
    this.names = el("datalist", { id: "invite-names" });
    this.input = el("input", { type: "text", name: "name", list: "invite-names", autocomplete: "off", spellcheck: "false", dir: "auto", required: true, "data-act": "invite-name" });
    this.input.addEventListener("input", () => this.later());
    this.part = el(
      "form",
      { class: "invite-form", onsubmit: (event) => this.send(event) },
      el("label", { class: "own-words" }, el("span", {}, gettext("A player's name")), this.input),
      this.names,
      el("button", { type: "submit", class: "button", "data-act": "invite" }, gettext("Invite")),
    );
  }

  later() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.suggest(), WAIT_MS);
  }

  async suggest() {
    const text = this.input.value.trim();
    if (!this.urls.suggest || text.length < 2) return;
    try {
      const response = await fetch(`${this.urls.suggest}?q=${encodeURIComponent(text)}`, { headers: { Accept: "application/json" } });
      const { names = [] } = await response.json();
      this.names.replaceChildren(...names.map((value) => el("option", { value })));
    } catch {
      // Without suggestions a name is typed whole.
    }
  }

  async send(event) {
    event.preventDefault();
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    const body = new URLSearchParams({ name: this.input.value });
    try {
      const response = await fetch(this.urls.invite, { method: "POST", headers: { "X-CSRFToken": token, Accept: "application/json" }, body });
      const { message } = await response.json();
      if (response.ok) this.input.value = "";
      this.tell(message, response.ok ? "" : "bad");
    } catch {
      this.tell(gettext("This did not arrive. Nothing has changed; try again in a moment."), "bad");
    }
  }
}
