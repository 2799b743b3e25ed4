const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Counts words in any script; Chinese, Japanese and Thai, which have no spaces, are segmented by dictionary. */
export function countWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words++;
  return words;
}

/** Lower-case words between spaces, without surrounding punctuation. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll("’", "'")
    .split(/\s+/u)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, ""))
    .filter((word) => word !== "");
}
