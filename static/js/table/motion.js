// Cards on the move. Motion shows what has happened and never waits for anything: what moves can be pressed, what is newer
// overtakes, and who wants a still screen, or looks elsewhere, gets one.

const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";
const COME_MS = 200;
const GO_MS = 230;
const DEAL_MS = 150;
const DEAL_STEP_MS = 7;
// A trick on its way out and the next one coming in. More than that means that the page has fallen behind: the older cards
// are where they belong at once.
const IN_THE_AIR = 8;

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
const flying = new Set();

export const isStill = () => calm.matches || document.hidden;

function run(node, frames, options) {
  const flight = node.animate(frames, { easing: EASE, fill: "backwards", ...options });
  flying.add(flight);
  const landed = flight.finished.catch(() => {}).then(() => flying.delete(flight));
  return { flight, landed };
}

export function settle() {
  for (const flight of flying) flight.finish();
}

// From a place on the screen to where the node lies now.
export function come(node, from, { grow = 1 } = {}) {
  if (isStill() || !from) return;
  if (flying.size >= IN_THE_AIR) settle();
  const [x, y] = between(node.getBoundingClientRect(), from);
  run(node, [{ transform: `translate(${x}px, ${y}px) scale(${grow})` }, { transform: "none" }], { duration: COME_MS });
}

// To a place on the screen, and away.
export function go(node, to) {
  if (isStill() || !to) return node.remove();
  const [x, y] = between(node.getBoundingClientRect(), to);
  const { landed } = run(node, [{}, { transform: `translate(${x}px, ${y}px) scale(0.35)`, opacity: 0.1 }], { duration: GO_MS, easing: "cubic-bezier(0.5, 0, 0.8, 0.5)" });
  return landed.then(() => node.remove());
}

// The hand as it is dealt, card after card from one place; it can be played from the first moment.
export function deal(nodes, from) {
  if (isStill() || !from) return;
  settle();
  nodes.forEach((node, order) => {
    const [x, y] = between(node.getBoundingClientRect(), from);
    run(node, [{ transform: `translate(${x}px, ${y}px) rotate(-8deg) scale(0.5)`, opacity: 0 }, {}], { duration: DEAL_MS, delay: order * DEAL_STEP_MS });
  });
}

function between(here, there) {
  return [there.left + there.width / 2 - here.left - here.width / 2, there.top + there.height / 2 - here.top - here.height / 2];
}
