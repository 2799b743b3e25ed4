import type { Invitation } from "@parley/shared/contracts/organizations.ts";
import type { Role } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { randomToken, sha256Hex } from "@parley/shared/security/secrets.ts";
import { normalizeEmail } from "../accounts/identifier.ts";
import type { Identity } from "../accounts/identity.ts";
import { findAccount, findAccountById } from "../accounts/store.ts";
import type { Client } from "../audit/audit.ts";
import { invitationMessage } from "../messages/texts.ts";
import {
  findInvitation,
  insertInvitation,
  listOpenInvitations,
  revokeInvitation,
  takeInvitation,
} from "./invitation-store.ts";
import { assertMayManage, type By } from "./members.ts";
import { findOrganization, selectMembers } from "./store.ts";

const LIFETIME_MS = 7 * 86_400_000;
const TOKEN_BYTES = 32;

/** Invites by mail; a second invitation takes the place of the first. Throws forbidden, conflict, too_many_requests. */
export async function invite(
  { email: rawEmail, role }: { email: string; role: Role },
  { actor, client }: By,
  identity: Pick<Identity, "database" | "clock" | "limits" | "messenger" | "audit" | "baseUrl">,
): Promise<Invitation> {
  const { database, clock, limits, messenger, audit, baseUrl } = identity;
  const { orgId, userId } = actor;
  assertMayManage(actor.role, [role]);
  const email = normalizeEmail(rawEmail);
  const account = await findAccount(database, { channel: "email", value: email });
  const isMember =
    account &&
    (await selectMembers(database.db, orgId).where("users.id", "=", account.id).executeTakeFirst());
  if (isMember) throw new AppError("conflict", "Somebody with this address is a member already.");
  await limits.take("invitations_per_organization", orgId);
  await limits.take("code_sends_per_destination", email);
  const token = `parley_inv_${randomToken(TOKEN_BYTES)}`;
  const nowMs = clock.wallMs();
  const invitation = {
    id: newId("inv"),
    orgId,
    email,
    role,
    tokenHash: sha256Hex(token),
    invitedBy: userId,
    at: new Date(nowMs),
    expiresAt: new Date(nowMs + LIFETIME_MS),
  };
  await insertInvitation(database, invitation);
  await audit.write({
    action: "member.invited",
    orgId,
    actor: { kind: "user", id: userId },
    client,
    details: { role },
  });
  const [org, inviter] = await Promise.all([
    findOrganization(database, orgId),
    findAccountById(database.db, userId),
  ]);
  const link = `${baseUrl()}/invitation#token=${token}`;
  const names = { orgName: org?.name ?? "", inviter: inviter?.name || inviter?.email || "Somebody" };
  messenger.post(invitationMessage(email, { ...names, role, link }));
  return toInvitation({ ...invitation, createdAt: invitation.at });
}

export async function listInvitations(
  orgId: string,
  { database, clock }: Pick<Identity, "database" | "clock">,
): Promise<Invitation[]> {
  const rows = await listOpenInvitations(database, orgId, new Date(clock.wallMs()));
  return rows.map((row) =>
    toInvitation({ ...row, invitedBy: row.invited_by, createdAt: row.created_at, expiresAt: row.expires_at }),
  );
}

/** Throws `AppError` not_found. */
export async function takeInvitationBack(
  id: string,
  { actor, client }: By,
  { database, clock, audit }: Pick<Identity, "database" | "clock" | "audit">,
): Promise<void> {
  const { orgId, userId } = actor;
  if (!(await revokeInvitation(database, { orgId, id, at: new Date(clock.wallMs()) }))) {
    throw new AppError("not_found", "There is no such open invitation in this organization.");
  }
  const by = { kind: "user", id: userId } as const;
  await audit.write({
    action: "member.invitation_revoked",
    orgId,
    actor: by,
    client,
    details: { invitationId: id },
  });
}

/** Joins with an account one has. Throws `AppError` gone, forbidden (another address), conflict. */
export async function acceptInvitation(
  token: string,
  userId: string,
  {
    client,
    identity,
  }: { client: Client; identity: Pick<Identity, "database" | "clock" | "changes" | "audit"> },
): Promise<{ id: string; name: string; role: Role }> {
  const { database, clock, changes, audit } = identity;
  const at = new Date(clock.wallMs());
  const joined = await database.db.transaction().execute(async (trx) => {
    const account = await findAccountById(trx, userId);
    const invitation = await findInvitation(trx, sha256Hex(token), { email: account?.email ?? null, at });
    await takeInvitation(trx, invitation, { userId, at });
    return { id: invitation.orgId, name: invitation.orgName, role: invitation.role };
  });
  await changes.announce({ userId });
  await audit.write({
    action: "member.joined",
    orgId: joined.id,
    userId,
    client,
    details: { role: joined.role },
  });
  return joined;
}

function toInvitation(row: {
  id: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
}): Invitation {
  const { id, email, role, invitedBy, createdAt, expiresAt } = row;
  return {
    id,
    email,
    role,
    invitedBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
