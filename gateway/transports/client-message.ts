import {
  CLIENT_MESSAGE_TYPES,
  type ClientMessage,
  clientMessageSchema,
  type SocketErrorCode,
} from "@parley/shared/contracts/call-socket.ts";
import { plainEnglish } from "@parley/shared/contracts/plain-english.ts";
import { problemsOf, sentenceOf } from "@parley/shared/contracts/problems.ts";
import type { z } from "zod";

/** A message from the client, or a description of its fault that the client's developer can act on. */
export type ParsedMessage =
  | { readonly ok: true; readonly message: ClientMessage }
  | { readonly ok: false; readonly code: SocketErrorCode; readonly problem: string };

/** More would say nothing new. */
const MAX_PROBLEMS = 3;
const KNOWN_TYPES: ReadonlySet<unknown> = new Set(CLIENT_MESSAGE_TYPES);

/** Parses one text message of the call socket. Never throws. */
export function parseClientMessage(text: string): ParsedMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, code: "malformed_json", problem: "The text message is not JSON." };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, code: "invalid_message", problem: "A message is a JSON object with a type." };
  }
  const type = "type" in value ? value.type : undefined;
  if (!KNOWN_TYPES.has(type)) {
    const known = CLIENT_MESSAGE_TYPES.join(", ");
    const named = typeof type === "string" ? `"${type.slice(0, 40)}"` : "missing or not a string";
    return { ok: false, code: "unknown_type", problem: `The type is ${named}; known types: ${known}.` };
  }
  const parsed = clientMessageSchema.safeParse(value, { error: plainEnglish });
  if (parsed.success) return { ok: true, message: parsed.data };
  return { ok: false, code: "invalid_message", problem: describe(parsed.error) };
}

function describe(error: z.ZodError): string {
  return problemsOf(error.issues, "message").slice(0, MAX_PROBLEMS).map(sentenceOf).join("; ");
}
