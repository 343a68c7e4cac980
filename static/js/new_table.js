// The form of a new table: only what the chosen rules have can be chosen. The server checks all the same.

const form = document.querySelector("[data-new-table]");
const targetsOf = JSON.parse(document.querySelector("#targets").textContent);

function fit() {
  const ruleset = form.elements.ruleset.value;
  const targets = targetsOf[ruleset].map(String);
  for (const radio of form.elements.target) {
    radio.disabled = !targets.includes(radio.value);
    radio.closest("label").hidden = radio.disabled;
  }
  if (!targets.includes(form.elements.target.value)) form.elements.target.value = targets[0];
  for (const part of form.querySelectorAll("[data-only]")) {
    part.disabled = part.dataset.only !== ruleset;
    part.hidden = part.disabled;
  }
  // Not disabled: what a hidden field holds does not count where a speed is named.
  const pace = form.querySelector("[data-pace]");
  pace.hidden = form.elements.speed.value !== pace.dataset.pace;
}

form.addEventListener("change", fit);
fit();
