// The large screen: panes take turns. News are put in behind what is being shown, so that nothing jumps while it is read.

import { listen } from "./bell.js";
import { refresh } from "./times.js";

const screen = document.getElementById("screen");
const dots = document.querySelector("[data-dots]");
const pause = document.querySelector("[data-pause]");
const clock = document.querySelector("[data-clock]");
const PLENTY = 60_000;

let at = 0;
let turning = null;

const panes = () => [...screen.querySelectorAll("[data-pane]")];

function show(place) {
  const all = panes();
  if (!all.length) return;
  at = (place + all.length) % all.length;
  all.forEach((pane, number) => { pane.hidden = number !== at; });
  dots.replaceChildren(...all.map((_pane, number) => dot(number === at)));
  fit(all[at]);
}

function dot(isShown) {
  const made = document.createElement("i");
  if (isShown) made.className = "shown";
  return made;
}

// Larger than the screen: a step smaller, until it fits.
function fit(pane) {
  for (const size of ["", "dense", "denser", "densest"]) {
    pane.dataset.size = size;
    if (pane.scrollHeight <= screen.clientHeight && pane.scrollWidth <= screen.clientWidth) return;
  }
}

function turn(on) {
  clearInterval(turning);
  turning = on ? setInterval(() => show(at + 1), Number(screen.dataset.seconds) * 1000) : null;
  pause.setAttribute("aria-pressed", String(!on));
}

function put(html) {
  const shown = panes()[at]?.dataset.pane;
  screen.innerHTML = html;
  refresh(screen);
  const place = panes().findIndex((pane) => pane.dataset.pane === shown);
  show(place < 0 ? Math.min(at, panes().length - 1) : place);
}

async function refetch() {
  const answer = await fetch(screen.dataset.fragment, { headers: { Accept: "text/html" } });
  if (answer.ok) put(await answer.text());
}

function tell() {
  clock.textContent = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(new Date());
}

pause.addEventListener("click", () => turn(turning === null));
document.querySelector("[data-full]").addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") show(at + ((event.key === "ArrowRight") === (document.dir === "ltr") ? 1 : -1));
});
window.addEventListener("resize", () => show(at));

refresh(screen);
tell();
setInterval(tell, 5000);
// Should the bell fall silent, the hall is never more than a minute behind.
setInterval(refetch, PLENTY);
show(0);
turn(true);
listen(screen.dataset.socket, refetch, { gather: 500, spread: 1500 });
