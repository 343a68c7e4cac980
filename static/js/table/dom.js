// Elements, pictures and sentences, made without markup strings so that no name is ever read as HTML.

import { inDigits } from "./digits.js";

const SVG = "http://www.w3.org/2000/svg";
// What people and machines have written keeps its digits.
const VERBATIM = new Set(["BDI", "CODE", "KBD"]);

export function el(tag, attributes = {}, ...children) {
  return finish(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return finish(document.createElementNS(SVG, tag), attributes, children);
}

function finish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) set(node, name, value);
  const kept = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  node.append(...(VERBATIM.has(node.tagName) ? kept : kept.map((child) => (child instanceof Node ? child : inDigits(String(child))))));
  return node;
}

function set(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (name.startsWith("--")) node.style.setProperty(name, value);
  else node.setAttribute(name, value === true ? "" : value);
}

// A sentence with its gaps filled: text where text will do, elements (a name in <bdi>) where it will not.
export function sentence(template, parts = {}) {
  return template.split(/(%\(\w+\)s)/).filter(Boolean).map((piece) => {
    const gap = /^%\((\w+)\)s$/.exec(piece);
    return gap ? asNode(parts[gap[1]]) : piece;
  });
}

function asNode(part) {
  return part instanceof Node || Array.isArray(part) ? part : String(part);
}

export const nameOf = (text) => el("bdi", { class: "name", title: text }, text);

// For spoken text, where there are no elements: the invisible isolates do the same.
export const isolated = (text) => `\u2068${text}\u2069`;

export const number = (value) => el("span", { class: "score", dir: "ltr" }, String(value));

export function signed(value, { plus = false } = {}) {
  return value < 0 ? `\u2212${-value}` : plus && value > 0 ? `+${value}` : String(value);
}

export const score = (value, options) => el("span", { class: "score", dir: "ltr" }, signed(value, options));

export const ICONS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  phrase: "M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 19 16h-7l-4.5 4v-4H5a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 5 5z",
  last: "M8 5.5l8.6-1.4a1.3 1.3 0 0 1 1.5 1.1l1.7 10.6M4.6 8.4a1.3 1.3 0 0 1 1.3-1.3h8a1.3 1.3 0 0 1 1.3 1.3v10.4a1.3 1.3 0 0 1-1.3 1.3h-8a1.3 1.3 0 0 1-1.3-1.3z",
  sheet: "M6 3.5h12v17H6zM9 8h6M9 12h6M9 16h4",
  bot: "M7 9h10a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2zM12 9V5.5M9.5 13v1M14.5 13v1",
  seat: "M12 5v14M5 12h14",
  cards: "M8.5 6.5h9a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 7 18V8a1.5 1.5 0 0 1 1.5-1.5zM5 15.5V6a1.5 1.5 0 0 1 1.5-1.5H14",
  bank: "M7 3.5h10M7 20.5h10M8 3.5v3.2c0 2 4 3.6 4 5.3s-4 3.3-4 5.3v3.2M16 3.5v3.2c0 2-4 3.6-4 5.3s4 3.3 4 5.3v3.2",
  sound: "M4 9.5v5h3.5l5 4v-13l-5 4zM16 9c1.8 1.8 1.8 4.2 0 6M18.6 6.4c3.2 3.2 3.2 8 0 11.2",
  hush: "M4 9.5v5h3.5l5 4v-13l-5 4zM16.5 9.5l5 5M21.5 9.5l-5 5",
  eye: "M3 12c2.4-4 5.4-6 9-6s6.6 2 9 6c-2.4 4-5.4 6-9 6s-6.6-2-9-6zM12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5",
};

export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, svg("path", { d: ICONS[name] }));
}

// After a change that no view tells of: everything is made anew at the next draw.
export function forgetDrawn(root) {
  for (const node of root.querySelectorAll("[data-key]")) delete node.dataset.key;
}

// Puts new children in place of the old, unless what they are made from has not changed.
export function refill(node, key, make) {
  const text = JSON.stringify(key);
  if (node.dataset.key === text) return false;
  const focused = node.contains(document.activeElement) ? document.activeElement.dataset.act : undefined;
  node.replaceChildren(...[make()].flat(Infinity).filter(Boolean).map((child) => (child instanceof Node ? child : inDigits(String(child)))));
  node.dataset.key = text;
  if (focused) node.querySelector(`[data-act="${focused}"]`)?.focus({ preventScroll: true });
  return true;
}
