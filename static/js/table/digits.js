// One digit system a screen: what the page writes passes through here, but for names, codes and keys.

const ARABIC = "٠١٢٣٤٥٦٧٨٩";
const ISOLATED = /(\u2068[^\u2069]*\u2069)/;
let system = "western";

export function useDigits(name) {
  system = name;
}

export const arabicDigits = () => system === "arabic";

// The text in the digits chosen; names, which stand in isolates, stay as their owners write them.
export function inDigits(text) {
  if (system !== "arabic" || !/\d/.test(text)) return text;
  return text.split(ISOLATED).map((piece) => (piece.startsWith("\u2068") ? piece : piece.replace(/\d/g, (digit) => ARABIC[digit]))).join("");
}
