// The shuffle can be checked: the secret shown at the end must be what was promised at the beginning.

import { el } from "./dom.js";

export function proofPart(view) {
  const verdict = el("p", { class: "verdict", role: "status" });
  check(view).then((good) => {
    if (good === null) return;
    verdict.classList.add(good ? "good" : "bad");
    verdict.textContent = good ? gettext("Checked: the secret is the one promised before the first deal.") : gettext("The secret is not the one that was promised. Please tell the organisers.");
  });
  return el(
    "details",
    { class: "fold proof" },
    el("summary", {}, gettext("Was the shuffle fair?")),
    el("p", {}, gettext("Before the first deal the server promised a secret by showing its SHA-256. All cards follow from the secret and the salt.")),
    el("dl", {}, fact(gettext("Promise"), view.commitment), fact(gettext("Secret"), view.secret), fact(gettext("Salt"), view.salt)),
    verdict,
  );
}

// Promise and salt while the match is on: the promise before it can be broken.
export function promisePart(view) {
  return [el("dl", { class: "proof" }, fact(gettext("Promise"), view.commitment), view.salt && fact(gettext("Salt"), view.salt))];
}

function fact(name, value) {
  return [el("dt", {}, name), el("dd", {}, el("code", { dir: "ltr" }, value))];
}

// True or false, or null where the browser cannot compute a digest (a page without a secure origin).
async function check({ secret, commitment }) {
  if (!window.crypto?.subtle) return null;
  const bytes = Uint8Array.from(secret.match(/../g), (pair) => parseInt(pair, 16));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === commitment;
}
