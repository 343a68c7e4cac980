// The page of a tournament, kept fresh: the server rings, the page asks for what changes on it, and puts in only the
// parts that differ, so that nothing the reader has open, scrolled to or is typing is lost.

import { listen } from "./bell.js";
import { Fresh } from "./fresh.js";
import { refresh } from "./times.js";

const live = document.querySelector("#live");

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

const fresh = new Fresh(live, prepare);
refresh(live);
prepare();
for (const bracket of live.querySelectorAll("[data-scroll]")) comeIntoView(bracket);
listen(live.dataset.socket, fresh.refetch, { gather: 150, spread: 350 });
