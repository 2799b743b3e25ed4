import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** `GET /api/orgs/{orgId}/notices`: what does not work in an organization, and which of its parts a person must mend. */

const noticeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("webhook_disabled"), id: z.string(), url: z.string(), reason: z.string() }),
  /** Of the `tried` deliveries since it began to fail, `missed` have not arrived. */
  z.object({
    kind: z.literal("webhook_failing"),
    id: z.string(),
    url: z.string(),
    missed: z.int(),
    tried: z.int(),
  }),
  z.object({
    kind: z.literal("connection_failed"),
    id: z.string(),
    label: z.string(),
    reason: z.string().nullable(),
  }),
  /** The carrier has refused the account's credentials when a call was to be placed. Owners and admins only. */
  z.object({
    kind: z.literal("carrier_refuses"),
    id: z.string(),
    /** The carrier's own spelling of its name. */
    carrier: z.string(),
    account: z.string(),
    since: z.string(),
  }),
]);
export type OrgNotice = z.infer<typeof noticeSchema>;

export const noticesResponseSchema = wrapped(z.object({ notices: z.array(noticeSchema) }));
