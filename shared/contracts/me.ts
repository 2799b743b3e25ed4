import { z } from "zod";

/** `GET /api/v1/me`: whose key this is. */
export const meSchema = z.object({
  organization: z.object({ id: z.string(), name: z.string() }),
  key: z.object({ id: z.string(), name: z.string(), role: z.string(), lastFour: z.string() }),
});
