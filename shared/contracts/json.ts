import { z } from "zod";

export type JsonValue = z.infer<ReturnType<typeof z.json>>;

/**
 * Any JSON value, of what was read from JSON. Not `z.json()`: that refers to itself, which clients' generators of types
 * cannot write down.
 */
export const jsonValueSchema = z.unknown() as z.ZodType as z.ZodType<JsonValue, JsonValue>;
