// The registration desk from the keyboard: "/" looks for a pair, the arrows go from pair to pair, Enter does what its
// button says. Where a finger does it nothing is focused by itself: a keyboard would cover half of the page.

const field = document.querySelector("[data-find]");
const buttons = [...document.querySelectorAll("[data-main]")];

function look() {
  field.focus();
  field.select();
}

// One pair was found: Enter checks it in. Something was done: the next one is looked for.
function begin() {
  if (!field || matchMedia("(pointer: coarse)").matches) return;
  if (location.hash) look();
  else if (field.value && buttons.length === 1 && buttons[0].value === "check-in") buttons[0].focus();
  else if (field.value) look();
}

function step(event) {
  const at = buttons.indexOf(document.activeElement);
  if (at < 0 && document.activeElement !== field) return;
  const next = event.key === "ArrowDown" ? buttons[at + 1] : at > 0 ? buttons[at - 1] : field;
  if (!next) return;
  event.preventDefault();
  next.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !field) return;
  if (event.key === "/" && !event.target.closest("input, textarea, select")) {
    event.preventDefault();
    look();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event);
});

// Going to the row that the address names takes the focus away: after that.
addEventListener("load", () => setTimeout(begin));
