/** Words as they are compared: small letters, no accents, punctuation or filler between them. */
export function plainWords(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Whether these words are somewhere in the text, whole. */
export function saysWords(text: string, words: string): boolean {
  const wanted = plainWords(words);
  return wanted !== "" && ` ${plainWords(text)} `.includes(` ${wanted} `);
}
