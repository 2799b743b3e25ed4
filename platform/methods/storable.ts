import { BridgeError } from "../wire/errors.ts";
import { RECORD_LIMITS } from "./limits.ts";

/** Texts that an order by number takes for their numeric value. */
export const NUMERIC_TEXT = /^-?\d{1,200}(\.\d{1,200})?$/;

/** A record's data as JSON, if a store takes it. Throws `BridgeError` too_large, invalid_arguments. */
export function storableJson(data: Readonly<Record<string, unknown>>): { json: string; bytes: number } {
  assertStorable(data, 0);
  const json = JSON.stringify(data);
  const bytes = new TextEncoder().encode(json).length;
  if (bytes > RECORD_LIMITS.recordBytes)
    throw new BridgeError(
      "too_large",
      `A record may have ${RECORD_LIMITS.recordBytes} bytes; this one has ${bytes}.`,
    );
  return { json, bytes };
}

function assertStorable(value: unknown, depth: number): void {
  if (typeof value === "string") assertText(value);
  if (typeof value !== "object" || value === null) return;
  if (depth >= RECORD_LIMITS.depth)
    throw new BridgeError(
      "invalid_arguments",
      `data may have objects and lists ${RECORD_LIMITS.depth} deep.`,
    );
  for (const [key, one] of Object.entries(value)) {
    assertText(key);
    assertStorable(one, depth + 1);
  }
}

function assertText(text: string): void {
  if (text.includes("\0") || !text.isWellFormed())
    throw new BridgeError(
      "invalid_arguments",
      "data has a text with NUL or half a character, which cannot be kept.",
    );
}
