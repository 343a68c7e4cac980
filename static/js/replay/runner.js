// Plays by itself: at one pace, or with the pauses that the players made.

const LEAST_MS = 250;
const MOST_MS = 6000;
const UNKNOWN_MS = 900;

export class Runner {
  constructor(pace, { next, step }) {
    Object.assign(this, { pace, next, step, timer: null });
    pace.addEventListener("change", () => { if (this.isRunning) this.start(); });
  }

  get isRunning() {
    return this.timer !== null;
  }

  start() {
    this.stop();
    this.timer = setTimeout(() => { if (this.step()) this.start(); }, this.wait());
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  wait() {
    if (this.pace.value !== "played") return Number(this.pace.value);
    return Math.min(Math.max(this.next()?.ms ?? UNKNOWN_MS, LEAST_MS), MOST_MS);
  }
}
