/** Normalizes words for comparison: lower case, without accents, punctuation, or fillers. */
export function plainWords(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Whether the text contains these words as whole words. */
export function saysWords(text: string, words: string): boolean {
  const wanted = plainWords(words);
  return wanted !== "" && ` ${plainWords(text)} `.includes(` ${wanted} `);
}
