// What concerns a player wherever they are on the site: who invites them, who wants to play, who cannot come.

import { listen } from "./bell.js";

const box = document.querySelector("#news");
const table = document.querySelector("#table");
const CLOSED = "news-closed";
// What can be answered later as well does not stay in the way; the badge does.
const IN_SIGHT = 15000;
const CALLED_FOR = 20000;
const PLAYING = ["deal", "auction", "trump", "play"];

function closed() {
  return JSON.parse(sessionStorage.getItem(CLOSED) ?? "[]");
}

function close(item) {
  sessionStorage.setItem(CLOSED, JSON.stringify([...closed(), item.dataset.news].slice(-50)));
  item.remove();
  settle();
}

// Nobody is disturbed over their cards: what comes then is shown after the match, but a tournament does not wait.
function isBusy() {
  return table !== null && PLAYING.includes(table.dataset.phase) && !table.classList.contains("watching");
}

function settle() {
  box.hidden = !box.querySelector(isBusy() ? ".news-item.urgent" : ".news-item");
}

function count() {
  const number = Number(box.querySelector("#news-count")?.value ?? 0);
  for (const badge of document.querySelectorAll("[data-news-count]")) {
    badge.hidden = number === 0;
    badge.textContent = number;
    const words = interpolate(ngettext("%(count)s thing waits for you", "%(count)s things wait for you", number), { count: number }, true);
    badge.setAttribute("aria-label", words);
  }
}

// What stands on the page itself is not said a second time beside it.
function isOnPage(key) {
  const [kind, number] = key.split("-");
  if (kind === "table") return table?.dataset.code === number || document.querySelector(`main :is(.call, .next-step a)[href*="/${number}/"]`);
  return kind === "ask" ? document.querySelector(`[data-ask="${number}"]`) : kind === "invitation" && document.querySelector(`main [data-invitation="${number}"]`);
}

function closeButton() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "news-close";
  button.setAttribute("aria-label", gettext("Close"));
  button.textContent = "×";
  return button;
}

function show(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const gone = closed();
  for (const item of fresh.content.querySelectorAll(".news-item")) {
    if (gone.includes(item.dataset.news) || isOnPage(item.dataset.news)) item.remove();
    else item.append(closeButton());
  }
  const keys = (root) => [...root.querySelectorAll(".news-item")].map((item) => item.dataset.news).join();
  const focus = box.contains(document.activeElement);
  if (keys(fresh.content) !== keys(box)) {
    clearInterval(passing);
    passing = setInterval(passOn, IN_SIGHT);
  }
  if (keys(fresh.content) !== keys(box) || !focus) box.replaceChildren(fresh.content);
  count();
  settle();
  // A match that ends rings nobody: what calls to it is asked for again.
  clearTimeout(calling);
  if (box.querySelector(".urgent")) calling = setTimeout(() => refetch().catch(() => {}), CALLED_FOR);
}

let isFirst = true;
let passing = null;
let calling = null;

async function refetch() {
  // The page itself was made a moment ago; later it may have to ask anew as well.
  if (!isFirst) document.dispatchEvent(new CustomEvent("player-news"));
  isFirst = false;
  const answer = await fetch(box.dataset.list, { headers: { Accept: "text/html" } });
  if (answer.ok && !answer.redirected) show(await answer.text());
}

function passOn() {
  const item = box.querySelector('.news-item:not(.urgent, [data-news^="ask"])');
  if (item && !box.hidden && !document.hidden && !box.matches(":hover, :focus-within")) close(item);
}

async function sendQuietly(form, button) {
  const body = new URLSearchParams(new FormData(form));
  if (button.name) body.append(button.name, button.value);
  await fetch(form.action, { method: "POST", headers: { Accept: "application/json" }, body });
  close(form.closest(".news-item"));
  await refetch();
}

box.addEventListener("click", (event) => {
  if (event.target.closest(".news-close")) close(event.target.closest(".news-item"));
});
box.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button?.hasAttribute("data-quietly")) return;
  event.preventDefault();
  event.stopPropagation();
  sendQuietly(event.target, button).catch(() => {});
});
// Parts of a page come anew, and may then say it themselves.
function dropSaid() {
  for (const item of box.querySelectorAll(".news-item")) if (isOnPage(item.dataset.news)) item.remove();
  settle();
}

if (!table) new MutationObserver(dropSaid).observe(document.querySelector("main"), { childList: true, subtree: true });
if (table) new MutationObserver(settle).observe(table, { attributes: true, attributeFilter: ["data-phase", "class"] });
listen(box.dataset.socket, refetch, { gather: 50, spread: 200 });
