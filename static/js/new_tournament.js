// The form of a tournament: the reader's time zone and a likely hour are filled in, only what the chosen rules and
// format have is shown, and the words beside it follow what is chosen. The server checks all the same.

const form = document.querySelector("[data-wizard]");
const targetsOf = JSON.parse(document.querySelector("#targets").textContent);
const preview = form.querySelector("[data-preview-here]");
const HOUR = 3600 * 1000;
const PAUSE = 400;
const FEWEST_TIEBREAKS = 4;

function fitTargets() {
  const chosen = form.elements.ruleset.value;
  if (!chosen) return;
  const targets = targetsOf[chosen].map(String);
  for (const radio of form.elements.target) {
    const known = targets.includes(radio.value);
    radio.closest("label").hidden = !known;
    if (!known) radio.checked = false;
  }
  if (!targets.includes(form.elements.target.value)) form.elements.target.value = targets[0];
}

// What belongs to another format is out of sight; it is sent all the same, and not read.
function fitWithin(root, format) {
  for (const part of root.querySelectorAll("[data-for]")) {
    if (part.parentElement.closest("[data-stage]") !== root.closest("[data-stage]")) continue;
    part.hidden = !part.dataset.for.split(" ").includes(format);
  }
}

function fitFormats() {
  fitWithin(form, form.elements.format.value);
  for (const stage of form.querySelectorAll("[data-stage]")) {
    const format = stage.querySelector("select[name$='-format']").value;
    fitWithin(stage, format);
    stage.querySelector("[data-part]").hidden = !format;
  }
}

// One empty place after those that are taken, and never fewer than a few.
function fitTiebreaks() {
  for (const list of form.querySelectorAll(".tiebreaks")) {
    const places = [...list.children];
    const last = places.findLastIndex((place) => place.querySelector("select").value);
    places.forEach((place, number) => { place.hidden = number > Math.max(last + 1, FEWEST_TIEBREAKS - 1); });
  }
}

function fit() {
  fitTargets();
  fitFormats();
  fitTiebreaks();
}

function two(number) {
  return String(number).padStart(2, "0");
}

// The next full hour but one: time for pairs to find each other.
function likelyStart(now = new Date()) {
  const start = new Date(Math.ceil((now.getTime() + HOUR) / HOUR) * HOUR);
  const day = `${start.getFullYear()}-${two(start.getMonth() + 1)}-${two(start.getDate())}`;
  return `${day}T${two(start.getHours())}:${two(start.getMinutes())}`;
}

function fillIn() {
  if (form.elements.starts_at.value) return;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = [...form.elements.time_zone.options].some((option) => option.value === zone);
  // An old name of a zone is not in the list; the server knows it.
  if (!known) form.elements.time_zone.add(new Option(zone.replaceAll("_", " "), zone));
  form.elements.time_zone.value = zone;
  form.elements.starts_at.value = likelyStart();
}

// What was typed goes along to another preset.
function carry(link) {
  link.addEventListener("click", () => {
    const kept = ["name", "starts_at", "time_zone"].map((name) => [name, form.elements[name].value]);
    sessionStorage.setItem("tournament", JSON.stringify(kept));
  });
}

function takeUp() {
  const kept = sessionStorage.getItem("tournament");
  if (!kept) return;
  sessionStorage.removeItem("tournament");
  for (const [name, value] of JSON.parse(kept)) form.elements[name].value = value;
}

let waiting = 0;
let asked = 0;

async function look() {
  const number = ++asked;
  const fields = new FormData(form);
  fields.delete("csrfmiddlewaretoken");
  fields.delete("description");
  const address = new URL(form.dataset.preview, location.href);
  for (const [name, value] of fields) if (value) address.searchParams.append(name, value);
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (answer.ok && number === asked) preview.innerHTML = await answer.text();
  } catch {
    // Without a line the words stay as they were; nothing depends on them.
  }
}

function lookSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(look, PAUSE);
}

document.querySelectorAll("[data-preset]").forEach(carry);
document.querySelector("[data-preset][aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
if (form.dataset.fresh !== undefined) {
  takeUp();
  fillIn();
}
form.addEventListener("change", () => {
  fit();
  lookSoon();
});
fit();
lookSoon();
