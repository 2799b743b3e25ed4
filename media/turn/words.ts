const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Words in any script; Chinese and Japanese, which have no spaces, are segmented. */
export function countWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words++;
  return words;
}
