// How a deal ended, until the next one comes; how the match ended.

import { suitSign } from "./cards.js";
import { el, nameOf, number, refill, score, sentence } from "./dom.js";
import { callAddress, rollCall } from "./organised.js";
import { proofPart } from "./proof.js";
import { scoreTable } from "./sheet.js";
import { bidParts, contractSuit, reason, resultReason, resultSaid, seatName, sideLabel, sideNames, sideOf, sides } from "./terms.js";

export class Ending {
  // `rematch` offers the next match.
  constructor(box, { urls, rematch }) {
    Object.assign(this, { box, urls, rematch });
  }

  // `ended`: what the page knows of the deal just finished; `settled`: its last trick has been seen.
  draw(view, ended, settled) {
    this.rematch.follow(view);
    const shown = (view.phase === "deal" && settled) || (view.phase === "over" && settled);
    this.box.hidden = !shown;
    this.box.classList.toggle("match-over", view.phase === "over");
    if (!shown) return;
    const { phase, score: points, changes, deal, result, you, secret, votes, next, arrived } = view;
    const names = view.seats.map((_, seat) => seatName(view, seat));
    refill(this.box, { phase, points, changes, deal, result, you, secret, ended, names, wishes: votes?.rematch, next, arrived }, () => (phase === "deal" ? dealEnd(view, ended) : this.matchEnd(view, ended)));
  }

  matchEnd(view, ended) {
    const won = view.result && view.you !== null && view.result.winner === sideOf(view.you);
    return [
      el("h2", { class: `result-title${won ? " won" : ""}` }, resultSaid(view)),
      (view.result || wasStopped(view)) && finalScore(view),
      el("p", { class: "reasons" }, resultReason(view), " ", ended?.contract && reason(ended)),
      this.rematch.draw(view),
      this.nextSteps(view),
      view.changes.length > 0 && el("details", { class: "fold sheet-fold" }, el("summary", {}, gettext("Score sheet")), scoreTable(view)),
      view.secret && view.deal !== null && proofPart(view),
    ];
  }

  nextSteps(view) {
    const { match, record, create, lobby, back, keep, call } = this.urls;
    const played = view.result !== null || wasStopped(view);
    return el(
      "p",
      { class: "next-steps" },
      back && el("a", { class: "button primary", href: back }, gettext("Back to the tournament")),
      !back && el("a", { class: `button${this.rematch.isOffered(view) || view.next ? "" : " primary"}`, href: create }, gettext("New table")),
      played && keep && el("a", { class: "button primary", href: keep }, gettext("Make an account and keep your matches")),
      played && el("a", { class: "button", href: match }, gettext("Replay")),
      played && el("a", { class: "button quiet", href: record, download: "" }, gettext("Download the record")),
      call && view.you !== null && el("a", { class: "button quiet", href: callAddress(this.urls, view) }, gettext("Object or call the referee")),
      !back && el("a", { class: "button quiet", href: lobby }, gettext("All tables")),
    );
  }
}

// Cards were dealt, but those who organise the match ended it before the rules did.
function wasStopped(view) {
  return view.result === null && Boolean(view.title) && view.deal !== null;
}

function finalScore(view) {
  return el(
    "dl",
    { class: "final-score" },
    sides(view).map(({ side, label, score: points }) =>
      el("div", { class: view.result?.winner === side ? "winner" : null }, el("dt", {}, el("bdi", { title: sideNames(view, side) }, label)), el("dd", {}, score(points))),
    ),
  );
}

function dealEnd(view, ended) {
  if (view.deal === null && view.arrived) return rollCall(view);
  if (view.deal === null) return el("p", { class: "asking-title" }, gettext("The cards are about to be dealt."));
  return [
    el("h2", { class: "asking-title" }, title(view, ended)),
    ended?.contract && facts(view, ended),
    ended && el("p", { class: "why" }, reason(ended)),
    view.changes.length > 0 && totals(view, ended),
  ];
}

function title(view, ended) {
  if (!ended) return interpolate(gettext("Deal %(number)s is over"), { number: view.deal + 1 }, true);
  if (!ended.contract) return gettext("Nobody bid");
  const side = sideOf(ended.contract.seat);
  const made = ended.change && ended.change[side] > 0;
  return made ? gettext("Contract made") : gettext("Contract failed");
}

function facts(view, { contract, tricks }) {
  const { tricks: bid } = bidParts(contract.bid);
  const suit = contractSuit(contract);
  const doubled = contract.doubled > 1 && number(`×${contract.doubled}`);
  return el("p", { class: "deal-facts" }, sentence(gettext("%(name)s bid %(bid)s and took %(taken)s"), {
    name: nameOf(seatName(view, contract.seat)),
    bid: el("strong", { class: "deal-bid" }, number(bid), suit && suitSign(suit), doubled),
    taken: el("strong", {}, number(tricks[sideOf(contract.seat)])),
  }));
}

function totals(view, ended) {
  const change = ended?.change ?? (ended ? null : view.changes[view.changes.length - 1]);
  return el(
    "table",
    { class: "deal-totals" },
    el("caption", { class: "visually-hidden" }, gettext("Points of this deal and new totals")),
    el("tbody", {}, sides(view).map(({ side, score: points }) =>
      el("tr", {}, el("th", { scope: "row" }, el("bdi", { title: sideNames(view, side) }, sideLabel(view, side))), el("td", { class: "deal-change" }, change && score(change[side], { plus: true })), el("td", { class: "deal-total" }, score(points))),
    )),
  );
}
