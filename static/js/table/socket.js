// The line to one table: it opens, listens, and opens again by itself until the server says that it is over.

const PING_EVERY_MS = 15000;
const ANSWER_WITHIN_MS = 6000;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 15000;
const FLOOD_WAIT_MS = 8000;
const FLOODING = 4429;
// The server is of another time than this page, which has to be loaded anew; not again and again, should that not help.
const OTHER_WIRE = 4426;
const RELOADED_AT = "table-reloaded-at";
const RELOAD_EVERY_MS = 60000;
// Session ended, not allowed, no such table: coming back changes nothing.
const FOR_GOOD = new Set([4401, 4403, 4404]);

export class Line {
  // `hear(frame)` gets every frame, `turn(state, code)` every change: connecting, open, lost or closed.
  // `version()` is what the page shows, told with each heartbeat.
  constructor(address, { hear, turn, version }) {
    Object.assign(this, { address, hear, turn, version, socket: null, misses: 0, state: "", retryAt: 0 });
    window.addEventListener("online", () => this.now());
    document.addEventListener("visibilitychange", () => document.hidden || this.now());
    setInterval(() => this.ping(), PING_EVERY_MS);
  }

  open() {
    clearTimeout(this.waiting);
    this.measured = false;
    this.become("connecting");
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => socket === this.socket && this.become("open");
    socket.onmessage = (event) => socket === this.socket && this.take(event.data);
    socket.onclose = (event) => socket === this.socket && this.dropped(event.code);
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  send(frame) {
    if (this.isOpen) this.socket.send(JSON.stringify(frame));
    return this.isOpen;
  }

  // Asks for a sign of life; a line that stays silent is dead, whatever the browser believes.
  ping() {
    if (!this.send({ type: "ping", version: this.version() })) return;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.reopen(), ANSWER_WITHIN_MS);
  }

  // Called when something speaks for the network being back: no need to wait out the pause.
  now() {
    if (this.state === "lost") this.open();
    else this.ping();
  }

  reopen() {
    if (this.state === "closed") return;
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.dropped(0);
  }

  take(text) {
    clearTimeout(this.silence);
    this.misses = 0;
    const frame = JSON.parse(text);
    // The server measures the line by how soon this comes back: before anything is drawn.
    if (frame.echo !== undefined) this.send({ type: "echo", echo: frame.echo });
    this.hear(frame);
    if (!this.measured) this.measure();
  }

  // The first heartbeat of a line follows its first frame at once: who acts soon is measured before.
  measure() {
    this.measured = true;
    this.ping();
  }

  dropped(code) {
    clearTimeout(this.silence);
    if (FOR_GOOD.has(code)) return this.become("closed", code);
    if (code === OTHER_WIRE && reloads()) return;
    this.become("lost", code);
    const pause = this.pause(code);
    this.retryAt = performance.now() + pause;
    this.waiting = setTimeout(() => this.open(), pause);
  }

  // Twice as long each time, and never all browsers in the same instant.
  pause(code) {
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.misses++);
    const wait = longest * (0.5 + Math.random() / 2);
    return code === FLOODING ? wait + FLOOD_WAIT_MS : wait;
  }

  become(state, code) {
    this.state = state;
    this.turn(state, code);
  }
}

function reloads() {
  const now = Date.now();
  if (now - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < RELOAD_EVERY_MS) return false;
  sessionStorage.setItem(RELOADED_AT, String(now));
  location.reload();
  return true;
}
