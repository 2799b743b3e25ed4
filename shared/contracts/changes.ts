import { z } from "zod";

/** Topics of possible changes in an organization, matching what pages request again. */
export const CHANGE_TOPICS = ["calls"] as const;

/**
 * The events of `GET /api/orgs/{orgId}/changes`, by name. They say what to request again but carry no content: the
 * request itself checks who may read it.
 */
export const changeEvents = {
  changed: z.object({ topics: z.array(z.enum(CHANGE_TOPICS)) }),
} as const;
export type ChangeTopic = (typeof CHANGE_TOPICS)[number];
