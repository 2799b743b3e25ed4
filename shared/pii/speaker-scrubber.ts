import { digitRuns } from "./digit-runs.ts";
import type { Scrubber } from "./scrubber.ts";
import { replaceSpans, type Span } from "./spans.ts";

/** What is looked at of what somebody said before; longer than anything the rules know. */
const WINDOW_CHARS = 256;
/** So many digits of a number that was let go in parts may be kept; those that follow are masked as they come. */
const KEPT_DIGITS = 6;

/** Something that was said, while it may still be changed. */
export interface Utterance {
  readonly raw: string;
  readonly spans: Span[];
  /** It may end with the beginning of something that must not be kept. */
  isOpen: boolean;
  /** That beginning, where there is one. */
  openSpan: Span | undefined;
  /** It was let go; nothing about it can be changed any more. */
  isOut: boolean;
}

/**
 * Masks what one speaker says also where it goes over from one message to the next: what is masked in the last
 * message is masked in the ones before as well, as long as they were not let go.
 */
export class SpeakerScrubber {
  readonly #scrubber: Scrubber;
  #said: Utterance[] = [];

  constructor(scrubber: Scrubber) {
    this.#scrubber = scrubber;
  }

  add(raw: string): Utterance {
    const utterance: Utterance = { raw, spans: [], isOpen: false, openSpan: undefined, isOut: false };
    this.#said.push(utterance);
    const whole = this.#whole();
    const found = this.#scrubber.find(whole);
    const open = this.#scrubber.findOpen(whole);
    if (open && this.#goesOnTooLong(whole, open)) {
      found.push({ ...open, start: Math.max(open.start, whole.length - raw.length) });
    }
    let start = 0;
    for (const one of this.#said) {
      const end = start + one.raw.length;
      for (const span of found) {
        if (span.start >= end || span.end <= start) continue;
        one.spans.push(within(span, start, end));
      }
      one.isOpen = open !== undefined && end > open.start;
      one.openSpan = open && one.isOpen ? within(open, start, end) : undefined;
      start = end + 1;
    }
    this.#forget(whole.length);
    return utterance;
  }

  /** What is being said and not over: what it may turn out to be is masked already. */
  partial(text: string): string {
    const before = this.#whole();
    const whole = before === "" ? text : `${before} ${text}`;
    const offset = whole.length - text.length;
    const open = this.#scrubber.findOpen(whole);
    const spans = [...this.#scrubber.find(whole), ...(open ? [open] : [])]
      .filter(({ end }) => end > offset)
      .map((span) => ({ ...span, start: Math.max(0, span.start - offset), end: span.end - offset }));
    return replaceSpans(text, spans);
  }

  #whole(): string {
    return this.#said.map(({ raw }) => raw).join(" ");
  }

  /** Its beginning was let go, and it has more digits by now than may be kept of it. */
  #goesOnTooLong(whole: string, open: Span): boolean {
    let start = 0;
    const hasLeft = this.#said.some((one) => {
      const end = start + one.raw.length;
      start = end + 1;
      return one.isOut && end > open.start;
    });
    return hasLeft && (digitRuns(whole.slice(open.start))[0]?.digits.length ?? 0) > KEPT_DIGITS;
  }

  #forget(length: number): void {
    let kept = length;
    while (this.#said.length > 1 && kept > WINDOW_CHARS && this.#said[0]?.isOpen === false) {
      kept -= (this.#said.shift()?.raw.length ?? 0) + 1;
    }
  }
}

/** What of `span` lies in the part of a text from `start` to `end`, counted from there. */
function within(span: Span, start: number, end: number): Span {
  return { ...span, start: Math.max(0, span.start - start), end: Math.min(end, span.end) - start };
}

/** What may be shown of an utterance that is not let go: what it may turn out to be is masked already. */
export function previewOf({ raw, spans, openSpan }: Utterance): string {
  return replaceSpans(raw, openSpan ? [...spans, openSpan] : spans);
}

/** What is let go of an utterance. */
export function release(utterance: Utterance): string {
  utterance.isOut = true;
  return replaceSpans(utterance.raw, utterance.spans);
}
