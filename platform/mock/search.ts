import type { AppRecord } from "../methods/data.ts";

/** The records that have any of the words, those first that have most of them, and have them most often. */
export function byWords(records: readonly AppRecord[], search: string): AppRecord[] {
  const wanted = wordsIn(search);
  return records
    .map((record) => {
      const words = textsIn(record.data).flatMap(wordsIn);
      const counts = wanted.map((one) => words.filter((word) => word === one).length);
      return {
        record,
        found: counts.filter((count) => count > 0).length,
        count: counts.reduce((a, b) => a + b, 0),
      };
    })
    .filter(({ found }) => found > 0)
    .toSorted((a, b) => b.found - a.found || b.count - a.count)
    .map(({ record }) => record);
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
