// A page that is kept fresh: the server rings, the page asks anew for what it lists.

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;

// Calls `refetch` after each ring of the socket at `address`, and whenever the line or the reader has come back.
// Rings come in bursts, and every reader answers each with a request: they are gathered, and spread a little.
// `again`: also without a ring after so many milliseconds, for what rings nobody.
export function listen(address, refetch, { gather, spread, again: every = 0 }) {
  let wait = FIRST_WAIT;
  let due = null;
  let busy = false;
  let again = false;

  function ring() {
    if (document.hidden || due !== null) return;
    due = setTimeout(answer, gather + Math.random() * spread);
  }

  async function answer() {
    due = null;
    again = busy;
    if (busy) return;
    busy = true;
    try {
      await refetch();
    } catch {
      // The next ring, or the socket's return, asks again.
    }
    busy = false;
    if (again) ring();
    again = false;
  }

  function connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${address}`);
    let opened = false;
    socket.onopen = () => {
      opened = true;
      wait = FIRST_WAIT;
      ring();
    };
    socket.onmessage = (message) => {
      if (JSON.parse(message.data).type === "ring") ring();
    };
    socket.onclose = () => {
      if (!opened) wait = Math.min(wait * 2, LONGEST_WAIT);
      setTimeout(connect, wait * (0.5 + Math.random()));
    };
  }

  document.addEventListener("visibilitychange", ring);
  if (every) setInterval(ring, every);
  connect();
}
