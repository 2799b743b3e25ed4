import { z } from "zod";

/** What may have changed in an organization, as pages ask for it again. */
const CHANGE_TOPICS = ["calls"] as const;

/**
 * The events of `GET /api/orgs/{orgId}/changes`, by name. They say what to ask for again and nothing of what is in it: who may
 * read that is decided where it is asked for.
 */
export const changeEvents = {
  changed: z.object({ topics: z.array(z.enum(CHANGE_TOPICS)) }),
} as const;
export type ChangeTopic = (typeof CHANGE_TOPICS)[number];
