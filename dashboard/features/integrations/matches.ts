/** Whether each search word is the prefix of a word in one of the texts. */
export function matches(search: string, texts: readonly string[]): boolean {
  const wanted = wordsOf(search);
  if (wanted.length === 0) return true;
  const words = texts.flatMap(wordsOf);
  return wanted.every((one) => words.some((word) => word.startsWith(one)));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
