// The course of a deal beside the table: the auction and the tricks, every cell a way to its step.

import { el, nameOf } from "../table/dom.js";
import { auctionRows, trickRows } from "./position.js";
import { actionText, byMark, contractText } from "./words.js";

export class Course {
  constructor(root, { names, bottom, go }) {
    Object.assign(this, { root, names, bottom });
    root.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-step], [data-begin]");
      if (cell) go(Number(cell.dataset.step ?? cell.dataset.begin));
    });
  }

  deal(deal) {
    this.root.replaceChildren(this.auction(deal), ...(deal.contract ? [this.tricks(deal)] : []));
    this.cells = [...this.root.querySelectorAll("[data-step]")];
  }

  show(count) {
    for (const cell of this.cells) {
      const step = Number(cell.dataset.step);
      cell.classList.toggle("ahead", step > count);
      if (step === count) cell.setAttribute("aria-current", "step");
      else cell.removeAttribute("aria-current");
    }
  }

  auction(deal) {
    const { order, rows } = auctionRows(deal);
    const naming = deal.steps.findIndex((step) => step.code.startsWith("t"));
    const named = naming < 0 ? null : el("p", { class: "named" }, gettext("Trump:"), " ", this.cell({ ...deal.steps[naming], index: naming }));
    return section(gettext("Auction"), this.grid(order, rows.map((row) => el("tr", {}, row.map((call) => el("td", {}, call && this.cell(call)))))), named);
  }

  tricks(deal) {
    const order = [0, 1, 2, 3].map((place) => (this.bottom + place) % 4);
    const rows = trickRows(deal).map((row, index) => this.trickRow(row, index + 1, order));
    return section(gettext("Tricks"), this.grid(order, rows, true), el("p", { class: "meta" }, gettext("Contract:"), " ", contractText(deal.contract), " · ", nameOf(this.names[deal.contract.seat])));
  }

  trickRow(row, number, order) {
    const cells = order.map((seat) => {
      const name = [seat === row.winner ? "won" : "", seat === row.leader ? "led" : ""].join(" ").trim();
      return el("td", { class: name || null }, row.cards[seat] && this.cell(row.cards[seat]));
    });
    return el("tr", {}, el("th", { scope: "row" }, this.begin(row, number)), cells);
  }

  // The number of a trick leads to where it begins.
  begin(row, number) {
    const first = Math.min(...row.cards.filter(Boolean).map((card) => card.index));
    const label = interpolate(gettext("Trick %(number)s"), { number }, true);
    return el("button", { type: "button", "data-begin": first, "aria-label": label }, String(number));
  }

  grid(order, rows, numbered = false) {
    const heads = order.map((seat) => el("th", { scope: "col" }, nameOf(this.names[seat])));
    const corner = numbered ? el("td", {}) : null;
    return el("table", { class: "course" }, el("thead", {}, el("tr", {}, corner, heads)), el("tbody", {}, rows));
  }

  cell(step) {
    const mark = byMark(step.by);
    return el("button", { type: "button", "data-step": step.index + 1 }, actionText(step), mark && el("span", { class: "by" }, mark));
  }
}

function section(heading, ...children) {
  return el("section", {}, el("h2", {}, heading), ...children);
}
