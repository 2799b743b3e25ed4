/** At most `maxBytes` of UTF-8, never splitting a character. */
export function truncateUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  const CONTINUES = 0b1000_0000;
  const MASK = 0b1100_0000;
  while (end > 0 && ((bytes[end] ?? 0) & MASK) === CONTINUES) end -= 1;
  return bytes.subarray(0, end).toString("utf8");
}
