/** Constants of the calls' contracts for pages that load no schema. */

/** The keys of a telephone pad (docs/webhooks.md#calldtmf). */
export const DTMF_DIGITS = [
  "0",
  "1",
  "2",
  "3",
  "4",
  "5",
  "6",
  "7",
  "8",
  "9",
  "#",
  "*",
  "A",
  "B",
  "C",
  "D",
] as const;
export type DtmfDigit = (typeof DTMF_DIGITS)[number];

/** Limit of a text that a caller types. */
export const MAX_TEXT_CHARS = 8_000;

/** Limit of the notes people write about a call. */
export const MAX_NOTES_CHARS = 10_000;
