// What every page does: colours by choice, menus that close, forms sent once, times kept fresh.

import { refresh } from "./times.js";

const YEAR_SECONDS = 365 * 86400;

function chooseTheme(theme) {
  document.cookie = `theme=${theme}; path=/; max-age=${theme ? YEAR_SECONDS : 0}; samesite=lax`;
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  markTheme();
}

function markTheme() {
  const chosen = document.documentElement.dataset.theme ?? "";
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === chosen));
  }
}

function closeMenus(except) {
  for (const menu of document.querySelectorAll("[data-menu][open]")) {
    if (menu !== except) menu.open = false;
  }
}

function sendOnce(event) {
  const form = event.target;
  if (event.defaultPrevented) return;
  if (form.dataset.confirm && !window.confirm(form.dataset.confirm)) return event.preventDefault();
  if (form.dataset.sent) return event.preventDefault();
  if (form.method === "post") form.dataset.sent = "1";
}

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  const before = button.textContent;
  button.textContent = gettext("Copied");
  setTimeout(() => { button.textContent = before; }, 1500);
}

// A form that was refused opens at the first thing to put right.
function showRefused() {
  const field = document.querySelector(".field.invalid :is(input, select, textarea)");
  if (!field) return;
  field.focus({ preventScroll: true });
  field.closest(".field").scrollIntoView({ block: "center" });
}

// A link to something folded unfolds it.
function openTarget() {
  const folded = location.hash && document.getElementById(location.hash.slice(1))?.querySelector(":scope > details");
  if (folded) folded.open = true;
}

document.addEventListener("click", (event) => {
  closeMenus(event.target.closest("[data-menu]"));
  const theme = event.target.closest("[data-theme-choice]");
  if (theme) chooseTheme(theme.dataset.themeChoice);
  const copied = event.target.closest("[data-copy]");
  if (copied) copy(copied);
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector("[data-menu][open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

document.addEventListener("submit", sendOnce);

// A page brought back by the browser's own Back may be sent again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

for (const themes of document.querySelectorAll("[data-themes]")) themes.hidden = false;
markTheme();
showRefused();
openTarget();
window.addEventListener("hashchange", openTarget);
refresh();
setInterval(refresh, 30000);
