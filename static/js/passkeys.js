// Passkeys: the browser's own way to make one and to show one. A form with data-passkey waits for it.
//   make   a new one, by the options in the page
//   ask    one that the page's options name
//   enter  any that this site knows, by options asked for at that moment

const FROM_BYTES = [["+", "-"], ["/", "_"], ["=", ""]];

function toBytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function toText(buffer) {
  const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return FROM_BYTES.reduce((text, [from, to]) => text.replaceAll(from, to), plain);
}

function named(list) {
  return list?.map((one) => ({ ...one, id: toBytes(one.id) }));
}

function makingOptions({ publicKey }) {
  return {
    ...publicKey,
    challenge: toBytes(publicKey.challenge),
    user: { ...publicKey.user, id: toBytes(publicKey.user.id) },
    excludeCredentials: named(publicKey.excludeCredentials),
    // It opens the account by itself: the device keeps it, and asks who holds it.
    authenticatorSelection: {
      ...publicKey.authenticatorSelection,
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
  };
}

function askingOptions({ publicKey }) {
  return {
    ...publicKey,
    challenge: toBytes(publicKey.challenge),
    allowCredentials: named(publicKey.allowCredentials),
  };
}

function asJson(credential) {
  const { response } = credential;
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const present = parts.filter((part) => response[part]);
  return {
    id: credential.id,
    rawId: toText(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: Object.fromEntries(present.map((part) => [part, toText(response[part])])),
  };
}

function optionsInPage() {
  return JSON.parse(document.getElementById("passkey-options").textContent);
}

async function optionsOf(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()).request_options;
}

const WAYS = {
  make: async () => navigator.credentials.create({ publicKey: makingOptions(optionsInPage().creation_options) }),
  ask: async () => navigator.credentials.get({ publicKey: askingOptions(optionsInPage().request_options) }),
  enter: async (form) => navigator.credentials.get({ publicKey: askingOptions(await optionsOf(form.action)) }),
};

async function answer(event) {
  const form = event.currentTarget;
  event.preventDefault();
  const button = form.querySelector("button:not([type=button])");
  const error = form.querySelector("[data-passkey-error]");
  button.disabled = true;
  error.hidden = true;
  try {
    const credential = await WAYS[form.dataset.passkey](form);
    form.elements.credential.value = JSON.stringify(asJson(credential));
    form.submit();
  } catch (fault) {
    sayIn(error, words(fault));
    button.disabled = false;
  }
}

function sayIn(place, text) {
  place.textContent = text;
  place.hidden = false;
}

function words(fault) {
  if (fault.name === "InvalidStateError") return gettext("This device has a passkey for your account already.");
  if (fault.name === "NotAllowedError") return gettext("No passkey was given. Try again, or choose another way.");
  if (fault.name === "SecurityError") return gettext("Passkeys work here under the site's own name only, over a safe connection.");
  return gettext("That did not work. Try again, or choose another way.");
}

for (const form of document.querySelectorAll("[data-passkey]")) {
  if (!window.PublicKeyCredential) {
    if (form.dataset.passkey !== "enter") sayIn(form.querySelector("[data-passkey-error]"), gettext("This browser knows no passkeys."));
    continue;
  }
  form.hidden = false;
  form.addEventListener("submit", answer);
}
