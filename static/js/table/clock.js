// The running clock, counted down here between two views; the server's own is what counts.

const TICK_MS = 250;
const URGENT_S = 5;

export class Clock {
  constructor(root) {
    this.root = root;
    setInterval(() => this.tick(), TICK_MS);
  }

  set({ deadlineAt, turnMs }) {
    Object.assign(this, { deadlineAt, turnMs });
    this.tick();
  }

  get leftMs() {
    return this.deadlineAt === null || this.deadlineAt === undefined ? null : Math.max(0, this.deadlineAt - performance.now());
  }

  tick() {
    const left = this.leftMs;
    const share = left === null ? 1 : Math.min(1, left / Math.max(this.turnMs, 1));
    this.root.style.setProperty("--left", share.toFixed(4));
    this.root.classList.toggle("clockless", left === null);
    this.root.classList.toggle("urgent", left !== null && left <= URGENT_S * 1000);
    const seconds = left === null ? "" : String(Math.ceil(left / 1000));
    for (const node of this.root.querySelectorAll("[data-seconds]")) if (node.textContent !== seconds) node.textContent = seconds;
  }
}
