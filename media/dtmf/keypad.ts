import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";

/** The two groups of tones; a key combines one of each (ITU-T Q.23). */
export const ROW_HZ = [697, 770, 852, 941] as const;
export const COLUMN_HZ = [1209, 1336, 1477, 1633] as const;

const KEYS: readonly (readonly DtmfDigit[])[] = [
  ["1", "2", "3", "A"],
  ["4", "5", "6", "B"],
  ["7", "8", "9", "C"],
  ["*", "0", "#", "D"],
];

/** The key at the given row and column tone. */
export function keyAt(row: number, column: number): DtmfDigit | undefined {
  return KEYS[row]?.[column];
}

const TONES = new Map<string, readonly [rowHz: number, columnHz: number]>(
  ROW_HZ.flatMap((rowHz, row) =>
    COLUMN_HZ.map((columnHz, column) => [keyAt(row, column) as string, [rowHz, columnHz] as const]),
  ),
);

/** Both tones of a key; accepts lower-case letters. Undefined if `key` is no key. */
export function tonesOf(key: string): readonly [rowHz: number, columnHz: number] | undefined {
  return TONES.get(key.toUpperCase());
}
