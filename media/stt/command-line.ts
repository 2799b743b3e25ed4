import { AppError } from "@parley/shared/errors.ts";

/** A quoted or unquoted run, or an escaped character; anything else except spaces is a stray quote. */
const PIECE = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/gsy;

/**
 * Splits a command line into words as a shell would, with quotes and backslashes but no other shell features: no
 * variables, patterns or pipes. Throws `AppError` for an open quote and for an empty line.
 */
export function splitCommandLine(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const [piece, single, double, escaped, plain, space] of line.trim().matchAll(PIECE)) {
    end += piece.length;
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const text = single ?? double?.replace(/\\(["\\])/g, "$1") ?? escaped ?? plain ?? "";
    word = (word ?? "") + text;
  }
  if (word !== undefined) words.push(word);
  if (end < line.trim().length) {
    throw new AppError("validation_failed", "the recognizer's command line has a quote that is not closed");
  }
  if (words.length === 0) throw new AppError("validation_failed", "the recognizer's command line is empty");
  return words;
}
