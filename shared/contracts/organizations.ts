import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { beforeId, pageLimit } from "./paging.ts";
import { roleSchema } from "./role-schema.ts";

/** `/api/orgs`: organizations, their members, and invitations. */

const name = z.string().trim().min(1).max(128);
export const orgParamsSchema = z.object({ orgId: z.string().min(1).max(64) });
export const memberParamsSchema = orgParamsSchema.extend({ userId: z.string().min(1).max(64) });
export const invitationParamsSchema = orgParamsSchema.extend({ invitationId: z.string().min(1).max(64) });

export const ownInvitationParamsSchema = invitationParamsSchema.pick({ invitationId: true });

export const createOrgSchema = z.strictObject({ name });
export const renameOrgSchema = z.strictObject({ name });
const orgSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: roleSchema,
  createdAt: z.string(),
});
export const orgResponseSchema = wrapped(orgSchema);

export const memberSchema = z.object({
  userId: z.string(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
  name: z.string(),
  role: roleSchema,
  /** A deactivated account is still a member, but can do nothing. */
  status: z.enum(["active", "deactivated"]),
  mfaEnabled: z.boolean(),
  joinedAt: z.string(),
});
export type Member = z.infer<typeof memberSchema>;
export const membersResponseSchema = wrapped(z.object({ members: z.array(memberSchema), total: z.int() }));
export const changeRoleSchema = z.strictObject({ role: roleSchema });
export const memberResponseSchema = wrapped(memberSchema);
export const removedMemberResponseSchema = wrapped(
  z.object({
    userId: z.string(),
    /** Keys that this member created and that keep working; revoke them if unwanted. */
    remainingApiKeys: z.int(),
  }),
);

export const inviteSchema = z.strictObject({ email: z.string().min(1).max(320), role: roleSchema });
export const invitationSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: roleSchema,
  invitedBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Invitation = z.infer<typeof invitationSchema>;
export const invitationResponseSchema = wrapped(invitationSchema);
export const invitationsResponseSchema = wrapped(
  z.object({ invitations: z.array(invitationSchema), total: z.int() }),
);
export const acceptInvitationSchema = z.strictObject({ token: z.string().min(1).max(256) });
/** An invitation as shown to whoever reads its mail. */
const readInvitationSchema = z.object({
  orgName: z.string(),
  /** The inviter's name and address, as far as they have any. */
  inviter: z.string(),
  role: roleSchema,
  /** The address that was invited. */
  email: z.string(),
  expiresAt: z.string(),
});
export type ReadInvitation = z.infer<typeof readInvitationSchema>;
export const readInvitationResponseSchema = wrapped(readInvitationSchema);

export const auditQuerySchema = z.object({
  limit: pageLimit(200),
  /** Id of the last event of the previous page; older ones follow. */
  before: beforeId("aud_"),
  action: z.string().max(64).optional(),
  userId: z.string().max(64).optional(),
});
export const auditEventSchema = z.object({
  id: z.string(),
  at: z.string(),
  action: z.string(),
  outcome: z.enum(["success", "failure"]),
  actor: z.object({ kind: z.enum(["user", "key", "nobody"]), id: z.string().nullable() }),
  userId: z.string().nullable(),
  ip: z.string(),
  userAgent: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEvent = z.infer<typeof auditEventSchema>;
export const auditResponseSchema = wrapped(
  z.object({
    events: z.array(auditEventSchema),
    /** What ids in the events are called, where that is known: agents, keys, connections and the like. */
    names: z.record(z.string(), z.string()),
    nextBefore: z.string().nullable(),
  }),
);
