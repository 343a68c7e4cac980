// Works the decks out again from the shown secret and compares them with the cards of the replay, in this browser.

const SUITS = "CDHS";
const RANKS = "23456789TJQKA";
const ORDERED = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const text = new TextEncoder();

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

export const canCheck = () => Boolean(globalThis.crypto?.subtle);

async function commitmentOf(secret) {
  return hexOf(await crypto.subtle.digest("SHA-256", bytesOf(secret)));
}

class Source {
  constructor(key, label) {
    Object.assign(this, { key, label, block: 0, numbers: [] });
  }

  static async of(secret, label) {
    const key = await crypto.subtle.importKey("raw", bytesOf(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Source(key, label);
  }

  async digest(label) {
    return new DataView(await crypto.subtle.sign("HMAC", this.key, text.encode(label)));
  }

  async number() {
    if (!this.numbers.length) {
      const view = await this.digest(`${this.label}|${this.block++}`);
      for (let at = 0; at < view.byteLength; at += 4) this.numbers.push(view.getUint32(at));
    }
    return this.numbers.shift();
  }

  async below(limit) {
    const fair = 2 ** 32 - (2 ** 32 % limit);
    let number = await this.number();
    while (number >= fair) number = await this.number();
    return number % limit;
  }
}

/** The cards of deal `index` in dealt order. */
export async function deckOf({ secret, salt }, index) {
  const source = await Source.of(secret, `tarneeb-deal/1|${salt}|${index}`);
  const cards = [...ORDERED];
  for (let i = 51; i > 0; i--) {
    const j = await source.below(i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

async function firstDealer({ secret, salt }) {
  const source = await Source.of(secret, "");
  return (await source.digest(`tarneeb-dealer/1|${salt}`)).getUint8(0) % 4;
}

function isDealt(deck, deal) {
  return deck.every((card, i) => deal.hands[(deal.dealer + 1 + i) % 4].includes(card));
}

/** What was found: the commitment, the first dealer, and how many of the decks fit. */
export async function check(replay) {
  const { proof, deals } = replay;
  const decks = await Promise.all(deals.map((_, index) => deckOf(proof, index)));
  return {
    commitment: (await commitmentOf(proof.secret)) === proof.commitment,
    dealer: (await firstDealer(proof)) === replay.dealer,
    fitting: deals.filter((deal, index) => isDealt(decks[index], deal)).length,
    deals: deals.length,
  };
}
