// What the page knows: the newest view, and the one act that is under way.

import { timeOf } from "./clock.js";

const ANSWER_WITHIN_MS = 8000;
const LINGER_MS = 1300;

export class TableState {
  constructor(line, changed) {
    Object.assign(this, { line, changed, view: null, version: -1, pending: null, time: null, fresh: null });
    this.connection = "connecting";
    this.closeCode = null;
    this.refusal = null;
  }

  receive(frame) {
    if (frame.type === "table") this.takeView(frame);
    else if (frame.type === "refused") this.takeRefusal(frame);
  }

  takeView({ view, version, id }) {
    if (id && id === this.pending?.id) this.settle();
    if (version < this.version) return;
    const before = this.view;
    this.view = view;
    this.version = version;
    this.time = timeOf(view, before, this.time);
    this.noticeTrick(before);
    this.resend();
    this.changed({ before, after: view });
  }

  // A trick that has just been completed stays on the table for a moment, or until the next card.
  noticeTrick(before) {
    const now = this.view.last_trick;
    if (!now) this.fresh = null;
    if (!before || !now || JSON.stringify(now) === JSON.stringify(before.last_trick)) return;
    this.fresh = now;
    clearTimeout(this.lingering);
    this.lingering = setTimeout(() => {
      this.fresh = null;
      this.changed({});
    }, LINGER_MS);
  }

  takeRefusal({ id, code, message }) {
    if (id && id === this.pending?.id) this.settle();
    this.refusal = { code, message };
    this.changed({ refused: true });
  }

  // One act at a time: a second click while the first is under way is not sent.
  act(action) {
    if (this.pending || !this.view?.legal?.includes(action)) return false;
    this.refusal = null;
    this.pending = { action, version: this.version, id: newId() };
    this.send();
    this.changed({});
    return true;
  }

  send() {
    const { action, version, id } = this.pending;
    this.line.send({ type: "act", action, version, id });
    this.unsent = false;
    clearTimeout(this.overdue);
    this.overdue = setTimeout(() => this.line.reopen(), ANSWER_WITHIN_MS);
  }

  // After a new line is up: the same act under the same id is done at most once.
  resend() {
    if (this.pending && this.unsent) this.send();
  }

  settle() {
    clearTimeout(this.overdue);
    this.pending = null;
  }

  connectionTurned(state, code) {
    this.connection = state;
    this.closeCode = code ?? null;
    if (state === "lost") {
      clearTimeout(this.overdue);
      this.unsent = true;
    }
    if (state === "closed") this.settle();
    this.changed({});
  }

  // The view as the player expects it: with the act under way already done.
  get shown() {
    const { view, pending } = this;
    if (!view || !pending || !view.legal?.includes(pending.action)) return view;
    const doing = { ...view, legal: [], doing: pending.action };
    if (view.phase === "auction") doing.calls = [...view.calls, [view.you, pending.action]];
    if (view.phase === "play") {
      doing.hand = view.hand.filter((card) => card !== pending.action);
      doing.trick = [...view.trick, [view.you, pending.action]];
    }
    return doing;
  }
}

function newId() {
  const random = crypto.getRandomValues(new Uint32Array(3));
  return Array.from(random, (part) => part.toString(36)).join("");
}
