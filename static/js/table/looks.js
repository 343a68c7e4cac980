// The digits and the letters on the cards that a player has chosen for every browser: the page's body names them.

const DIGITS = { latn: "western", arab: "arabic" };
const CARDS = { latin: "latin", arabic: "arabic" };
const KEPT = { digits: ["looksDigits", DIGITS], indices: ["looksCards", CARDS] };

// Of the settings those that the account fixes; none for guests, and for who left it to each browser.
export function accountLooks() {
  const { dataset } = document.body;
  const found = Object.entries(KEPT).map(([name, [key, words]]) => [name, words[dataset[key]]]);
  return Object.fromEntries(found.filter(([, value]) => value));
}

// A choice made here is the account's from now on.
export async function keepLooks(name, value) {
  const { dataset } = document.body;
  if (!dataset.looks || !KEPT[name]) return;
  const [key, words] = KEPT[name];
  dataset[key] = Object.keys(words).find((word) => words[word] === value) ?? "";
  const body = new URLSearchParams({
    digits: dataset.looksDigits,
    card_style: dataset.looksCards,
    csrfmiddlewaretoken: document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "",
  });
  try {
    await fetch(dataset.looks, { method: "POST", body, redirect: "manual", keepalive: true });
  } catch {
    // The choice holds in this browser; the next one is sent again.
  }
}
