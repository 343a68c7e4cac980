// Follows a player from table to table: the page that waits for a match, and the table page with `?follow=<name>`.

import { listen } from "./bell.js";

const GO_AFTER_MS = 6000;
const AGAIN_MS = 10000;

const waiting = document.querySelector("[data-follow]");
const table = document.getElementById("table");
const name = waiting?.dataset.follow ?? new URLSearchParams(location.search).get("follow");
const box = document.querySelector('[data-part="following"]');
let leaving = null;
let stays = "";

async function whereabouts() {
  const answer = await fetch(`/players/${encodeURIComponent(name)}/watch/?part=where`, { headers: { Accept: "application/json" } });
  if (answer.status === 404) return null;
  return answer.ok ? answer.json() : undefined;
}

function go(address) {
  location.assign(address);
}

async function goWherePlayed() {
  const found = await whereabouts();
  if (found?.address) go(found.address);
}

// At a table: a line that says where the player went, and goes there once this match is over.

const isOver = () => table.dataset.phase === "over";
const watches = () => table.classList.contains("watching");

async function look() {
  if (!table.dataset.phase) return;
  if (!watches()) return stop();
  const found = await whereabouts();
  if (found === undefined) return;
  if (found === null) return stop();
  if (found.table && found.table !== table.dataset.code) offer(found);
  else if (isOver()) show([said(gettext("%s has no other match yet. This page goes on to the next one by itself.")), stopButton()]);
  else hide();
}

function offer({ table: code, address }) {
  if (stays === code) return;
  const link = document.createElement("a");
  link.className = "button primary small";
  link.href = address;
  link.textContent = gettext("Go there");
  const stay = button(gettext("Stay here"), () => {
    stays = code;
    hide();
  });
  show([said(isOver() ? gettext("%s plays at another table. Going there in a moment…") : gettext("%s plays at another table.")), link, stay]);
  if (isOver() && leaving === null) leaving = setTimeout(() => go(address), GO_AFTER_MS);
}

function said(template) {
  const line = document.createElement("span");
  const who = document.createElement("bdi");
  who.textContent = name;
  const [before, after] = template.split("%s");
  line.append(before, who, after ?? "");
  return line;
}

function button(label, press) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button small";
  made.textContent = label;
  made.addEventListener("click", press);
  return made;
}

const stopButton = () => button(gettext("Stop following"), stop);

let drawn = "";

// Said again only where it changed: a screen reader hears each change of it.
function show(parts) {
  const text = parts.map((part) => part.textContent).join(" ");
  if (text === drawn) return;
  drawn = text;
  box.replaceChildren(...parts);
  box.hidden = false;
}

function hide() {
  clearTimeout(leaving);
  leaving = null;
  drawn = "";
  box.hidden = true;
}

function stop() {
  hide();
  stopped = true;
  history.replaceState(null, "", location.pathname);
}

let stopped = false;

if (waiting) listen(waiting.dataset.socket, goWherePlayed, { gather: 500, spread: 2500, again: AGAIN_MS });
if (table && box && name) {
  listen("/ws/bells/lobby/", () => (stopped ? null : look()), { gather: 500, spread: 2500, again: AGAIN_MS });
  new MutationObserver(() => isOver() && !stopped && look()).observe(table, { attributeFilter: ["data-phase"] });
}
