import {
  CLOSERS,
  HARD_CLAUSE_MARKS,
  HARD_TERMINATORS,
  SPACED_CLAUSE_MARKS,
  SPACED_TERMINATORS,
} from "./marks.ts";

const MARKS = HARD_TERMINATORS + SPACED_TERMINATORS + HARD_CLAUSE_MARKS + SPACED_CLAUSE_MARKS;
/** Scripts that write words without blanks between them, so any character may end a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

/** End of the last word of `text` that is certainly whole: the text's end after a mark, or else its last blank. */
export function wordsEnd(text: string): number {
  let end = text.length;
  while (end > 0 && CLOSERS.includes(text[end - 1] as string)) end--;
  const isWhole = MARKS.includes(text[end - 1] ?? " ") || UNSPACED.test(text.slice(-2));
  return isWhole ? text.length : lastBlank(text);
}

/** The position after the last blank or line break, 0 if there is none. */
export function lastBlank(text: string): number {
  return Math.max(text.lastIndexOf(" "), text.lastIndexOf("\n")) + 1;
}
