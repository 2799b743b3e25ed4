import { z } from "zod";

/** Call events that can never be recorded, kept until someone has looked at them (`scripts/dead-events.ts`). */
export const DEAD_EVENTS_STREAM = "call-events:dead";

/** Maximum kept, the newest: a fault that kills every event must not fill Redis. */
export const MAX_DEAD_EVENTS = 10_000;

export const deadEventSchema = z.object({
  /** RFC 3339 UTC: when the event was given up. */
  at: z.iso.datetime({ precision: 3 }),
  /** Why, as reported by the database or the schema. */
  reason: z.string(),
  /** Attempts to write the event; 0: it could not be read. */
  tries: z.int().min(0),
  /** The entry's id in its original stream. */
  entryId: z.string(),
  /** The entry as it was read. */
  payload: z.string(),
});
export type DeadEvent = z.infer<typeof deadEventSchema>;
