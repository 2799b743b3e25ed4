import { wordsOf } from "../end-of-turn/words.ts";

/** Rate of a slow voice, which bounds the assumed length of a clause. */
const CHARS_PER_SECOND = 12;
/** Longest delay of words: a loudspeaker's delay plus the recognizer's time. */
const LATE_MS = 6_000;
const MAX_CLAUSES = 8;
/** How many words of an echo in a row the recognizer may miss. */
const MAX_MISSED = 2;
/** The agent's next words follow its last ones within this time; later, nobody knows where it is. */
const CONTINUES_WITHIN_MS = 2_500;
/** How many of them may be missed a second, because the caller is heard meanwhile. */
const MISSED_PER_SECOND = 3;
/** Fewer words in a row occur anywhere. */
const MIN_PLACED = 2;
/** Words of up to this many letters are compared exactly. */
const EXACT_LETTERS = 4;
/** One word in this many of an echo's text may be misheard. */
const MISHEARD_SHARE = 5;

interface SpokenClause {
  readonly words: readonly string[];
  /** Number of its first word in all that the agent said. */
  readonly from: number;
  readonly untilMs: number;
}

/** Number of the word that the agent says next, and when that was known. */
interface Place {
  readonly next: number;
  readonly atMs: number;
}

/** Some of the heard words, and the number of the agent's word after them. */
interface Run {
  readonly length: number;
  readonly next: number;
}

const NO_RUN: Run = { length: 0, next: 0 };

/** How a recognized text compares with what the agent has been saying. */
export interface WordMatch {
  readonly count: number;
  /** True if every word, except a few misheard ones, is the agent's, in its order. */
  readonly isAllMine: boolean;
  /** Number of the agent's words anywhere in the text. */
  readonly matched: number;
  /** Length of the run of the agent's words at the start of the text. */
  readonly leading: number;
  /** How many words at the start of the text are those with which the agent goes on after what was heard of it last. */
  readonly continues: number;
}

/** The agent's words of the last seconds, which may come back in recognized text. */
export class OwnWords {
  #clauses: readonly SpokenClause[] = [];
  #said = 0;
  /** Where the agent was last heard, and where it last began a clause. */
  #heard: Place | undefined;
  #begun: Place | undefined;
  /** The same as `#heard`, with text that still grows. */
  #growing: Place | undefined;

  /** Notes that a clause's audio starts to go out at `nowMs`. */
  spoken(text: string, nowMs: number): void {
    const untilMs = nowMs + (text.length * 1_000) / CHARS_PER_SECOND + LATE_MS;
    const words = wordsOf(text);
    this.#clauses = [...this.#clauses, { words, from: this.#said, untilMs }].slice(-MAX_CLAUSES);
    this.#begun = { next: this.#said, atMs: nowMs };
    this.#said += words.length;
  }

  match(text: string, nowMs: number): WordMatch {
    const heard = wordsOf(text);
    const { words: mine, from } = this.#mine(nowMs);
    const leading = longestRun(heard, 0, mine).length;
    let matched = 0;
    for (let at = 0; at < heard.length; ) {
      const run = longestRun(heard, at, mine).length;
      matched += run;
      at += Math.max(1, run);
    }
    const misheard = heard.length - matched;
    const isAllMine = matched > 0 && misheard <= Math.floor(heard.length / MISHEARD_SHARE);
    const continues = this.#continuing(heard, mine, from, nowMs).length;
    return { count: heard.length, isAllMine, matched, leading, continues };
  }

