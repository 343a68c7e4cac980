// Being told on this device while the site is closed: asked for here, and taken back.

const section = document.querySelector("[data-push]");
const on = section.querySelector("[data-push-on]");
const off = section.querySelector("[data-push-off]");
const state = section.querySelector("[data-push-state]");

function keyBytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function post(address, said) {
  const token = section.querySelector("[name=csrfmiddlewaretoken]").value;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  return fetch(address, { method: "POST", headers, body: JSON.stringify(said) });
}

async function registration() {
  const { pushWorker } = section.dataset;
  return navigator.serviceWorker.register(pushWorker, { scope: pushWorker.slice(0, pushWorker.lastIndexOf("/") + 1) });
}

async function show() {
  const found = await (await registration()).pushManager.getSubscription();
  const isDenied = Notification.permission === "denied";
  on.hidden = Boolean(found) || isDenied;
  off.hidden = !found;
  if (isDenied) state.textContent = gettext("Your browser does not let this site tell you anything. Allow it in the browser's settings.");
  else if (found) state.textContent = gettext("You are told on this device, though the site is closed.");
  else state.textContent = gettext("You are told on this device only while the site is open.");
}

async function subscribe() {
  const worker = await registration();
  const options = { userVisibleOnly: true, applicationServerKey: keyBytes(section.dataset.push) };
  const found = await worker.pushManager.subscribe(options);
  const answer = await post(section.dataset.pushAdd, found.toJSON());
  if (answer.ok) return;
  await found.unsubscribe();
  throw new Error((await answer.json()).message);
}

async function unsubscribe() {
  const found = await (await registration()).pushManager.getSubscription();
  if (!found) return;
  await post(section.dataset.pushEnd, { endpoint: found.endpoint });
  await found.unsubscribe();
}

function doing(act) {
  return async () => {
    try {
      await act();
      await show();
    } catch (fault) {
      state.textContent = fault.message || gettext("That did not work. Try again, or choose another way.");
    }
  };
}

if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
  section.hidden = false;
  on.addEventListener("click", doing(subscribe));
  off.addEventListener("click", doing(unsubscribe));
  show();
}
