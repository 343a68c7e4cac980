// When somebody is away: who plays the seat, what the others want done, and the way back for its owner.

import { el, isolated, number, refill } from "./dom.js";
import { seatName } from "./terms.js";

const IN_PLAY = new Set(["deal", "auction", "trump", "play"]);

const choices = () => ({
  wait: { label: gettext("Wait"), done: gettext("The table waits: up to two minutes a turn.") },
  bot: { label: gettext("Let the bot play"), done: gettext("The bot plays until the owner is back.") },
  close: { label: gettext("Close the table"), done: gettext("The table is closed.") },
});

export class Absence {
  // `vote(choice)` sends what one wants, null takes it back.
  constructor(box, { vote }) {
    Object.assign(this, { box, vote });
  }

  draw(view) {
    const inPlay = IN_PLAY.has(view.phase);
    const own = inPlay && view.you !== null && isAbsent(view.seats[view.you]);
    const away = inPlay ? [0, 1, 2, 3].filter((seat) => seat !== view.you && isAbsent(view.seats[seat])) : [];
    this.box.hidden = !own && !away.length;
    const facts = { own, away, bots: view.seats.map((seat) => seat.sitting_in), names: view.seats.map((_, seat) => seatName(view, seat)), votes: view.votes?.absence, absence: view.absence, title: view.title, you: view.you, kinds: view.seats.map(({ kind, away: gone }) => `${kind}${gone}`) };
    refill(this.box, this.box.hidden ? null : facts, () => {
      if (this.box.hidden) return [];
      return own ? ownBanner(view) : this.others(view, away);
    });
  }

  others(view, away) {
    const voting = view.absence === "vote" && !view.title && view.you !== null;
    const said = el("p", { class: "absent-who" }, awaySaid(view, away));
    if (!voting) return [said, el("p", { class: "absent-policy" }, policy(view))];
    return el("details", { class: "absent-choice", open: this.unfolded, ontoggle: (event) => { this.unfolded = event.target.open; } }, el("summary", { "data-act": "absent" }, awaySaid(view, away), " ", el("span", { class: "absent-more" }, decided(view) ?? gettext("What now?"))), this.panel(view));
  }

  panel(view) {
    const voters = present(view);
    const votes = view.votes?.absence ?? {};
    const needed = Math.floor(voters.length / 2) + 1;
    return [
      el("p", { class: "absent-policy" }, interpolate(ngettext("Those present decide; %(needed)s voice is needed.", "Those present decide; %(needed)s voices are needed.", needed), { needed }, true)),
      el("div", { class: "absent-acts", role: "group", "aria-label": gettext("What shall the table do?") }, Object.entries(choices()).map(([choice, { label }]) => this.button(view, choice, label, votes, voters))),
    ];
  }

  button(view, choice, label, votes, voters) {
    const by = voters.filter((seat) => votes[seat] === choice);
    const mine = votes[view.you] === choice;
    const names = by.map((seat) => (seat === view.you ? gettext("you") : isolated(seatName(view, seat)))).join(gettext(", "));
    return el(
      "button",
      { type: "button", class: `button${mine ? " chosen" : ""}`, "aria-pressed": String(mine), "data-act": `absent-${choice}`, onclick: () => this.vote(mine ? null : choice) },
      el("span", {}, label),
      el("span", { class: "voices" }, number(by.length), names && ` · ${names}`),
    );
  }
}

const isAbsent = (seat) => seat.kind === "player" && Boolean(seat.away || seat.sitting_in);

// The owners at the table, who decide.
function present(view) {
  return [0, 1, 2, 3].filter((seat) => view.seats[seat].kind === "player" && !view.seats[seat].away);
}

// What a majority has already chosen, in words; null while it has not.
function decided(view) {
  const voters = present(view);
  const votes = view.votes?.absence ?? {};
  const found = Object.entries(choices()).find(([choice]) => 2 * voters.filter((seat) => votes[seat] === choice).length > voters.length);
  return found ? found[1].done : null;
}

function awaySaid(view, away) {
  const names = away.map((seat) => isolated(seatName(view, seat))).join(gettext(" and "));
  const bot = away.every((seat) => view.seats[seat].sitting_in);
  const template = bot
    ? ngettext("%(names)s is away; a bot sits in.", "%(names)s are away; bots sit in.", away.length)
    : ngettext("%(names)s is away.", "%(names)s are away.", away.length);
  return interpolate(template, { names }, true);
}

function policy(view) {
  return view.title ? `${gettext("The organiser has settled:")} ${rule(view)}` : rule(view);
}

function rule(view) {
  if (view.absence === "clock") return gettext("The clock plays for who is away; the owner may come back at any moment.");
  if (view.absence === "bot") return gettext("A bot sits in for who is away; the owner may come back at any moment.");
  return gettext("A bot sits in unless the players decide otherwise; the owner may come back at any moment.");
}

function ownBanner(view) {
  const bot = view.seats[view.you].sitting_in;
  return [
    el("p", { class: "absent-who" }, bot ? gettext("A bot plays for you.") : gettext("The clock plays for you.")),
    el("button", { type: "button", class: "button primary", "data-return": "", "data-act": "return" }, gettext("Take your seat back")),
  ];
}
