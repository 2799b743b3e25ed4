import { dtmfDigitSchema } from "@parley/shared/contracts/call-socket.ts";
import { plainEnglish } from "@parley/shared/contracts/plain-english.ts";
import { z } from "zod";
import type { MediaEvent } from "./media-serializer.ts";

/** An id assigned by the carrier, kept and sent back in every message. */
export const wireId = z.string().min(1).max(256);

/** Base64; characters outside the alphabet are skipped, as decoders do. */
const wireBytes = z
  .string()
  .min(1)
  .transform((payload): Uint8Array => Buffer.from(payload, "base64"));

/** A whole number, which some carriers send as a number and others as a string. */
export const wireNumber = z.union([
  z.number().int().min(0),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);

/** The part of `media` that all carriers share. */
export const wireMedia = z.object({
  track: z.string().optional(),
  payload: wireBytes,
});

/** Carriers write A to D in either case; webhooks use capitals (docs/webhooks.md#calldtmf). */
export const wireDigit = z.object({ digit: z.string().toUpperCase().pipe(dtmfDigitSchema) });
export const wireMark = z.object({ name: z.string().min(1).max(128) });

type Read<M> =
  | { readonly ok: true; readonly message: M }
  | { readonly ok: false; readonly event: MediaEvent };

/** Reads text messages by a carrier's schema; ignores events that the schema does not name, as carriers add some. */
export function createReader<M extends { event: string }>(
  schema: z.ZodType<M>,
  events: readonly M["event"][],
): (message: string | Uint8Array) => Read<M> {
  const known: ReadonlySet<unknown> = new Set(events);
  return (message) => {
    if (typeof message !== "string") return malformed("a binary message");
    const value = parseJson(message);
    if (typeof value !== "object" || value === null || !("event" in value)) {
      return malformed("a text message that is no JSON object with an event");
    }
    if (!known.has(value.event)) return { ok: false, event: { type: "ignored" } };
    const parsed = schema.safeParse(value, { error: plainEnglish });
    if (parsed.success) return { ok: true, message: parsed.data };
    const [issue] = parsed.error.issues;
    return malformed(`${String(value.event)}: ${issue?.path.join(".")}: ${issue?.message}`);
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function malformed(problem: string): { ok: false; event: MediaEvent } {
  return { ok: false, event: { type: "malformed", problem } };
}

/** Encodes bytes as base64 without copying them. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}
