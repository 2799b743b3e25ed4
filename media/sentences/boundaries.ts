import { EXCLAIMED_NAMES } from "./abbreviations.ts";
import { judgeFullStop, nextItemAt } from "./full-stop.ts";
import {
  CLOSERS,
  HARD_CLAUSE_MARKS,
  HARD_TERMINATORS,
  LINE_STARTERS,
  QUOTING_CLOSERS,
  SPACED_CLAUSE_MARKS,
  SPACED_DASHES,
  SPACED_TERMINATORS,
} from "./marks.ts";
import { judgeUnspaced } from "./unspaced.ts";

/** Text that may be cut; its white space is normalized (one blank, one line break or two). */
export interface OpenText {
  readonly text: string;
  /** True if nothing follows `text`. */
  readonly isComplete: boolean;
}

/** A place where `text` may be cut: `end` is the first character after the piece. */
export interface Boundary {
  readonly kind: "sentence" | "clause";
  readonly end: number;
}

/** Number of characters after a mark that are examined before the mark is judged. */
export const LOOKAHEAD_CHARS = 40;

const TERMINATORS = SPACED_TERMINATORS + HARD_TERMINATORS;

/** True if `text`, which nothing follows, ends a sentence. */
export function endsSentence(text: string): boolean {
  const end = [...text.trimEnd()].findLast((letter) => !CLOSERS.includes(letter));
  return end !== undefined && TERMINATORS.includes(end);
}

/**
 * Judges the mark at `at`: a boundary, none, or "unknown" until more text arrives. An answer other than "unknown" stays
 * the same whatever follows.
 */
export function boundaryAt(open: OpenText, at: number): Boundary | "none" | "unknown" {
  const mark = open.text[at] as string;
  if (mark === "\n") return lineBreakAt(open, at);
  if (TERMINATORS.includes(mark)) return terminatorAt(open, at);
  if (SPACED_CLAUSE_MARKS.includes(mark) || HARD_CLAUSE_MARKS.includes(mark)) return clauseMarkAt(open, at);
  if (SPACED_DASHES.includes(mark)) return dashAt(open, at);
  return "none";
}

/** A blank line, or a line break before a list item or heading. Any other line break is plain white space. */
function lineBreakAt({ text, isComplete }: OpenText, at: number): Boundary | "none" | "unknown" {
  const next = text[at + 1];
  if (next === undefined) return isComplete ? { kind: "sentence", end: at } : "unknown";
  return next === "\n" || LINE_STARTERS.includes(next) ? { kind: "sentence", end: at } : "none";
}

function terminatorAt({ text, isComplete }: OpenText, at: number): Boundary | "none" | "unknown" {
  // The first of several marks in a row ("?!", "...") is judged for all.
  if (TERMINATORS.includes(text[at - 1] ?? " ")) return "none";
  const marksEnd = skip(text, at, TERMINATORS);
  const end = skip(text, marksEnd, CLOSERS);
  if (end === text.length) return isComplete ? { kind: "sentence", end } : "unknown";
  const closers = text.slice(marksEnd, end);
  const isLinkText = closers.endsWith("]") && text[end] === "(";
  const isHard = HARD_TERMINATORS.includes(text[marksEnd - 1] as string);
  if (isLinkText) return "none";
  // 「はい。」と言った。: the quotation is part of its sentence.
  if (isHard)
    return isQuoting(closers) && /[とっ]/.test(text[end] as string) ? "none" : { kind: "sentence", end };
  if (!mayFollowSentence(text, end)) {
    const verdict = end === at + 1 ? judgeUnspaced(text, at, isComplete) : "goes-on";
    if (verdict === "ends") return { kind: "sentence", end };
    return verdict === "unknown" ? "unknown" : "none";
  }
  const next = text.slice(end).trimStart();
  const verdict = judgeTerminator(text, { at, marksEnd, closers, next });
  if (verdict === "ends" || (verdict === "unknown" && isComplete)) {
    const item = end === at + 1 ? nextItemAt(text, at) : undefined;
    return { kind: "sentence", end: item ?? end };
  }
  if (verdict === "unknown") return "unknown";
  return isEllipsis(text.slice(at, marksEnd)) ? { kind: "clause", end } : "none";
}

interface Terminator {
  readonly at: number;
  readonly marksEnd: number;
  readonly closers: string;
  readonly next: string;
}

function judgeTerminator(text: string, { at, marksEnd, closers, next }: Terminator) {
  const marks = text.slice(at, marksEnd);
  const isName =
    marks === "!" && EXCLAIMED_NAMES.has(/\p{L}*$/u.exec(text.slice(0, at))?.[0].toLowerCase() ?? "");
  // "Really?" she asked. And: well... maybe. And: Yahoo! is a company.
  if (isQuoting(closers) || isEllipsis(marks) || isName) {
    if (next === "") return "unknown";
    if (/^\p{Ll}/u.test(next)) return "goes-on";
  }
  return marks === "." ? judgeFullStop(text, at, next) : "ends";
}

function isQuoting(closers: string): boolean {
  return [...closers].some((closer) => QUOTING_CLOSERS.includes(closer));
}

function clauseMarkAt({ text, isComplete }: OpenText, at: number): Boundary | "none" | "unknown" {
  const end = skip(text, at + 1, CLOSERS);
  if (end === text.length) return isComplete ? { kind: "clause", end } : "unknown";
  const isHard = HARD_CLAUSE_MARKS.includes(text[at] as string);
  return isHard || isSpace(text[end]) ? { kind: "clause", end } : "none";
}

function dashAt({ text, isComplete }: OpenText, at: number): Boundary | "none" | "unknown" {
  // At the start of a line, the mark is a bullet.
  if (text[at - 1] !== " ") return "none";
  if (at + 1 === text.length) return isComplete ? "none" : "unknown";
  // A line break counts too: it may have been a blank before the rest of the white space arrived.
  return isSpace(text[at + 1]) ? { kind: "clause", end: at + 1 } : "none";
}

function isEllipsis(marks: string): boolean {
  return marks.endsWith("…") || marks.endsWith("..");
}

/** White space, a script without spaces, or an emoji: "Hello!你好", "Done.🎉". */
function mayFollowSentence(text: string, at: number): boolean {
  const next = String.fromCodePoint(text.codePointAt(at) as number);
  return /[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}]/u.test(next);
}

function isSpace(char: string | undefined): boolean {
  return char !== undefined && /\s/u.test(char);
}

/** First position from `at` on whose character is not in `chars`. */
function skip(text: string, at: number, chars: string): number {
  let end = at;
  while (end < text.length && chars.includes(text[end] as string)) end++;
  return end;
}
