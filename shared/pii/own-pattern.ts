import type { Finder } from "./spans.ts";

const PASSED_OVER = /[\s.\-,]/;
/** At a text's end, fewer matching characters than this are not taken for the beginning of a pattern. */
const OPEN_MIN = 2;

/**
 * Finds an organization's own pattern, as described at `piiPolicySchema`. Takes linear time, as patterns have a known
 * length.
 */
export function ownPattern(pattern: string, mask: string): Finder {
  const elements = [...pattern.toLowerCase()].filter((character) => !PASSED_OVER.test(character));
  return {
    mask,
    find: (text) => {
      const found: { start: number; end: number }[] = [];
      let start = 0;
      while (start < text.length) {
        const { matched, end } = read(text, start, elements);
        const isWhole = matched === elements.length && isBoundary(text, start) && isBoundary(text, end);
        if (isWhole) found.push({ start, end });
        start = isWhole ? end : start + 1;
      }
      return found;
    },
    openFrom: (text) => {
      const from = Math.max(0, text.length - 2 * elements.length);
      const last = text.trimEnd().length;
      for (let start = from; start < text.length; start += 1) {
        if (!isBoundary(text, start)) continue;
        const { matched, at } = read(text, start, elements);
        if (at >= last && matched >= OPEN_MIN && matched < elements.length) return start;
      }
      return text.length;
    },
  };
}

/** How many elements match at `start`, where they end, and where the rest would go on. */
function read(text: string, start: number, elements: readonly string[]) {
  let at = start;
  let end = start;
  let matched = 0;
  for (const element of elements) {
    if (matched > 0 && PASSED_OVER.test(text[at] ?? "")) at += 1;
    if (at >= text.length || !isElement(text[at] ?? "", element)) break;
    at += 1;
    end = at;
    matched += 1;
  }
  return { matched, end, at };
}

function isElement(character: string, element: string): boolean {
  if (element === "#") return /\p{Nd}/u.test(character);
  if (element === "@") return /\p{L}/u.test(character);
  if (element === "*") return /[\p{L}\p{Nd}]/u.test(character);
  return character.toLowerCase() === element;
}

/** True when no letters or digits continue across `index`. */
function isBoundary(text: string, index: number): boolean {
  const isWordAt = (at: number): boolean => /[\p{L}\p{Nd}]/u.test(text[at] ?? "");
  return !(isWordAt(index - 1) && isWordAt(index));
}
