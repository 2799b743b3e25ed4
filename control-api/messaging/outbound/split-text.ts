/** WhatsApp takes no more in one message. */
const TEXT_MAX_CHARS = 4_096;
/** An end of a sentence, with what closes it, and the space after it. */
const SENTENCE_END = /[.!?…。！？]["'”’)\]]*\s+|\n+/gu;
const SPACE = /\s+/gu;

/** A long answer in parts that a message holds: at an end of a sentence, else between words, else anywhere. */
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
  // Not between the halves of a surrogate pair.
  const isHigh = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isHigh ? end - 1 : end;
}

/** Where the last match ends whose own characters still fit; the space after it need not. */
function lastEnd(head: string, pattern: RegExp, maxChars: number): number | undefined {
  let found: number | undefined;
  for (const match of head.matchAll(pattern)) {
    const kept = match.index + match[0].trimEnd().length;
    if (kept > 0 && kept <= maxChars) found = match.index + match[0].length;
  }
  return found;
}
