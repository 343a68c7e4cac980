// The sounds of the table, made here: cards are breaths of noise, everything else is a plucked string.
// Browsers let a page be heard only after the first touch or key, so nothing is made before it.

const LOUDNESS = 0.32;
const [D4, F4, A4, C5, D5, F5, A5] = [293.7, 349.2, 440, 523.3, 587.3, 698.5, 880];
// The notes of each sound: [Hz, seconds from its start, loudness].
const TUNES = {
  turn: [[A4, 0, 0.8], [D5, 0.09, 0.9]],
  short: [[A5, 0, 0.6], [A5, 0.16, 0.6]],
  deal: [[D4, 0, 0.7], [F4, 0.1, 0.7], [A4, 0.2, 0.8]],
  won: [[D4, 0, 0.8], [A4, 0.12, 0.8], [D5, 0.24, 0.9], [F5, 0.36, 0.9], [A5, 0.48, 1]],
  over: [[A4, 0, 0.8], [F4, 0.16, 0.7], [D4, 0.32, 0.8]],
  message: [[C5, 0, 0.5], [F5, 0.07, 0.4]],
};

export class Sound {
  constructor(settings) {
    this.settings = settings;
    this.strings = new Map();
    for (const gesture of ["pointerdown", "keydown"]) document.addEventListener(gesture, () => this.wake(), { capture: true, passive: true });
  }

  wake() {
    if (!this.settings.sound || !window.AudioContext) return;
    if (!this.context) {
      this.context = new AudioContext({ latencyHint: "interactive" });
      this.out = new GainNode(this.context, { gain: LOUDNESS });
      this.out.connect(new DynamicsCompressorNode(this.context)).connect(this.context.destination);
    }
    if (this.context.state === "suspended") this.context.resume();
  }

  play(name) {
    if (!this.settings.sound || this.context?.state !== "running") return;
    if (name === "card") this.breath(0, 2600, 0.05, 0.5);
    else if (name === "trick") [0, 0.05].forEach((at, step) => this.breath(at, 900 + step * 500, 0.09, 0.45));
    else for (const [pitch, at, loudness] of TUNES[name]) this.pluck(pitch, at, loudness);
  }

  // Noise through a band: paper on felt.
  breath(at, pitch, seconds, loudness) {
    const { context } = this;
    this.noise ??= filled(context, 0.2, () => Math.random() * 2 - 1);
    const band = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 0.8 });
    this.sound(this.noise, at, loudness, seconds, band);
  }

  pluck(pitch, at, loudness) {
    if (!this.strings.has(pitch)) this.strings.set(pitch, string(this.context, pitch));
    this.sound(this.strings.get(pitch), at, loudness, 0.7, new BiquadFilterNode(this.context, { type: "lowpass", frequency: 3200 }));
  }

  sound(buffer, at, loudness, seconds, filter) {
    const { context } = this;
    const start = context.currentTime + at;
    const source = new AudioBufferSourceNode(context, { buffer });
    const envelope = new GainNode(context, { gain: loudness });
    envelope.gain.setValueAtTime(loudness, start);
    envelope.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    source.connect(filter).connect(envelope).connect(this.out);
    source.start(start);
    source.stop(start + seconds);
  }
}

function filled(context, seconds, sample) {
  const buffer = new AudioBuffer({ length: Math.ceil(seconds * context.sampleRate), sampleRate: context.sampleRate });
  const wave = buffer.getChannelData(0);
  for (let at = 0; at < wave.length; at++) wave[at] = sample(at, wave);
  return buffer;
}

// A burst of noise that goes round and loses its edges, as a plucked string does.
function string(context, pitch) {
  const period = Math.round(context.sampleRate / pitch);
  return filled(context, 0.7, (at, wave) => (at < period ? Math.random() * 2 - 1 : 0.4985 * (wave[at - period] + wave[at - period + 1])));
}

// What is to be heard of a change, the weightiest alone: a card and the turn that it brings are two.
export function heardOf(before, after) {
  if (!before) return [];
  if (after.phase === "over") return before.phase === "over" ? [] : [after.result && after.result.winner === sideOf(after) ? "won" : "over"];
  if (after.phase === "deal" && before.phase !== "deal") return ["deal"];
  const mine = after.turn !== null && after.turn === after.you && (before.turn !== after.turn || before.phase !== after.phase);
  return [laid(before, after), mine && "turn"].filter(Boolean);
}

function laid(before, after) {
  if (JSON.stringify(before.last_trick) !== JSON.stringify(after.last_trick) && after.last_trick) return "trick";
  // The own card was heard when it was pressed.
  return after.trick.length !== before.trick.length && after.trick.length > 0 && after.trick.at(-1)[0] !== after.you && "card";
}

const sideOf = ({ you }) => (you === null ? null : you % 2);
