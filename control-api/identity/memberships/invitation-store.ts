import type { Role } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { insertMembership, lockOrganization } from "./store.ts";

export interface OpenInvitation {
  readonly id: string;
  readonly orgId: string;
  readonly orgName: string;
  readonly role: Role;
}

export interface NewInvitation {
  readonly id: string;
  readonly orgId: string;
  readonly email: string;
  readonly role: Role;
  readonly tokenHash: string;
  readonly invitedBy: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Takes the place of an open invitation of the same address; the organization is locked. */
export async function insertInvitation(trx: Kysely<Tables>, invitation: NewInvitation): Promise<void> {
  const { id, orgId, email, role, tokenHash, invitedBy, at, expiresAt } = invitation;
  await trx
    .updateTable("invitations")
    .set({ revoked_at: at })
    .where("org_id", "=", orgId)
    .where("email", "=", email)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .execute();
  await trx
    .insertInto("invitations")
    .values({
      id,
      org_id: orgId,
      email,
      role,
      token_hash: tokenHash,
      invited_by: invitedBy,
      created_at: at,
      expires_at: expiresAt,
    })
    .execute();
}

export async function findOpenByEmail(
  trx: Kysely<Tables>,
  orgId: string,
  email: string,
): Promise<{ role: Role } | undefined> {
  return trx
    .selectFrom("invitations")
    .select("role")
    .where("org_id", "=", orgId)
    .where("email", "=", email)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
}

export async function listOpenInvitations({ db }: Database, orgId: string, at: Date) {
  return db
    .selectFrom("invitations")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", at)
    .orderBy("id", "desc")
    .limit(500)
    .execute();
}

/** Open invitations of somebody who lost the right to make them. */
export async function revokeInvitationsBy(
  trx: Kysely<Tables>,
  { orgId, userId, at }: { orgId: string; userId: string; at: Date },
): Promise<void> {
  await trx
    .updateTable("invitations")
    .set({ revoked_at: at })
    .where("org_id", "=", orgId)
    .where("invited_by", "=", userId)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .execute();
}

/** What was on its way is worth nothing once its maker is gone. */
export async function revokeAllInvitationsBy(trx: Kysely<Tables>, userId: string, at: Date): Promise<void> {
  await trx
    .updateTable("invitations")
    .set({ revoked_at: at })
    .where("invited_by", "=", userId)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .execute();
}

/** The role it was for; undefined when there is no such open one. */
export async function revokeInvitation(
  trx: Kysely<Tables>,
  { orgId, id, at }: { orgId: string; id: string; at: Date },
): Promise<Role | undefined> {
  const revoked = await trx
    .updateTable("invitations")
    .set({ revoked_at: at })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .returning("role")
    .executeTakeFirst();
  return revoked?.role;
}

/** The open invitation of a token, locked. Throws `AppError` gone; forbidden when it is for another address. */
export async function findInvitation(
  trx: Kysely<Tables>,
  tokenHash: string,
  { email, at }: { email: string | null; at: Date },
): Promise<OpenInvitation> {
  // The organization first, as everybody does who changes its members: two orders would be a deadlock.
  const of = await trx
    .selectFrom("invitations")
    .select("org_id as orgId")
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  if (of) await lockOrganization(trx, of.orgId);
  const found = await trx
    .selectFrom("invitations")
    .innerJoin("organizations", "organizations.id", "invitations.org_id")
    .innerJoin("users as inviter", "inviter.id", "invitations.invited_by")
    .select([
      "invitations.id as id",
      "invitations.email as email",
      "invitations.role as role",
      "organizations.id as orgId",
      "organizations.name as orgName",
    ])
    .where("token_hash", "=", tokenHash)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", at)
    .where("inviter.status", "=", "active")
    .forUpdate("invitations")
    .executeTakeFirst();
  if (!found)
    throw new AppError("gone", "The invitation was used, taken back or is too old; ask for a new one.");
  if (found.email !== email) {
    throw new AppError(
      "forbidden",
      "The invitation is for another email address; use the one it was sent to.",
    );
  }
  return found;
}

/** Throws `AppError` conflict for somebody who is a member already; the invitation stays open then. */
export async function takeInvitation(
  trx: Kysely<Tables>,
  { id, orgId, role }: OpenInvitation,
  { userId, at }: { userId: string; at: Date },
): Promise<void> {
  await trx.updateTable("invitations").set({ accepted_at: at }).where("id", "=", id).execute();
  if (await insertMembership(trx, { orgId, userId, role, at })) return;
  throw new AppError("conflict", "You are a member of this organization already.");
}
