// What a deal looks like after so many of its actions. No rules here: the server has said who took each trick.

const CARD = /^[2-9TJQKA][CDHS]$/;

export const isCard = (step) => CARD.test(step.code);
export const isCall = (step) => !isCard(step) && !step.code.startsWith("t");

/** The deal after `count` actions: who is to act, what was called and played, what lies on the table. */
export function positionAt(deal, count) {
  const done = deal.steps.slice(0, count);
  const cards = done.filter(isCard);
  const tricks = [0, 0];
  let trick = [];
  for (const step of cards) {
    if (trick.at(-1)?.winner !== undefined) trick = [];
    trick.push(step);
    if (step.winner !== undefined) tricks[step.winner % 2] += 1;
  }
  return {
    last: done.at(-1) ?? null,
    turn: deal.steps[count]?.seat ?? null,
    over: count === deal.steps.length,
    inPlay: cards.length > 0,
    contract: done.findLast((step) => step.contract)?.contract ?? null,
    calls: done.filter((step) => !isCard(step)),
    gone: new Set(cards.map((step) => step.code)),
    trick,
    winner: trick.at(-1)?.winner ?? null,
    tricks,
  };
}

/** The auction in rows of four, a place for each seat from the first to call; and the naming of trump. */
export function auctionRows(deal) {
  const calls = deal.steps.map((step, index) => ({ ...step, index })).filter(isCall);
  const order = [0, 1, 2, 3].map((place) => (deal.dealer + 1 + place) % 4);
  const rows = [];
  let before = 4;
  for (const call of calls) {
    const place = order.indexOf(call.seat);
    if (place <= before) rows.push(Array(4).fill(null));
    rows.at(-1)[place] = call;
    before = place;
  }
  return { order, rows };
}

/** The tricks one by one: { cards by seat, leader, winner }. */
export function trickRows(deal) {
  const rows = [];
  for (const [index, step] of deal.steps.entries()) {
    if (!isCard(step)) continue;
    if (!rows.length || rows.at(-1).winner !== null) rows.push({ cards: [null, null, null, null], leader: step.seat, winner: null });
    rows.at(-1).cards[step.seat] = { ...step, index };
    if (step.winner !== undefined) rows.at(-1).winner = step.winner;
  }
  return rows;
}

/** After how many actions each trick begins, and the last one ends; the beginning of the deal is the first edge. */
export function trickEdges(deal) {
  const ends = deal.steps.flatMap((step, index) => (step.winner === undefined ? [] : [index + 1]));
  const first = deal.steps.findIndex(isCard);
  return [...new Set([0, first < 0 ? deal.steps.length : first, ...ends, deal.steps.length])];
}
