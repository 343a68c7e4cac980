// The running clock, counted down here between two views; the server's own is what counts. First the turn's own seconds
// run out, then the time bank of the seat in turn.

import { inDigits } from "./digits.js";
import { el, icon } from "./dom.js";

const TICK_MS = 250;
const URGENT_S = 5;
// Views of the same turn differ by the time they travelled: a clock that followed each would jump.
const JITTER_MS = 900;

// When the own seconds end and when time is really up, on this page's clock; null where no clock runs.
export function timeOf(view, before, old, now = performance.now()) {
  if (view.deadline_ms === null) return null;
  const own = Math.max(0, view.deadline_ms);
  const bank = view.turn === null ? 0 : Math.max(0, view.bank_ms[view.turn] ?? 0);
  const same = Boolean(old && before && isSameTurn(before, view));
  const steady = same && Math.abs(now + own + bank - old.until) < JITTER_MS;
  return {
    turn: view.turn,
    mine: view.turn !== null && view.turn === view.you,
    ownUntil: steady ? old.ownUntil : now + own,
    until: steady ? old.until : now + own + bank,
    ownMs: Math.max(ownSeconds(view) * 1000, own, same ? old.ownMs : 0, 1),
    bankMs: Math.max((view.bank_seconds ?? 0) * 1000, bank, 1),
  };
}

function ownSeconds(view) {
  if (view.turn === null) return 0;
  return (view.phase === "play" ? view.turn_seconds : (view.call_seconds ?? view.turn_seconds)) ?? 0;
}

function isSameTurn(one, other) {
  const step = ({ phase, turn, deal, trick, calls }) => `${phase} ${turn} ${deal} ${trick.length} ${calls.length}`;
  return step(one) === step(other);
}

// 45 · 1:05
export function clockText(ms) {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  return inDigits(seconds < 60 ? String(seconds) : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
}

// What a seat has left in its bank, kept by the clock.
export function bankMark(seat) {
  return el("span", { class: "bank", title: gettext("Time bank") }, icon("bank"), el("span", { class: "score", dir: "ltr", "data-bank": seat }));
}

export class Clock {
  // `short()` is called once a turn when the viewer's own time runs out.
  constructor(root, { short = () => {} } = {}) {
    Object.assign(this, { root, short, time: null, banks: null, warned: null });
    setInterval(() => this.tick(), TICK_MS);
  }

  // `banks`: what each seat has left, in ms; they are shown also while nothing runs.
  set(time, banks) {
    Object.assign(this, { time, banks });
    this.tick();
  }

  // What is left of the own seconds and of the bank in use; never less than nothing.
  left(now = performance.now()) {
    const { ownUntil, until } = this.time;
    return { own: Math.max(0, ownUntil - now), bank: Math.max(0, until - Math.max(now, ownUntil)) };
  }

  tick() {
    const { time, root } = this;
    root.classList.toggle("clockless", !time);
    if (!time) return this.stand();
    const { own, bank } = this.left();
    const banking = own === 0 && bank > 0;
    const urgent = time.turn !== null && own + bank <= URGENT_S * 1000;
    root.style.setProperty("--left", Math.min(1, banking ? bank / time.bankMs : own / time.ownMs).toFixed(4));
    root.classList.toggle("banking", banking);
    root.classList.toggle("urgent", urgent);
    this.write("[data-seconds]", clockText(own));
    this.write("[data-bank-running]", clockText(bank));
    this.writeBanks(bank);
    if (urgent && time.mine && this.warned !== time.ownUntil) {
      this.warned = time.ownUntil;
      this.short();
    }
  }

  stand() {
    this.root.style.setProperty("--left", "1");
    this.root.classList.remove("banking", "urgent");
    this.write("[data-seconds]", "");
    this.writeBanks(0);
  }

  writeBanks(running) {
    const { banks } = this;
    const turn = this.time?.turn ?? null;
    if (!banks) return;
    for (const node of this.root.querySelectorAll("[data-bank]")) {
      const seat = Number(node.dataset.bank);
      put(node, clockText(seat === turn ? running : banks[seat]));
    }
  }

  write(selector, text) {
    for (const node of this.root.querySelectorAll(selector)) put(node, text);
  }
}

function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
