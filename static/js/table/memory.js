// What a finished deal was about. The view carries it where the server tells (`ended`); otherwise the page has
// seen it happen. Kept for the tab's life, so that the score sheet can show each deal's contract.

const keyOf = (view) => `tarneeb-sheet-${view.table}`;

// The deal that has just ended, as {deal, contract, tricks, change}, or null while one is in progress.
export function remembered(view, before, known) {
  if (view.phase !== "deal" && view.phase !== "over") return null;
  if (view.deal === null) return null;
  if (view.ended) return { deal: view.deal, ...view.ended };
  if (known && known.deal === view.deal) return known;
  if (!before || before.deal !== view.deal) return null;
  return seen(view, before);
}

// Only who saw the twelfth trick knows the whole of a played deal.
function seen(view, before) {
  if (before.phase === "auction") return { deal: view.deal, contract: null, tricks: [0, 0], change: null };
  if (!view.last_trick || before.tricks[0] + before.tricks[1] !== 12) return null;
  const tricks = [...before.tricks];
  tricks[view.last_trick.winner % 2] += 1;
  const change = view.counted > before.counted ? view.changes[view.changes.length - 1] : null;
  return { deal: view.deal, contract: before.contract, tricks, change };
}

export function remember(view, ended) {
  if (!ended?.contract) return;
  const sheet = sheetOf(view);
  sheet[view.counted - 1] = { contract: ended.contract, tricks: ended.tricks };
  try {
    sessionStorage.setItem(keyOf(view), JSON.stringify(sheet));
  } catch {
    // Storage may be full or forbidden; the sheet then shows the points alone.
  }
}

// {index of the counted round: {contract, tricks}}, for the rounds that this tab saw end.
export function sheetOf(view) {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(view))) ?? {};
  } catch {
    return {};
  }
}
