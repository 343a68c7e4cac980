// Moments in words and in the reader's zone: "in 5 minutes, 20:30". Server and browser agree on the calendar
// (Gregorian) and the digits (0-9) whatever the locale would prefer.

const language = document.documentElement.lang;
const locale = language === "ar" ? "ar-SY-u-ca-gregory-nu-latn" : `${language}-GB-u-ca-gregory-nu-latn`;
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
const clock = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "long", hour: "numeric", minute: "2-digit" });
const whole = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });

const DAY = 86400;
const UNITS = [
  ["hour", 3600],
  ["minute", 60],
];

/** How long ago or how soon `moment` is: "yesterday", "in 5 minutes", "now". Days are those of the reader's calendar. */
export function fromNow(moment, now = new Date()) {
  const seconds = (moment - now) / 1000;
  const days = dayNumber(moment) - dayNumber(now);
  // Ten in the evening is three hours ago at one in the night, and no yesterday.
  if (days !== 0 && Math.abs(seconds) >= DAY / 2) return relative.format(days, "day");
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return relative.format(0, "second");
}

/** Days of the reader's calendar, counted on: a day with a change of the clocks is one as well. */
function dayNumber(moment) {
  return Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / (DAY * 1000);
}

/** The time of day when `moment` is within half a day, else its date too. */
export function absolute(moment, now = new Date()) {
  if (Math.abs(moment - now) >= (DAY / 2) * 1000) return day.format(moment);
  return clock.format(moment).replaceAll(" ", "\u00a0"); // in Arabic the letter for morning or evening stays with it
}

/** Writes every <time data-ago> under `root` anew. */
export function refresh(root = document) {
  const now = new Date();
  for (const element of root.querySelectorAll("time[data-ago]")) {
    const moment = new Date(element.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    element.textContent = `${fromNow(moment, now)} · ${absolute(moment, now)}`;
    element.title = whole.format(moment);
  }
}