  /** Notes that `text` was the agent's, at least at its beginning. */
  heard(text: string, isFinal: boolean, nowMs: number): void {
    const words = wordsOf(text);
    const { words: mine, from } = this.#mine(nowMs);
    const continuing = this.#continuing(words, mine, from, nowMs);
    const run = continuing.length > 0 ? continuing : longestRun(words, 0, mine);
    const isPlaced = continuing.length > 0 || run.length >= Math.min(MIN_PLACED, words.length);
    const next = from + run.next;
    if (run.length > 0 && isPlaced && this.#growing?.next !== next) this.#growing = { next, atMs: nowMs };
    if (!isFinal) return;
    this.#heard = this.#growing ?? this.#heard;
    this.#growing = undefined;
  }

  /** How many of the words at either end are those with which the agent goes on, around another's words. */
  around(words: readonly string[], nowMs: number): { before: number; after: number } {
    const { words: mine, from } = this.#mine(nowMs);
    const before = this.#continuing(words, mine, from, nowMs).length;
    for (let first = before + 1; first < words.length; first++) {
      const rest = [...words.slice(0, before), ...words.slice(first)];
      if (this.#continuing(rest, mine, from, nowMs).length === rest.length) {
        return { before, after: words.length - first };
      }
    }
    return { before, after: 0 };
  }

  /** What the agent may have said in the last seconds; `from` is the number of the first word. */
  #mine(nowMs: number): { words: readonly string[]; from: number } {
    const clauses = this.#clauses.filter(({ untilMs }) => untilMs >= nowMs);
    return { words: clauses.flatMap(({ words }) => words), from: clauses[0]?.from ?? this.#said };
  }

  #continuing(heard: readonly string[], mine: readonly string[], from: number, nowMs: number): Run {
    let longest = NO_RUN;
    // What was heard of the clause already is not its beginning any more.
    const isPast = (this.#heard?.next ?? 0) > (this.#begun?.next ?? 0);
    for (const place of isPast ? [this.#heard] : [this.#heard, this.#begun]) {
      if (place === undefined || place.next < from) continue;
      const sinceMs = nowMs - Math.max(place.atMs, this.#growing?.atMs ?? place.atMs);
      if (sinceMs > CONTINUES_WITHIN_MS) continue;
      const missed = MAX_MISSED + Math.round((sinceMs * MISSED_PER_SECOND) / 1_000);
      const start = place.next - from;
      const first = mine.slice(start, start + missed + 1).findIndex((own) => isSame(heard[0], own));
      if (first === -1) continue;
      const run = runFrom(heard, 0, { mine, start: start + first });
      if (run.length > longest.length) longest = run;
    }
    return longest;
  }
}

/** `text` without its first `count` words. */
export function afterWords(text: string, count: number): string {
  const pieces = text.split(/\s+/u);
  let left = count;
  const from = pieces.findIndex((piece) => left === 0 || (wordsOf(piece).length > 0 && left-- < 1));
  return from === -1 ? "" : pieces.slice(from).join(" ");
}

/** The most of the heard words from position `from` on that are the agent's, in its order; the last such if several. */
function longestRun(heard: readonly string[], from: number, mine: readonly string[]): Run {
  let longest = NO_RUN;
  for (let start = 0; start < mine.length; start++) {
    if (!isSame(heard[from], mine[start])) continue;
    const run = runFrom(heard, from, { mine, start });
    if (run.length >= longest.length) longest = run;
  }
  return longest;
}

function runFrom(
  heard: readonly string[],
  from: number,
  { mine, start }: { mine: readonly string[]; start: number },
): Run {
  let length = 0;
  let next = start;
  while (from + length < heard.length) {
    const word = heard[from + length];
    const candidates = mine.slice(next, next + 1 + MAX_MISSED);
    const found = candidates.findIndex((own) => isSame(word, own));
    if (found === -1) break;
    next += found + 1;
    length += 1;
  }
  return { length, next };
}

/** One letter in four may differ, because recognizers write what they hear; but "what" is not "that". */
function isSame(heard: string | undefined, own: string | undefined): boolean {
  if (heard === undefined || own === undefined) return false;
  if (heard === own) return true;
  if (Math.max(heard.length, own.length) <= EXACT_LETTERS) return false;
  const allowed = Math.floor(Math.min(heard.length, own.length) / 4);
  return allowed > 0 && Math.abs(heard.length - own.length) <= allowed && editsBetween(heard, own) <= allowed;
}

/** Number of letters to change, add or remove to turn one word into the other (Levenshtein). */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isEqual = a[i - 1] === b[j - 1];
      const change = (row[j - 1] as number) + (isEqual ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
