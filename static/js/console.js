// The officials' console, kept fresh: what needs a human stands at the top by itself, also what only time brings about.

import { listen } from "./bell.js";
import { Fresh } from "./fresh.js";

// Lateness and silence ring nobody.
const EVERY = 30000;

const live = document.querySelector("#live");
const fresh = new Fresh(live);

function find(event) {
  const typing = event.target.closest("input, textarea, select");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = document.querySelector("[data-find]");
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}

document.addEventListener("keydown", find);
// What could not be shown while somebody typed is shown once they are done.
live.addEventListener("change", () => setTimeout(fresh.refetch, 500));
listen(live.dataset.socket, fresh.refetch, { gather: 150, spread: 350, again: EVERY });
