// The list of tables, kept fresh: the server rings, the page asks for the list anew.

import { listen } from "./bell.js";
import { refresh } from "./times.js";

const list = document.querySelector("#lobby-tables");
const play = document.querySelector("[data-play]");
let shown = null;

function leadPlay() {
  const target = list.querySelector("#play-url");
  if (target) play.href = target.value;
}

function focusedKey() {
  const row = document.activeElement?.closest?.("#lobby-tables [data-table]");
  if (!row) return null;
  const controls = [...row.querySelectorAll("a, button")];
  return { table: row.dataset.table, place: controls.indexOf(document.activeElement) };
}

function focusAgain(key) {
  if (!key) return;
  const row = list.querySelector(`[data-table="${CSS.escape(key.table)}"]`);
  row?.querySelectorAll("a, button")[key.place]?.focus({ preventScroll: true });
}

function show(html) {
  if (html === shown) return;
  shown = html;
  const key = focusedKey();
  list.innerHTML = html;
  refresh();
  leadPlay();
  focusAgain(key);
}

async function refetch() {
  const answer = await fetch(list.dataset.list, { headers: { Accept: "text/html" } });
  if (answer.ok) show(withoutToken(await answer.text()));
}

// The forms' token is masked anew in every answer: put the page's own in its place, so that equal lists are equal.
const TOKEN = /(name="csrfmiddlewaretoken" value=")[^"]*/g;
const own = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";

function withoutToken(html) {
  return own ? html.replace(TOKEN, `$1${own}`) : html;
}

function offerFilters() {
  const form = document.querySelector("[data-filters]");
  form.querySelector("button").hidden = true;
  form.addEventListener("change", () => form.requestSubmit());
}

leadPlay();
offerFilters();
document.addEventListener("player-news", () => refetch().catch(() => {}));
listen(list.dataset.socket, refetch, { gather: 300, spread: 400 });
