import { z } from "zod";
import { method, needs } from "./define.ts";
import { idSchema, jsonSchema, timestampSchema } from "./values.ts";

/** What a link does and for how long. Whoever opens the link sees `context`: put no secret or internal id there. */
export const linkSpecSchema = z.strictObject({
  action: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "must be the name of an action, as agent_call"),
  targetType: z.string().min(1).max(64),
  targetId: idSchema,
  singleUse: z.boolean().optional(),
  /** Code that whoever opens the link must type. */
  code: z.string().min(4).max(32).optional(),
  ttlSecs: z
    .int()
    .min(1)
    .max(366 * 24 * 3_600),
  context: z.record(z.string().max(64), jsonSchema).optional(),
});
export type LinkSpec = z.infer<typeof linkSpecSchema>;

const linkSchema = z.object({
  id: z.string(),
  action: z.string(),
  targetType: z.string(),
  targetId: z.string(),
  singleUse: z.boolean(),
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
  usedAt: timestampSchema.nullable(),
  revokedAt: timestampSchema.nullable(),
});

export const LINK_METHODS = [
  method("links.mint", {
    about: "Makes a link that people outside of the organization can open; its token is in this answer only.",
    scope: needs("links:write"),
    gate: "canCommunicate",
    writes: true,
    params: { spec: linkSpecSchema },
    result: z.object({ id: z.string(), url: z.string(), expiresAt: timestampSchema }),
  }),
  method("links.list", {
    about: "Lists the links the app made, without their tokens.",
    scope: needs("links:read"),
    params: {},
    result: z.array(linkSchema),
    empty: [],
  }),
  method("links.revoke", {
    about: "Ends a link; false when it was over.",
    scope: needs("links:read"),
    writes: true,
    params: { id: idSchema },
    result: z.object({ revoked: z.boolean() }),
  }),
] as const;
