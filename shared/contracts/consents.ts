import { z } from "zod";

/** OAuth consents at vendors and tool servers: what browsers bring along. */

const state = z.string().max(512).default("");

/** What a browser brings back from an authorization server. */
export const consentCallbackSchema = z.object({
  state,
  code: z.string().max(8_192).optional(),
  error: z.string().max(512).optional(),
  iss: z.string().max(2_048).optional(),
});

/** What a consent link carries. */
export const consentLinkSchema = z.object({ state });
