import { digitRuns } from "./digit-runs.ts";
import type { Scrubber } from "./scrubber.ts";
import { replaceSpans, type Span } from "./spans.ts";

/** How much of the speaker's earlier text is searched; longer than any match of the rules. */
const WINDOW_CHARS = 256;
/** Digits of a partly released number that may remain unmasked; later digits are masked as they come. */
const KEPT_DIGITS = 6;

/** An utterance, which may change until it is released. */
export interface Utterance {
  readonly raw: string;
  readonly spans: Span[];
  /** Whether it may end with the beginning of something that must not be kept. */
  isOpen: boolean;
  /** That beginning, if there is one. */
  openSpan: Span | undefined;
  /** Whether it was released, after which nothing about it can change. */
  isOut: boolean;
}

/**
 * Masks one speaker's words across messages, too: a match that ends in the last message is also masked in the earlier
 * ones, as long as those were not released.
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

  /** Masks a partial transcript, including what it may still turn out to be. */
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

  /** The number's beginning was released, and it now has more digits than may be kept. */
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

/** The part of `span` inside a text's range from `start` to `end`, relative to that range. */
function within(span: Span, start: number, end: number): Span {
  return { ...span, start: Math.max(0, span.start - start), end: Math.min(end, span.end) - start };
}

/** What may be shown of an unreleased utterance, with everything it may turn out to be already masked. */
export function previewOf({ raw, spans, openSpan }: Utterance): string {
  return replaceSpans(raw, openSpan ? [...spans, openSpan] : spans);
}

/** Releases an utterance and returns its masked text. */
export function release(utterance: Utterance): string {
  utterance.isOut = true;
  return replaceSpans(utterance.raw, utterance.spans);
}
