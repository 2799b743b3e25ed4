import type { AppRecord } from "../methods/data.ts";

/** The records that have all of the words, those first that have them most often. */
export function byWords(records: readonly AppRecord[], search: string): AppRecord[] {
  const wanted = wordsIn(search);
  return records
    .map((record) => {
      const words = textsIn(record.data).flatMap(wordsIn);
      const counts = wanted.map((one) => words.filter((word) => word === one).length);
      return {
        record,
        isMatch: counts.every((count) => count > 0),
        count: counts.reduce((a, b) => a + b, 0),
      };
    })
    .filter(({ isMatch }) => wanted.length > 0 && isMatch)
    .toSorted((a, b) => b.count - a.count)
    .map(({ record }) => record);
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
