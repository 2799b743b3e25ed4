/** Text without anything to say: vendors answer it with an error or with no audio. */
const UNSPEAKABLE = /^[\s\p{P}\p{S}]*$/u;
/** Places where a long text may be cut, the best first. */
const CUTS = [/[.!?।]["'”’)\]]*\s|[。！？]["'”’)\]」』]*/gu, /[,;:、，；—]\s*/gu, /\s/gu];

export function isSpeakable(text: string): boolean {
  return !UNSPEAKABLE.test(text);
}

/** Splits a text into pieces of at most `maxChars`: after a sentence, or else a clause, or else a word. */
export function splitText(text: string, maxChars: number): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > maxChars) {
    const at = cutPoint(rest, maxChars);
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return [...pieces, rest].filter(isSpeakable);
}

function cutPoint(text: string, maxChars: number): number {
  const head = text.slice(0, maxChars);
  for (const cut of CUTS) {
    const last = [...head.matchAll(cut)].at(-1);
    if (last && last.index > 0) return last.index + last[0].length;
  }
  // Never splits a surrogate pair.
  return /[\ud800-\udbff]$/.test(head) ? maxChars - 1 : maxChars;
}
