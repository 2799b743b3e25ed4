import { z } from "zod";

export type JsonValue = z.infer<ReturnType<typeof z.json>>;

/** Any JSON value, for input parsed from JSON. Not `z.json()`: its self-reference breaks clients' type generators. */
export const jsonValueSchema = z.unknown() as z.ZodType as z.ZodType<JsonValue, JsonValue>;
