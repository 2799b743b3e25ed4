/** A typed number; not a number where the field is empty, which would be a zero. */
export function numberIn(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}
