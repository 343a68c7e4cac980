// Everything by keyboard. What is no Latin letter or digit goes by its place, so that an Arabic layout serves as well.

const SUIT_KEYS = { s: "S", h: "H", d: "D", c: "C", n: "N" };
const SECOND_DIGIT_MS = 1200;

export class Keys {
  // `table`: {view(), act(code), hand, openHelp(), showLast(), openSheet(), openTalk(), read()}
  constructor(table) {
    this.table = table;
    this.digits = "";
    document.addEventListener("keydown", (event) => this.press(event));
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog, [role=dialog]")) return;
    const view = this.table.view();
    if (view && this.handle(keyOf(event), view)) event.preventDefault();
  }

  handle(key, view) {
    const { openHelp, showLast, openSheet, openTalk, read } = this.table;
    const anywhere = { "?": openHelp, l: showLast, t: openSheet, m: openTalk, r: read }[key];
    if (anywhere) return anywhere() ?? true;
    if (key === "ArrowLeft" || key === "ArrowRight") return this.table.hand.step(key === "ArrowLeft" ? -1 : 1) ?? true;
    if (view.phase === "auction") return this.call(key, view);
    const suit = SUIT_KEYS[key];
    if (!suit) return false;
    if (view.phase === "trump") return this.table.act(`t${suit}`);
    return this.table.hand.seek(suit) ?? true;
  }

  call(key, view) {
    if (key === "p") return this.table.act("p");
    if (key === "x") return this.table.act(view.legal?.includes("xx") ? "xx" : "x");
    if (/^\d$/.test(key)) return this.digit(key, view);
    if (SUIT_KEYS[key] && this.digits && view.ruleset === "egyptian") return this.bid(this.digits, SUIT_KEYS[key]);
    if (SUIT_KEYS[key]) return this.table.hand.seek(SUIT_KEYS[key]) ?? true;
    return false;
  }

  // 7 8 9 are whole bids; 1 waits for its second digit. An Egyptian bid then waits for its suit.
  digit(key, view) {
    clearTimeout(this.forgetting);
    this.digits = this.digits === "1" ? `1${key}` : key;
    this.forgetting = setTimeout(() => { this.digits = ""; }, SECOND_DIGIT_MS * 2);
    if (this.digits === "1" || view.ruleset === "egyptian") return true;
    return this.bid(this.digits, "");
  }

  bid(digits, suit) {
    this.digits = "";
    return this.table.act(`b${digits}${suit}`);
  }
}

function keyOf({ key, code, shiftKey }) {
  if (key === "?" || key === "\u061f") return "?";
  if (/^[a-z0-9]$/i.test(key)) return key.toLowerCase();
  const place = /^(?:Key([A-Z])|Digit(\d)|Numpad(\d))$/.exec(code);
  return place && !shiftKey ? (place[1] ?? place[2] ?? place[3]).toLowerCase() : key;
}
