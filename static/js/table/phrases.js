// The phrases of the table, by occasion, in the reader's language whatever the speaker's is.

import { el } from "./dom.js";

export function occasions() {
  return [
    [gettext("Before"), {
      hello: gettext("Hello!"),
      welcome: gettext("Welcome!"),
      "good-luck": gettext("Good luck!"),
      "shall-we-start": gettext("Shall we start?"),
    }],
    [gettext("Praise"), {
      "well-played": gettext("Well played!"),
      "nice-trick": gettext("Nicely taken!"),
      "nice-bid": gettext("A brave bid!"),
      bravo: gettext("Bravo!"),
      "what-a-deal": gettext("What a deal!"),
    }],
    [gettext("Courtesy"), {
      thanks: gettext("Thank you!"),
      sorry: gettext("Sorry, partner."),
      "my-mistake": gettext("My mistake."),
      "no-problem": gettext("Never mind!"),
      "hard-luck": gettext("Hard luck!"),
    }],
    [gettext("Time"), {
      "one-moment": gettext("One moment, please."),
      "i-am-back": gettext("I am back."),
      "take-your-time": gettext("Take your time."),
      "come-on": gettext("Come on, let's play!"),
    }],
    [gettext("At the end"), {
      "good-game": gettext("Good game!"),
      "one-more": gettext("Another one?"),
      goodbye: gettext("Goodbye!"),
    }],
  ];
}

export function phrase(id) {
  for (const [, phrases] of occasions()) if (phrases[id]) return phrases[id];
  return "";
}

// All of them to press, grouped.
export function phraseList(say) {
  return el("div", { class: "phrase-groups" }, occasions().map(([occasion, phrases]) =>
    el("div", { class: "phrase-group", role: "group", "aria-label": occasion },
      el("h3", {}, occasion),
      el("div", { class: "phrase-list" }, Object.entries(phrases).map(([id, text]) => button(id, text, say)))),
  ));
}

function button(id, text, say) {
  return el("button", { type: "button", class: "phrase", "data-phrase": id, "data-act": `say-${id}`, onclick: () => say(id) }, text);
}
