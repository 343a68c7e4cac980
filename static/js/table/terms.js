// The game's words as the table says them. Kotchina calls the trump by its other name.

import { suitName, suitSign } from "./cards.js";
import { inDigits } from "./digits.js";
import { isolated, number, score, sentence } from "./dom.js";

const inKotchina = (view) => view.ruleset === "kotchina";

export const trumpWord = (view) => (inKotchina(view) ? pgettext("Kotchina", "Trump") : gettext("Trump"));
export const chooseTrump = (view) => (inKotchina(view) ? pgettext("Kotchina", "Choose the trump") : gettext("Choose the trump"));

export function namingTrump(view) {
  return inKotchina(view) ? pgettext("Kotchina", "%(name)s is choosing the trump") : gettext("%(name)s is choosing the trump");
}

export const sideOf = (seat) => seat % 2;

// A bid's two halves: how many tricks, and the suit it names (Egyptian), "N" for none.
export function bidParts(code) {
  const [, tricks, suit] = /^b(\d+)([SHDCN]?)$/.exec(code);
  return { tricks: Number(tricks), suit: suit || null };
}

export const isBid = (code) => code.startsWith("b");

// A call as nodes (8, 8♠, pass) and as words.
export function callShown(code) {
  if (!isBid(code)) return [callSaid(code)];
  const { tricks, suit } = bidParts(code);
  return suit ? [number(tricks), suitSign(suit)] : [number(tricks)];
}

export function callSaid(code) {
  if (code === "p") return gettext("Pass");
  if (code === "x") return gettext("Double");
  if (code === "xx") return gettext("Redouble");
  const { tricks, suit } = bidParts(code);
  return suit ? `${tricks} ${suitName(suit)}` : String(tricks);
}

// The contract's suit is its own until it is fixed by naming or by the end of the auction.
export function contractSuit(contract) {
  return contract.trump ?? bidParts(contract.bid).suit;
}

// The two sides by their relation to the viewer, else by their players' names.
export function sides(view) {
  const own = view.you === null ? 0 : sideOf(view.you);
  return [own, 1 - own].map((side) => ({ side, label: sideLabel(view, side), score: view.score[side] }));
}

export function sideLabel(view, side) {
  if (view.you === null) return sideNames(view, side);
  return side === sideOf(view.you) ? gettext("Us") : gettext("Them");
}

export function sideNames(view, side) {
  const names = [side, side + 2].map((seat) => isolated(seatName(view, seat)));
  return interpolate(gettext("%(one)s and %(other)s"), { one: names[0], other: names[1] }, true);
}

export function seatName(view, seat) {
  const { name, kind } = view.seats[seat];
  if (kind === "open") return gettext("Open seat");
  return kind === "bot" ? interpolate(gettext("Bot %(number)s"), { number: inDigits(String(seat + 1)) }, true) : name;
}

// Seats on the screen: 0 at the bottom, 1 on the right, 2 opposite, 3 on the left, in every language.
export const placeOf = (view, seat) => (seat - (view.you ?? 0) + 4) % 4;
export const seatAt = (view, place) => (place + (view.you ?? 0)) % 4;

// Why a deal scored as it did, in one line, from what was bid, taken and written down.
export function reason(ended) {
  const { contract, tricks, change } = ended;
  if (!contract) return [gettext("Everybody passed: no points, the cards are dealt again.")];
  if (!change) return [gettext("This deal was not scored.")];
  const side = sideOf(contract.seat);
  const { tricks: bid } = bidParts(contract.bid);
  const points = { bidders: score(change[side], { plus: true }), defenders: score(change[1 - side], { plus: true }) };
  return sentence(reasonTemplate(bid, tricks[side], change[side]), { ...points, count: number(Math.abs(tricks[side] - bid)) });
}

function reasonTemplate(bid, taken, gained) {
  if (taken < bid) {
    return ngettext(
      "The contract failed by one trick: %(bidders)s and %(defenders)s",
      "The contract failed by %(count)s tricks: %(bidders)s and %(defenders)s",
      bid - taken,
    );
  }
  if (taken === 13 && gained > 13) return gettext("Kaboot, all the tricks: %(bidders)s");
  if (taken === bid) return gettext("The contract was made exactly: %(bidders)s");
  if (gained === bid) {
    return ngettext(
      "The contract was made; one trick too many adds nothing: %(bidders)s",
      "The contract was made; %(count)s tricks too many add nothing: %(bidders)s",
      taken - bid,
    );
  }
  return ngettext(
    "The contract was made with one trick more: %(bidders)s",
    "The contract was made with %(count)s tricks more: %(bidders)s",
    taken - bid,
  );
}

export function resultSaid(view) {
  const { kind, winner } = view.result ?? {};
  if (!view.result && view.title && view.deal !== null) return gettext("The match was ended before its time. What was played is known to the organisers.");
  if (!view.result) return gettext("The table was closed before a match was played.");
  if (kind === "no-result") return gettext("No result: nobody was playing any more.");
  if (kind === "draw") return gettext("A draw: level when the last round was over.");
  if (view.you !== null) return winner === sideOf(view.you) ? gettext("You won the match") : gettext("You lost the match");
  return interpolate(gettext("%(names)s won the match"), { names: sideNames(view, winner) }, true);
}

// What is added to the bare result.
export function resultReason(view) {
  const { kind, advances } = view.result ?? {};
  if (kind === "target") return interpolate(gettext("%(target)s points were reached."), { target: view.target }, true);
  if (kind === "round-cap") return gettext("The last round is over; more points win.");
  if (kind === "resigned") return gettext("The losing side resigned.");
  if (kind === "draw" && advances !== null && view.title) {
    return interpolate(gettext("%(names)s gained in the last round and go through."), { names: sideNames(view, advances) }, true);
  }
  return "";
}
