// The settings dialog and the switch for sound: whatever has `data-setting` shows a setting and changes it.

import { drawFaces, face, suitOf } from "./cards.js";
import { useDigits } from "./digits.js";
import { el, number, score } from "./dom.js";

const SAMPLE = ["AS", "KH", "QC", "JD", "TS", "5H"];

// How cards and numbers are drawn from now on.
export function adopt(settings) {
  useDigits(settings.digits);
  drawFaces({ indices: settings.indices, large: settings.largeCards });
}

export class Liking {
  // `root` holds the controls; `preview` is the sample of cards and numbers in the dialog.
  constructor(root, { settings, preview }) {
    Object.assign(this, { root, settings, preview });
    root.addEventListener("click", (event) => this.press(event.target.closest("button[data-setting]")));
    root.addEventListener("change", (event) => this.tick(event.target.closest("input[data-setting]")));
    this.draw();
  }

  press(button) {
    if (!button) return;
    const { setting, value } = button.dataset;
    this.settings.set(setting, value ?? !this.settings[setting]);
  }

  tick(box) {
    if (box) this.settings.set(box.dataset.setting, box.checked);
  }

  draw() {
    for (const control of this.root.querySelectorAll("[data-setting]")) this.mark(control);
    this.preview?.replaceChildren(el("div", { class: "preview-cards", dir: "ltr" }, SAMPLE.map(sampleCard)), el("p", { class: "preview-numbers" }, sampleNumbers()));
  }

  mark(control) {
    const { setting, value } = control.dataset;
    const now = this.settings[setting];
    if (control.tagName === "INPUT") control.checked = now;
    else control.setAttribute("aria-pressed", String(value === undefined ? now : now === value));
  }
}

function sampleCard(card) {
  return el("span", { class: "playing-card", "data-suit": suitOf(card), "aria-hidden": "true" }, face(card));
}

function sampleNumbers() {
  const seconds = interpolate(gettext("%(seconds)s s"), { seconds: 18 }, true);
  return [gettext("Us"), " ", score(12), " · ", gettext("Them"), " ", score(-7), " · ", number("4/9"), " · ", seconds];
}
