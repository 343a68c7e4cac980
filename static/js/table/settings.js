// What a player likes, kept in this browser.

const KEY = "tarneeb-table";

export class Settings {
  constructor(changed) {
    this.changed = changed;
    Object.assign(this, { fourColours: false, twoTaps: false }, stored());
    this.show();
  }

  set(name, value) {
    this[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify({ fourColours: this.fourColours, twoTaps: this.twoTaps }));
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    this.show();
    this.changed();
  }

  show() {
    document.body.dataset.suits = this.fourColours ? "4" : "2";
  }
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}
