// Quick match: the page says that it is there, shows who else waits, and goes to the table once there is one.

import { listen } from "./bell.js";
import { Part } from "./part.js";
import { refresh } from "./times.js";

const EVERY = 5000;
const box = document.querySelector("#quick-now");
const part = new Part(box);
const title = document.title;
let state = read();
let since = performance.now() - waited() * 1000;
let bots = performance.now() + botsIn() * 1000;

function read() {
  return box.querySelector("#quick-state").value;
}

function waited() {
  return Number(box.querySelector("[data-waited]")?.dataset.waited ?? 0);
}

function botsIn() {
  return Number(box.querySelector("[data-bots]")?.dataset.bots ?? 0);
}

const seeks = () => state === "asking" || state === "waiting";
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

function tick() {
  const shown = box.querySelector("[data-waited]");
  if (!shown) return;
  const seconds = Math.max(0, (performance.now() - since) / 1000);
  shown.textContent = clock(seconds);
  document.title = `${clock(seconds)} · ${title}`;
  const hint = box.querySelector("[data-bots]");
  const left = Math.ceil((bots - performance.now()) / 1000);
  if (hint && state === "waiting" && left > 0) {
    hint.textContent = interpolate(ngettext("In %(count)s second bots may take the free seats, where all have agreed; that match is not rated.", "In %(count)s seconds bots may take the free seats, where all have agreed; that match is not rated.", left), { count: left }, true);
  } else if (hint && state === "waiting") {
    hint.textContent = gettext("Bots take the free seats at any moment, where all have agreed.");
  }
}

function show(html) {
  const before = state;
  if (part.show(html)) refresh();
  state = read();
  since = performance.now() - waited() * 1000;
  bots = performance.now() + botsIn() * 1000;
  tick();
  if (state === "found" && before !== "found") return go();
  if (state === "none" && before !== "none") location.assign(`${box.dataset.page}?ended=${before}`);
  // Another page of the same player has begun to seek, or stopped.
  else if (before === "none" && state !== "none") location.reload();
}

function go() {
  document.title = `★ ${gettext("Your match begins")}`;
  location.assign(box.querySelector("#quick-state").dataset.table);
}

function token() {
  return document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
}

async function refetch() {
  const answer = seeks()
    ? await fetch(box.dataset.seen, { method: "POST", headers: { "X-CSRFToken": token(), Accept: "text/html" } })
    : await fetch(box.dataset.list, { headers: { Accept: "text/html" } });
  if (answer.ok && !answer.redirected) show(await answer.text());
}

// A page that goes away says so; loaded again at once, it keeps its place.
function leave() {
  if (!seeks()) return;
  const body = new URLSearchParams({ leaving: "1", csrfmiddlewaretoken: token() });
  navigator.sendBeacon(box.dataset.seen, body);
}

if (state === "found") go();
part.show(box.innerHTML);
tick();
setInterval(tick, 1000);
setInterval(() => seeks() && refetch().catch(() => {}), EVERY);
window.addEventListener("pagehide", leave);
window.addEventListener("pageshow", (event) => event.persisted && refetch().catch(() => {}));
document.addEventListener("player-news", () => refetch().catch(() => {}));
listen(box.dataset.socket, refetch, { gather: 200, spread: 300 });
