// Who did what is on the table: the owner of the seat, the clock for him, or a bot in his place.

import { cardName } from "./cards.js";
import { el, icon } from "./dom.js";

// A letter for each call and each card that lies there, in their order: m owner, c clock, s bot sitting in, b bot.
export function actors(view) {
  const by = (view.by ?? "") + (view.doing ? "m" : "");
  const lying = view.trick.length;
  const cards = view.last_trick || lying ? by.slice(view.calls.length) : "";
  return {
    calls: by.slice(0, view.calls.length),
    trick: lying ? cards.slice(-lying) : "",
    last: view.last_trick ? cards.slice(cards.length - lying - 4, cards.length - lying) : "",
  };
}

export function actorSaid(letter) {
  return { c: gettext("by the clock"), s: gettext("by a bot for the player") }[letter] ?? "";
}

// A small sign beside a call; nothing where the player, or a bot whose seat it is, acted itself.
export function actorMark(letter) {
  const words = actorSaid(letter);
  if (!words) return null;
  return el("span", { class: "by-mark", title: words }, icon(letter === "c" ? "bank" : "bot"), el("span", { class: "visually-hidden" }, words));
}

// The same on a card that lies on the table.
export function markCard(node, letter) {
  const words = actorSaid(letter);
  if (!words || node.querySelector(".by-mark")) return;
  node.append(actorMark(letter));
  node.setAttribute("aria-label", `${cardName(node.dataset.card)}, ${words}`);
  node.setAttribute("title", words);
}
