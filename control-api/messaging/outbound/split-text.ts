import type { Provider } from "../channels/provider.ts";

/** WhatsApp's limit per message. */
const TEXT_MAX_CHARS = 4_096;
/** Instagram's limit, in bytes of UTF-8. */
const INSTAGRAM_MAX_BYTES = 1_000;
/** Upper bound per UTF-16 code unit. */
const BYTES_PER_CHAR = 3;
/** The end of a sentence, with closing punctuation and the whitespace after it. */
const SENTENCE_END = /[.!?…。！？]["'”’)\]]*\s+|\n+/gu;
const SPACE = /\s+/gu;

/** Splits a long answer into parts that a provider accepts. */
export function splitFor(provider: Provider, text: string): string[] {
  if (provider === "whatsapp") return splitText(text);
  const fits = (part: string): boolean => Buffer.byteLength(part) <= INSTAGRAM_MAX_BYTES;
  const perChar = Math.max(1, Buffer.byteLength(text) / Math.max(1, text.length));
  const parts = splitText(text, Math.floor(INSTAGRAM_MAX_BYTES / perChar));
  // This part has more multi-byte characters than average.
  const small = Math.floor(INSTAGRAM_MAX_BYTES / BYTES_PER_CHAR);
  return parts.flatMap((part) => (fits(part) ? [part] : splitText(part, small)));
}

/** Splits a long answer into message-sized parts: at the end of a sentence, else between words, else anywhere. */
export function splitText(text: string, maxChars = TEXT_MAX_CHARS): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > maxChars) {
    const end = endWithin(rest, maxChars);
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return rest === "" ? parts : [...parts, rest];
}

function endWithin(text: string, maxChars: number): number {
  const head = text.slice(0, maxChars + 1);
  const end = lastEnd(head, SENTENCE_END, maxChars) ?? lastEnd(head, SPACE, maxChars) ?? maxChars;
  // Never split a surrogate pair.
  const isHigh = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isHigh ? end - 1 : end;
}

/** End of the last match whose non-space characters still fit. */
function lastEnd(head: string, pattern: RegExp, maxChars: number): number | undefined {
  let found: number | undefined;
  for (const match of head.matchAll(pattern)) {
    const kept = match.index + match[0].trimEnd().length;
    if (kept > 0 && kept <= maxChars) found = match.index + match[0].length;
  }
  return found;
}
