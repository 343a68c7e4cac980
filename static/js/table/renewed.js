// The session of this page has ended. Perhaps the browser has another one by now: a guest made an account in a second
// tab, a password was changed, somebody logged in again. Then the page is loaded anew, as that player's.

const AGAIN_AFTER_MS = 30000;
// The answer that brings the browser its new session may come later than the end of the old one.
const PAUSES_MS = [0, 2000, 5000];

// `settled()` is called where the page stays as it is for now: `asking` tells whether the first answer is still out.
export function renewal(user, login, settled) {
  const now = { asking: Boolean(user) && isLongAgo() };
  if (now.asking) ask(now, login, settled);
  return now;
}

async function ask(now, login, settled) {
  for (const pause of PAUSES_MS) {
    await new Promise((go) => setTimeout(go, pause));
    if (await isSignedIn(login)) return location.reload();
    now.asking = false;
    settled();
  }
  return undefined;
}

// Who is logged in is led on from the page of logging in.
async function isSignedIn(login) {
  const answer = await fetch(login, { redirect: "manual", cache: "no-store" }).catch(() => null);
  return answer?.type === "opaqueredirect";
}

// No page is loaded again and again.
function isLongAgo() {
  const before = Number(sessionStorage.getItem("renewed"));
  if (Date.now() - before < AGAIN_AFTER_MS) return false;
  sessionStorage.setItem("renewed", Date.now());
  return true;
}
