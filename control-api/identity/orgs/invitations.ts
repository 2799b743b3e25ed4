import type { Invitation, ReadInvitation } from "@parley/shared/contracts/organizations.ts";
import { type Role, rolesWith } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { addressBlock } from "@parley/shared/net/address-block.ts";
import { randomToken, sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Client } from "../../http/plugins/client.ts";
import type { Identity } from "../accounts/identity.ts";
import { findAccount, findAccountById } from "../accounts/store.ts";
import {
  findInvitation,
  findOpenByEmail,
  insertInvitation,
  invitationGone,
  listOpenInvitations,
  readInvitation,
  revokeInvitation,
  takeInvitation,
} from "../memberships/invitation-store.ts";
import { findOrganization, lockRole, selectMembers } from "../memberships/store.ts";
import { invitationMessage, inviterText } from "../notifications/texts.ts";
import { normalizeEmail } from "../otp/identifier.ts";
import { assertMayManage, type By } from "./members.ts";

const LIFETIME_MS = 7 * 86_400_000;
const TOKEN_BYTES = 32;

type InviteIdentity = Pick<Identity, "database" | "clock" | "limits" | "messenger" | "audit" | "baseUrl">;

/**
 * Invites by mail; another invitation replaces the first. Throws `AppError` forbidden (an unverified account, a role
 * above one's own), conflict, too_many_requests.
 */
export async function invite(
  { email: rawEmail, role }: { email: string; role: Role },
  { actor, client }: By,
  identity: InviteIdentity,
): Promise<Invitation> {
  const { database, clock, limits, messenger, audit, baseUrl } = identity;
  const { orgId, userId } = actor;
  const email = normalizeEmail(rawEmail);
  const inviter = await findAccountById(database.db, userId);
  if (!inviter || inviter.verifiedAt === null) {
    throw new AppError("forbidden", "Verify your own email first, under Security; then invite others.");
  }
  await assertNoMember(email, orgId, database);
  await limits.take("code_sends_per_address", addressBlock(client.ip));
  await limits.take("invitations_per_organization", orgId);
  await limits.take("other_sends_per_destination", email);
  const token = `parley_inv_${randomToken(TOKEN_BYTES)}`;
  const nowMs = clock.wallMs();
  const at = new Date(nowMs);
  const invitation = { id: newId("inv"), orgId, email, role, invitedBy: userId, at };
  const made = { ...invitation, tokenHash: sha256Hex(token), expiresAt: new Date(nowMs + LIFETIME_MS) };
  await database.db.transaction().execute(async (trx) => {
    const ownRole = await lockRole(trx, actor, rolesWith("manage_members"));
    const open = await findOpenByEmail(trx, orgId, email);
    assertMayManage(ownRole, open ? [role, open.role] : [role]);
    await insertInvitation(trx, made);
  });
  const by = { kind: "user", id: userId } as const;
  await audit.write({ action: "member.invited", orgId, actor: by, client, details: { role } });
  const org = await findOrganization(database, orgId);
  const link = `${baseUrl()}/invitation#token=${token}`;
  const names = { orgName: org?.name ?? "", inviter };
  messenger.post(invitationMessage(email, { ...names, role, link }));
  return toInvitation({ ...made, createdAt: at });
}

/** What an invitation's mail leads to. Throws `AppError` gone, too_many_requests. */
export async function showInvitation(
  token: string,
  client: Client,
  { database, clock, limits }: Pick<Identity, "database" | "clock" | "limits">,
): Promise<ReadInvitation> {
  await limits.take("links_per_address", addressBlock(client.ip));
  const found = await readInvitation(database, sha256Hex(token), new Date(clock.wallMs()));
  if (!found) throw invitationGone();
  const { orgName, role, email, expiresAt, inviterName, inviterEmail } = found;
  const inviter = inviterText({ name: inviterName, email: inviterEmail });
  return { orgName, inviter, role, email, expiresAt: expiresAt.toISOString() };
}

async function assertNoMember(email: string, orgId: string, database: Identity["database"]): Promise<void> {
  const account = await findAccount(database, { channel: "email", value: email });
  const member =
    account &&
    (await selectMembers(database.db, orgId).where("users.id", "=", account.id).executeTakeFirst());
  if (member) throw new AppError("conflict", "Someone with this address is already a member.");
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
  await database.db.transaction().execute(async (trx) => {
    const ownRole = await lockRole(trx, actor, rolesWith("manage_members"));
    const role = await revokeInvitation(trx, { orgId, id, at: new Date(clock.wallMs()) });
    if (role === undefined) {
      throw new AppError("not_found", "There is no such open invitation in this organization.");
    }
    assertMayManage(ownRole, [role]);
  });
  const by = { kind: "user", id: userId } as const;
  await audit.write({
    action: "member.invitation_revoked",
    orgId,
    actor: by,
    client,
    details: { invitationId: id },
  });
}

/** What an account accepts: the token of the mail, or an invitation that `readMe` showed it. */
export type Accepted = { readonly token: string } | { readonly id: string };

/**
 * Joins with an existing account. Throws `AppError` gone, conflict, and for another address, or without the token for
 * an unverified one, forbidden or not_found.
 */
export async function acceptInvitation(
  accepted: Accepted,
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
    // Anyone can register with somebody else's address; only its reader has the token, or has verified it.
    const isReader = "token" in accepted || (account !== undefined && account.verifiedAt !== null);
    const email = isReader ? (account?.email ?? null) : null;
    const key = "token" in accepted ? { tokenHash: sha256Hex(accepted.token) } : accepted;
    const invitation = await findInvitation(trx, key, { email, at });
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
