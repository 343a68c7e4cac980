// The list of tables, kept fresh: the server rings, the page asks for the list anew.

const list = document.querySelector("#lobby-tables");
const play = document.querySelector("[data-play]");
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
// Rings come in bursts, and every reader answers each with a request: they are gathered, and spread a little.
const GATHER = 300;
const SPREAD = 400;

let wait = FIRST_WAIT;
let due = null;
let shown = null;

function leadPlay() {
  const target = list.querySelector("#play-url");
  if (target) play.href = target.value;
}

function focusedKey() {
  const row = document.activeElement?.closest?.("#lobby-tables [data-table]");
  if (!row) return null;
  const controls = [...row.querySelectorAll("a, button")];
  return { table: row.dataset.table, place: controls.indexOf(document.activeElement) };
}

function focusAgain(key) {
  if (!key) return;
  const row = list.querySelector(`[data-table="${CSS.escape(key.table)}"]`);
  row?.querySelectorAll("a, button")[key.place]?.focus({ preventScroll: true });
}

function show(html) {
  if (html === shown) return;
  shown = html;
  const key = focusedKey();
  list.innerHTML = html;
  leadPlay();
  focusAgain(key);
}

async function refetch() {
  due = null;
  try {
    const answer = await fetch(list.dataset.list, { headers: { Accept: "text/html" } });
    if (answer.ok) show(withoutToken(await answer.text()));
  } catch {
    // The next ring, or the socket's return, asks again.
  }
}

// The forms' token is masked anew in every answer: put the page's own in its place, so that equal lists are equal.
const TOKEN = /(name="csrfmiddlewaretoken" value=")[^"]*/g;
const own = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";

function withoutToken(html) {
  return own ? html.replace(TOKEN, `$1${own}`) : html;
}

function ring() {
  if (document.hidden || due !== null) return;
  due = setTimeout(refetch, GATHER + Math.random() * SPREAD);
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}${list.dataset.socket}`);
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
leadPlay();
connect();
