import { wordsOf } from "../end-of-turn/words.ts";

/** Rate of a slow voice, which bounds the assumed length of a clause. */
const CHARS_PER_SECOND = 12;
/** Longest delay of words: a loudspeaker's delay plus the recognizer's time. */
const LATE_MS = 6_000;
const MAX_CLAUSES = 8;
/** How many words of an echo in a row the recognizer may miss. */
const MAX_MISSED = 2;
/** One word in this many of an echo's text may be misheard. */
const MISHEARD_SHARE = 5;

interface SpokenClause {
  readonly words: readonly string[];
  readonly untilMs: number;
}

/** How a recognized text compares with what the agent has been saying. */
export interface WordMatch {
  readonly count: number;
  /** True if every word, except a few misheard ones, is the agent's, in its order. */
  readonly isAllMine: boolean;
  /** Number of the agent's words anywhere in the text. */
  readonly matched: number;
  /** Length of the run of the agent's words at the start of the text. */
  readonly leading: number;
}

/** The agent's words of the last seconds, which may come back in recognized text. */
export class OwnWords {
  #clauses: readonly SpokenClause[] = [];

  /** Notes that a clause's audio starts to go out at `nowMs`. */
  spoken(text: string, nowMs: number): void {
    const untilMs = nowMs + (text.length * 1_000) / CHARS_PER_SECOND + LATE_MS;
    this.#clauses = [...this.#clauses, { words: wordsOf(text), untilMs }].slice(-MAX_CLAUSES);
  }

  match(text: string, nowMs: number): WordMatch {
    const heard = wordsOf(text);
    const mine = this.#clauses.flatMap(({ words, untilMs }) => (untilMs >= nowMs ? words : []));
    const leading = longestRun(heard, 0, mine);
    let matched = 0;
    for (let at = 0; at < heard.length; ) {
      const run = longestRun(heard, at, mine);
      matched += run;
      at += Math.max(1, run);
    }
    const misheard = heard.length - matched;
    const isAllMine = matched > 0 && misheard <= Math.floor(heard.length / MISHEARD_SHARE);
    return { count: heard.length, isAllMine, matched, leading };
  }
}

/** `text` without its first `count` words. */
export function afterWords(text: string, count: number): string {
  const pieces = text.split(/\s+/u);
  let left = count;
  const from = pieces.findIndex((piece) => left === 0 || (wordsOf(piece).length > 0 && left-- < 1));
  return from === -1 ? "" : pieces.slice(from).join(" ");
}

/** How many of the heard words from position `from` on are the agent's, in its order. */
function longestRun(heard: readonly string[], from: number, mine: readonly string[]): number {
  let longest = 0;
  for (let start = 0; start < mine.length; start++) {
    if (!isSame(heard[from], mine[start])) continue;
    longest = Math.max(longest, runFrom(heard, from, mine.slice(start)));
  }
  return longest;
}

function runFrom(heard: readonly string[], from: number, mine: readonly string[]): number {
  let length = 0;
  let next = 0;
  while (from + length < heard.length) {
    const word = heard[from + length];
    const candidates = mine.slice(next, next + 1 + MAX_MISSED);
    const found = candidates.findIndex((own) => isSame(word, own));
    if (found === -1) break;
    next += found + 1;
    length += 1;
  }
  return length;
}

/** One letter in four may differ: recognizers write what they hear. */
function isSame(heard: string | undefined, own: string | undefined): boolean {
  if (heard === undefined || own === undefined) return false;
  if (heard === own) return true;
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
