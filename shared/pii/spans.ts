/** A part of a text, `end` not included, and what stands there instead. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
}

/** Finds what one rule is about. */
export interface Finder {
  readonly mask: string;
  find(text: string): readonly Omit<Span, "mask">[];
  /** Where something begins that the words to come could complete; the text's length when nothing does. */
  openFrom(text: string): number;
}

/** `text` with every span replaced; where spans overlap or touch, one mask stands for all of them. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  const ordered = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let masked = "";
  let at = 0;
  for (const { start, end, mask } of ordered) {
    if (end <= at) continue;
    masked += start >= at ? text.slice(at, start) + mask : "";
    at = end;
  }
  return masked + text.slice(at);
}
