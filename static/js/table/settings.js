// What a player likes, kept in this browser; digits and letters on the cards with the account, where one is.

import { accountLooks, keepLooks } from "./looks.js";

const KEY = "tarneeb-table";

export const DEFAULTS = {
  fourColours: false,
  twoTaps: false,
  trumpFirst: false,
  largeCards: false,
  indices: "latin",
  digits: "western",
  text: "normal",
  sound: true,
  beforehand: true,
  lastCard: true,
  spoken: "full",
};

export class Settings {
  constructor(changed) {
    this.changed = changed;
    Object.assign(this, DEFAULTS, stored(), accountLooks());
    this.show();
    // Another tab of the same player's may have changed them.
    window.addEventListener("storage", ({ key }) => key === KEY && this.take(stored()));
  }

  set(name, value) {
    this[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.all));
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    keepLooks(name, value);
    this.show();
    this.changed();
  }

  get all() {
    return Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, this[name]]));
  }

  take(values) {
    Object.assign(this, DEFAULTS, values, accountLooks());
    this.show();
    this.changed();
  }

  show() {
    const { dataset } = document.body;
    dataset.suits = this.fourColours ? "4" : "2";
    dataset.cards = this.largeCards ? "large" : "normal";
    dataset.text = this.text;
  }
}

// What stands in the browser and still has a meaning here.
function stored() {
  try {
    const found = Object.entries(JSON.parse(localStorage.getItem(KEY)) ?? {});
    return Object.fromEntries(found.filter(([name, value]) => typeof value === typeof DEFAULTS[name]));
  } catch {
    return {};
  }
}
