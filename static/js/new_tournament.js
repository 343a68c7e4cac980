// The form of a new tournament: the reader's time zone and a likely hour are filled in, and only targets that the
// chosen rules have can be chosen. The server checks all the same.

const form = document.querySelector("[data-new-tournament]");
const targetsOf = JSON.parse(document.querySelector("#targets").textContent);
const HOUR = 3600 * 1000;

function fit() {
  const targets = targetsOf[form.elements.ruleset.value].map(String);
  for (const radio of form.elements.target) {
    radio.disabled = !targets.includes(radio.value);
    radio.closest("label").hidden = radio.disabled;
  }
  if (!targets.includes(form.elements.target.value)) form.elements.target.value = targets[0];
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
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = [...form.elements.time_zone.options].some((option) => option.value === zone);
  if (!known) return;
  form.elements.time_zone.value = zone;
  if (!form.elements.starts_at.value) form.elements.starts_at.value = likelyStart();
}

if (form.dataset.fresh !== undefined) fillIn();
form.addEventListener("change", fit);
fit();
