// The line above the table: how both sides stand, the contract, and the tricks taken against it.

import { suitSign } from "./cards.js";
import { el, number, refill, score } from "./dom.js";
import { isPlaying, needText, standing, strip, takenText } from "./meter.js";
import { bidParts, contractSuit, seatName, sideNames, sides, trumpWord } from "./terms.js";

export class Bar {
  constructor(box, { title, openSheet }) {
    Object.assign(this, { box, title });
    box.addEventListener("click", openSheet);
  }

  draw(view) {
    const { contract, tricks, phase } = view;
    const facts = { both: sides(view), contract, tricks, phase, target: view.target, ruleset: view.ruleset, you: view.you };
    refill(this.box, facts, () => [
      el("span", { class: "bar-line" }, view.phase === "waiting" ? el("bdi", { class: "bar-title" }, this.title) : this.scores(view), this.contract(view)),
      isPlaying(view) && strip(view),
    ]);
  }

  scores(view) {
    const parts = sides(view).map(({ side, label, score: points }) =>
      el("span", { class: "bar-side" }, el("bdi", { class: "bar-label", title: sideNames(view, side) }, label), score(points)),
    );
    return el("span", { class: "bar-scores" }, parts);
  }

  contract(view) {
    if (view.phase === "waiting" || view.phase === "over") return el("span", { class: "bar-target" }, gettext("Target"), " ", number(view.target));
    if (!view.contract) return el("span", { class: "bar-target" }, view.phase === "auction" ? gettext("Auction") : "");
    const { contract } = view;
    const suit = contractSuit(contract);
    const { tricks: bid } = bidParts(contract.bid);
    return el(
      "span",
      { class: "bar-contract", title: seatName(view, contract.seat) },
      el("span", { class: "bar-label bar-what" }, view.phase === "play" ? gettext("Contract") : gettext("Standing bid")),
      el("span", { class: "bar-bid" }, number(bid), contract.doubled > 1 && el("span", { class: "doubled", dir: "ltr" }, `×${contract.doubled}`)),
      suit && el("span", { class: "bar-trump" }, el("span", { class: "bar-label trump-word" }, trumpWord(view)), suitSign(suit)),
      view.phase === "play" && taken(view),
    );
  }
}

// Tricks of the contract's side against the contract, as a fraction that reads left to right; in words where there is room.
function taken(view) {
  const facts = standing(view);
  return [
    el("span", { class: `taken ${facts.state}`, dir: "ltr", role: "img", "aria-label": `${takenText(facts)}; ${needText(facts)}` }, `${facts.taken}/${facts.bid}`),
    el("span", { class: `bar-need ${facts.state}` }, needText(facts)),
  ];
}
