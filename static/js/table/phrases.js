// The phrases players may say to each other, and who said what.

import { el, icon, isolated, nameOf, refill } from "./dom.js";
import { seatName } from "./terms.js";

const KEPT = 30;
const SHOWN_MS = 3500;

export function phrases() {
  return {
    hello: gettext("Hello!"),
    "good-luck": gettext("Good luck!"),
    "well-played": gettext("Well played!"),
    "nice-trick": gettext("Nicely taken!"),
    thanks: gettext("Thank you!"),
    sorry: gettext("Sorry, partner."),
    "one-moment": gettext("One moment, please."),
    "good-game": gettext("Good game!"),
  };
}

// Remembers what was said, shows it in the talk panel, and says what hangs at which seat just now.
export class Talk {
  constructor(panel, { say, changed }) {
    Object.assign(this, { panel, say, changed, said: [], bubbles: {} });
  }

  hear({ seat, phrase }) {
    const text = phrases()[phrase];
    if (!text) return "";
    this.said = [...this.said, { seat, text }].slice(-KEPT);
    this.bubbles[seat] = text;
    setTimeout(() => {
      if (this.bubbles[seat] === text) delete this.bubbles[seat];
      this.changed();
    }, SHOWN_MS);
    this.changed();
    return text;
  }

  draw(view) {
    const seated = view.you !== null && view.phase !== "over";
    const names = view.seats.map((_, seat) => seatName(view, seat));
    refill(this.panel, { said: this.said, seated, names, watching: view.watching }, () => [
      this.watchers(view),
      el("ol", { class: "said" }, this.said.map(({ seat, text }) => el("li", {}, nameOf(names[seat]), el("span", {}, text)))),
      seated && el("div", { class: "phrase-list" }, Object.entries(phrases()).map(([id, text]) => this.button(id, text))),
      !seated && !this.said.length && el("p", { class: "muted" }, gettext("What the players say appears here.")),
    ]);
    this.panel.querySelector(".said")?.lastElementChild?.scrollIntoView({ block: "nearest" });
  }

  watchers(view) {
    if (!view.watching) return null;
    const text = interpolate(ngettext("%(count)s spectator", "%(count)s spectators", view.watching), { count: view.watching }, true);
    return el("p", { class: "watchers" }, icon("eye"), text);
  }

  button(id, text) {
    return el("button", { type: "button", class: "phrase", "data-phrase": id, onclick: () => this.say(id) }, text);
  }
}

export const saidAloud = (view, seat, text) => `${isolated(seatName(view, seat))}: ${text}`;
