// A part of a page that is asked for anew: shown only where it differs, and the focus stays where it was.

// The forms' token is masked anew in every answer, and seconds pass: neither makes a part another one.
const TOKEN = /name="csrfmiddlewaretoken" value="[^"]*"/g;
const PASSING = /data-(?:waited|bots)="\d+"/g;

const bare = (html) => html.replace(TOKEN, "").replace(PASSING, "").trim();

export class Part {
  constructor(box) {
    this.box = box;
    this.shown = null;
  }

  // Whether anything was changed.
  show(html) {
    const next = bare(html);
    if (next === this.shown) return false;
    const place = this.focused();
    this.shown = next;
    this.box.innerHTML = html;
    this.controls()[place]?.focus({ preventScroll: true });
    return true;
  }

  controls() {
    return [...this.box.querySelectorAll("a, button")];
  }

  focused() {
    return this.controls().indexOf(document.activeElement);
  }
}
