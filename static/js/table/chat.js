// What is said at the table: phrases and, where the table allows it, free words; the log, the bubbles, and who is muted.
// What people write is a text node in <bdi>, never markup and never a link.

import { el, icon, nameOf, refill } from "./dom.js";
import { phrase, phraseList } from "./phrases.js";

const KEPT = 60;
const SHOWN_MS = 3500;
const LONGEST = 200;
const IN_PLAY = new Set(["auction", "trump", "play"]);

export class Talk {
  // `say(frame)` sends; `changed()` draws; `inspect(name, seat)` opens a speaker's card; `account`: member, guest or "".
  constructor(panel, { say, changed, inspect, account }) {
    Object.assign(this, { panel, say, changed, inspect, account, said: [], bubbles: {}, muted: new Set(), unread: 0, draft: "" });
    this.log = el("ol", { class: "said", tabindex: "0", "aria-label": gettext("What was said") });
    this.watchers = el("div", { class: "watchers" });
    this.entry = el("div", { class: "say" });
    this.phrases = el("div", {});
    panel.replaceChildren(this.watchers, this.log, this.entry, this.phrases);
  }

  // A `said` frame, and how it is to be read aloud: {name, text}, or null where it is nothing new.
  hear(view, { seat = null, phrase: id, text, name, room = null, line = null }) {
    const words = text ?? phrase(id);
    if (!words || (line !== null && this.said.some((one) => one.line === line))) return null;
    const said = { line, seat, room, name: name ?? view.seats[seat].name, text: words };
    this.keep([...this.said, said]);
    if (seat !== null) this.bubble(seat, said);
    if (seat === null || seat !== view.you) this.unread += 1;
    this.changed();
    return said;
  }

  // The lines of before, when one comes or comes back: they take the place of what was heard meanwhile.
  remember({ lines, muted }) {
    const known = new Set(lines.map(({ line }) => line));
    const phrases = this.said.filter(({ line }) => line === null);
    const newer = this.said.filter(({ line }) => line !== null && !known.has(line) && line > Math.max(0, ...known));
    this.muted = new Set(muted);
    this.keep([...lines, ...newer, ...phrases]);
    this.changed();
  }

  keep(said) {
    this.said = said.slice(-KEPT);
  }

  bubble(seat, said) {
    this.bubbles[seat] = said;
    setTimeout(() => {
      if (this.bubbles[seat] === said) delete this.bubbles[seat];
      this.changed();
    }, SHOWN_MS + 40 * said.text.length);
  }

  mute(name, muted) {
    if (muted) this.muted.add(name);
    else this.muted.delete(name);
    if (muted) this.said = this.said.filter((one) => one.name !== name);
    this.changed();
  }

  seen() {
    this.unread = 0;
  }

  draw(view) {
    this.drawWatchers(view);
    const newLines = refill(this.log, { said: this.said }, () => this.said.map((one) => this.line(one)));
    if (newLines) this.log.scrollTo(0, 1e6);
    this.log.hidden = !this.said.length && view.you !== null;
    const { open, why } = writing(view, this.account);
    refill(this.entry, { open, why, watching: view.you === null }, () => (open ? this.form(view) : why && el("p", { class: "muted" }, why)));
    const seated = view.you !== null;
    refill(this.phrases, { seated }, () => seated && phraseList((id) => this.say({ phrase: id })));
  }

  drawWatchers(view) {
    const { watching, watch_delay: delay, you } = view;
    refill(this.watchers, { watching, delay, you: you === null }, () => [
      watching > 0 && el("p", { class: "watch-count" }, icon("eye"), interpolate(ngettext("%(count)s spectator", "%(count)s spectators", watching), { count: watching }, true)),
      delaySaid(view) && el("p", { class: "muted" }, delaySaid(view)),
    ]);
  }

  line({ name, seat, text }) {
    const who = el("button", { type: "button", class: "speaker", "aria-haspopup": "dialog", onclick: () => this.inspect(name, seat) }, nameOf(name));
    return el("li", {}, who, el("bdi", { class: "words" }, text));
  }

  form(view) {
    const label = view.you === null ? gettext("Write to the other spectators") : gettext("Write to the table");
    const input = el("input", { type: "text", name: "text", maxlength: LONGEST, autocomplete: "off", "aria-label": label, placeholder: label, enterkeyhint: "send", dir: "auto", "data-act": "write", "aria-keyshortcuts": "m" });
    input.value = this.draft;
    input.addEventListener("input", () => { this.draft = input.value; });
    const send = (event) => {
      event.preventDefault();
      const text = input.value.trim();
      if (text && this.say({ text })) this.draft = input.value = "";
    };
    return el("form", { class: "say-form", onsubmit: send }, input, el("button", { type: "submit", class: "button", "data-act": "send" }, gettext("Send")));
  }

  // The field for free words, where there is one.
  get field() {
    return this.entry.querySelector("input");
  }
}

// Whether the viewer can write here now, and what is to be said where not.
function writing(view, account) {
  const closed = (why) => ({ open: false, why });
  if (!account) return closed(gettext("Log in to talk with the other spectators."));
  if (view.you !== null && !view.free_chat) return closed("");
  if (account === "guest") return closed(gettext("Guests talk in phrases. Make an account to write in your own words."));
  if (view.you !== null && (view.rated || view.title) && IN_PLAY.has(view.phase)) return closed(gettext("Free words again between the deals: partners do not talk while the cards are in play."));
  return { open: true, why: "" };
}

export function delaySaid({ watch_delay: delay, you, phase }) {
  if (!delay || phase === "over" || phase === "waiting") return "";
  if (you !== null) return delay < 0 ? gettext("Spectators see a deal once it is over.") : interpolate(ngettext("Spectators see the table %(count)s second later.", "Spectators see the table %(count)s seconds later.", delay), { count: delay }, true);
  return delay < 0 ? gettext("You see each deal once it is over.") : interpolate(ngettext("You see the table %(count)s second later.", "You see the table %(count)s seconds later.", delay), { count: delay }, true);
}
