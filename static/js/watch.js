// The list of live tables, kept fresh: after each ring, and now and then, for scores ring nobody.

import { listen } from "./bell.js";

const AGAIN_MS = 15000;

const list = document.querySelector("#watch-list");
let shown = null;

function focusedLink() {
  const row = document.activeElement?.closest?.("#watch-list [data-table]");
  if (!row) return null;
  return { table: row.dataset.table, place: [...row.querySelectorAll("a")].indexOf(document.activeElement) };
}

function focusAgain(link) {
  const row = link && list.querySelector(`[data-table="${CSS.escape(link.table)}"]`);
  row?.querySelectorAll("a")[link.place]?.focus({ preventScroll: true });
}

async function refetch() {
  const answer = await fetch(list.dataset.list, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const html = await answer.text();
  if (html === shown) return;
  shown = html;
  const link = focusedLink();
  list.innerHTML = html;
  focusAgain(link);
}

// However often it rings, every reader asks at most once in two seconds.
listen(list.dataset.socket, refetch, { gather: 2000, spread: 1500, again: AGAIN_MS });
