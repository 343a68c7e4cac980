// A page kept fresh in parts: what the server answers is put in only where it differs, so that nothing the reader has
// open, scrolled to, focused or is typing is lost.

import { refresh } from "./times.js";

function partsOf(root) {
  return new Map([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
}

// The forms' token is masked anew in every answer, times are rewritten and sheets opened by the page: no changes.
function essence(part) {
  const copy = part.cloneNode(true);
  for (const token of copy.querySelectorAll("[name=csrfmiddlewaretoken]")) token.remove();
  for (const details of copy.querySelectorAll("details")) details.open = false;
  for (const button of copy.querySelectorAll("[data-print]")) button.hidden = true;
  for (const time of copy.querySelectorAll("time")) time.replaceWith(time.dateTime);
  copy.classList.remove("changed");
  return copy.outerHTML.replace(/ class=""/g, "");
}

function isTyped(field) {
  if (field.matches("select")) return [...field.options].some((option) => option.selected !== option.defaultSelected && option.selected);
  if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

// Somebody is filling it in, or it shows what was refused.
function isInUse(part) {
  if (part.hasAttribute("data-keep")) return true;
  return [...part.querySelectorAll("input:not([type=hidden]), textarea, select")].some(
    (field) => isTyped(field) || (field === document.activeElement && field.value !== ""),
  );
}

// Things of a part by the nearest name above them and their place under it: the same in another answer.
function named(part, selector) {
  const counts = new Map();
  return new Map(
    [...part.querySelectorAll(selector)].map((element) => {
      const above = element.closest("[id]")?.id ?? "";
      const place = counts.get(above) ?? 0;
      counts.set(above, place + 1);
      return [`${above}:${place}`, element];
    }),
  );
}

function put(old, fresh) {
  const open = named(old, "details");
  const controls = named(old, "a, button, summary, input, select, textarea");
  const [focused] = [...controls].find(([, control]) => control === document.activeElement) ?? [];
  old.replaceWith(fresh);
  for (const [name, details] of named(fresh, "details")) {
    if (open.has(name)) details.open = open.get(name).open;
  }
  fresh.classList.add("changed");
  if (focused) named(fresh, "a, button, summary, input, select, textarea").get(focused)?.focus({ preventScroll: true });
}

function sameNames(left, right) {
  return left.size === right.size && [...left.keys()].every((name) => right.has(name));
}

// Keeps what is below `root` fresh. `prepare` is called after each change.
export class Fresh {
  constructor(root, prepare = () => {}) {
    this.root = root;
    this.prepare = prepare;
    this.shown = new Map([...partsOf(root)].map(([name, part]) => [name, essence(part)]));
  }

  refetch = async () => {
    const answer = await fetch(this.root.dataset.fragment, { headers: { Accept: "text/html" } });
    if (answer.ok) this.show(await answer.text());
  };

  show(html) {
    const answer = new DOMParser().parseFromString(html, "text/html").body;
    const fresh = partsOf(answer);
    const old = partsOf(this.root);
    const news = new Map([...fresh].map(([name, part]) => [name, essence(part)]));
    if (!sameNames(old, fresh)) {
      this.root.replaceChildren(...answer.childNodes);
      this.shown = news;
    } else {
      for (const [name, part] of fresh) this.showPart(name, old.get(name), part, news.get(name));
    }
    refresh(this.root);
    this.prepare();
  }

  showPart(name, old, part, text) {
    // One in use is looked at again with the next answer.
    if (text === this.shown.get(name) || isInUse(old)) return;
    put(old, part);
    this.shown.set(name, text);
  }
}
