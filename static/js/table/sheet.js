// The score sheet by deal, and the calls of the deal in progress.

import { callsTable } from "./auction.js";
import { suitSign } from "./cards.js";
import { el, nameOf, number, refill, score } from "./dom.js";
import { bidParts, contractSuit, seatName, sideNames, sideOf, sides } from "./terms.js";

export class Sheet {
  constructor({ scores, calls }) {
    Object.assign(this, { scores, callsBox: calls });
  }

  draw(view) {
    const names = view.seats.map((_, seat) => seatName(view, seat));
    refill(this.scores, { changes: view.changes, names, you: view.you, sheet: view.sheet }, () => scoreTable(view));
    refill(this.callsBox, { calls: view.calls, names, phase: view.phase, contract: view.contract }, () =>
      view.calls.length ? [el("h2", {}, gettext("Calls")), callsTable(view)] : [],
    );
  }
}

export function scoreTable(view) {
  const both = sides(view);
  if (!view.changes.length) return el("p", { class: "muted" }, gettext("No deal has been scored yet."));
  return el(
    "table",
    { class: "score-sheet" },
    el("caption", { class: "visually-hidden" }, gettext("Score sheet")),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, el("span", { class: "visually-hidden" }, gettext("Deal")), "#"), el("th", { scope: "col" }, gettext("Contract")), both.map((one) => heading(view, one)))),
    el("tbody", {}, rows(view, both)),
    el("tfoot", {}, el("tr", {}, el("th", { scope: "row", colspan: "2" }, gettext("Total")), both.map((one) => el("td", {}, score(one.score))))),
  );
}

// Who watches reads a name a line: both beside each other have no room here.
function heading(view, { side, label }) {
  const words = view.you === null ? [side, side + 2].map((seat) => seatName(view, seat)) : [label];
  return el("th", { scope: "col", title: sideNames(view, side) }, words.map((word) => el("span", { class: "line" }, el("bdi", {}, word))));
}

function rows(view, both) {
  const totals = [0, 0];
  return view.changes.map((change, index) => {
    totals[0] += change[0];
    totals[1] += change[1];
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, number(index + 1)),
      el("td", { class: "sheet-contract" }, contractCell(view, view.sheet[index])),
      both.map(({ side }) => pointsCell(change[side], totals[side])),
    );
  });
}

function contractCell(view, { contract, tricks }) {
  const { tricks: bid } = bidParts(contract.bid);
  const suit = contractSuit(contract);
  return [
    el("span", { class: "sheet-bid" }, number(bid), suit && suitSign(suit), contract.doubled > 1 && number(`×${contract.doubled}`), " ", el("span", { class: "taken", dir: "ltr" }, `${tricks[sideOf(contract.seat)]}/${bid}`)),
    nameOf(seatName(view, contract.seat)),
  ];
}

function pointsCell(points, total) {
  return el("td", { class: points > 0 ? "gained" : points < 0 ? "lost" : "nothing" }, score(points, { plus: true }), el("span", { class: "running" }, score(total)));
}
