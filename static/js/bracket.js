// The page of a tournament, kept fresh: the server rings, the page asks for what changes on it, and puts in only the
// parts that differ, so that nothing the reader has open, scrolled to or is typing is lost.

import { listen } from "./bell.js";
import { refresh } from "./times.js";

const live = document.querySelector("#live");
const shown = new Map();

function parts(root) {
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

function remember(root) {
  for (const [name, part] of parts(root)) shown.set(name, essence(part));
}

function isInUse(part) {
  const focused = document.activeElement;
  return focused && part.contains(focused) && focused.matches("input, textarea") && focused.value !== "";
}

function openState(part) {
  return [...part.querySelectorAll("details")].map((details) => details.open);
}

function put(old, fresh) {
  const open = openState(old);
  old.replaceWith(fresh);
  fresh.querySelectorAll("details").forEach((details, place) => { details.open = open[place] ?? false; });
  fresh.classList.add("changed");
}

function sameNames(left, right) {
  return left.size === right.size && [...left.keys()].every((name) => right.has(name));
}

function show(html) {
  const answer = new DOMParser().parseFromString(html, "text/html").body;
  const fresh = parts(answer);
  const old = parts(live);
  const news = new Map([...fresh].map(([name, part]) => [name, essence(part)]));
  if (!sameNames(old, fresh)) {
    live.replaceChildren(...answer.childNodes);
  } else {
    for (const [name, part] of fresh) {
      if (news.get(name) !== shown.get(name) && !isInUse(old.get(name))) put(old.get(name), part);
    }
  }
  prepare();
  for (const [name, text] of news) shown.set(name, text);
}

async function refetch() {
  const answer = await fetch(live.dataset.fragment, { headers: { Accept: "text/html" } });
  if (answer.ok) show(await answer.text());
}

// Rounds: a chip brings its round into view; where they do not all fit, the one being looked at is marked.

function jump(event) {
  const chip = event.target.closest("[data-round]");
  const round = chip && document.getElementById(`round-${chip.dataset.round}`);
  if (!round) return;
  event.preventDefault();
  round.scrollIntoView({ behavior: "smooth", inline: "start", block: "nearest" });
}

function markRounds() {
  for (const bracket of live.querySelectorAll("[data-scroll]")) markRound(bracket);
}

function markRound(bracket) {
  if (bracket.scrollWidth <= bracket.clientWidth) return;
  const away = (round) => Math.abs(pastEdge(bracket, round));
  const [seen] = [...bracket.querySelectorAll(".round")].sort((one, other) => away(one) - away(other));
  for (const chip of bracket.closest(".tree").querySelectorAll("[data-round]")) {
    if (seen.id === `round-${chip.dataset.round}`) chip.setAttribute("aria-current", "step");
    else chip.removeAttribute("aria-current");
  }
}

// How far a round begins after the edge where reading begins; pixels, to the left in Arabic.
function pastEdge(bracket, round) {
  const [frame, box] = [bracket.getBoundingClientRect(), round.getBoundingClientRect()];
  return document.dir === "rtl" ? frame.right - box.right : box.left - frame.left;
}

function closeOthers(event) {
  for (const details of live.querySelectorAll("details.why[open]")) {
    if (!details.contains(event.target)) details.open = false;
  }
}

// Opened with the whole bracket before one: the reader's own match, or the round being played, comes into view.
function comeIntoView(bracket) {
  if (bracket.scrollWidth <= bracket.clientWidth) return;
  const own = [...bracket.querySelectorAll(".match.followed")].at(-1) ?? [...bracket.querySelectorAll(".match.mine")].at(-1);
  const current = bracket.closest(".tree").querySelector(".rounds [aria-current]");
  const round = own?.closest(".round") ?? (current && document.getElementById(`round-${current.dataset.round}`));
  if (!round) return;
  bracket.scrollLeft += pastEdge(bracket, round) * (document.dir === "rtl" ? -1 : 1);
}

// On paper: A4 or A3, as the button says.
function print(paper) {
  document.body.classList.toggle("paper-a3", paper === "a3");
  window.print();
}

function prepare() {
  markRounds();
  for (const button of document.querySelectorAll("[data-print]")) button.hidden = false;
  refresh(live);
}

live.addEventListener("click", (event) => {
  jump(event);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-print]");
  if (button) print(button.dataset.print);
});
live.addEventListener("scroll", markRounds, { capture: true, passive: true });
document.addEventListener("click", closeOthers);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") for (const details of live.querySelectorAll("details.why[open]")) details.open = false;
});

remember(live);
prepare();
for (const bracket of live.querySelectorAll("[data-scroll]")) comeIntoView(bracket);
listen(live.dataset.socket, refetch, { gather: 150, spread: 350 });
