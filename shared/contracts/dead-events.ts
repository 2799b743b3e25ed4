import { z } from "zod";

/** Where call events end that can never be recorded, until somebody has looked at them (`scripts/dead-events.ts`). */
export const DEAD_EVENTS_STREAM = "call-events:dead";

/** How many of them are kept, the newest: a fault that kills every event must not fill Redis. */
export const MAX_DEAD_EVENTS = 10_000;

export const deadEventSchema = z.object({
  /** RFC 3339 UTC: when it was given up. */
  at: z.iso.datetime({ precision: 3 }),
  /** Why, in the words of the database or of the schema. */
  reason: z.string(),
  /** How often writing it was tried; 0: it could not be read. */
  tries: z.int().min(0),
  /** Its place in the stream it came from. */
  entryId: z.string(),
  /** The entry as it was read. */
  payload: z.string(),
});
export type DeadEvent = z.infer<typeof deadEventSchema>;
