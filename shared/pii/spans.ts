/** A part of a text, excluding `end`, and its replacement. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
}

/** Finds the matches of one rule. */
export interface Finder {
  readonly mask: string;
  find(text: string): readonly Omit<Span, "mask">[];
  /** Where something begins that later words could complete; the text's length when nothing does. */
  openFrom(text: string): number;
}

/** Replaces every span of `text`; overlapping or touching spans share one mask. */
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
