import type { Role } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Kysely, SelectQueryBuilder } from "kysely";
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

/** Replaces an open invitation of the same address; the organization is locked. */
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

/** Revokes open invitations by a member who lost the right to invite. */
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

/** Revokes all open invitations by a user who is gone. */
export async function revokeAllInvitationsBy(trx: Kysely<Tables>, userId: string, at: Date): Promise<void> {
  await trx
    .updateTable("invitations")
    .set({ revoked_at: at })
    .where("invited_by", "=", userId)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .execute();
}

/** Returns the invited role; undefined if no such invitation is open. */
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

/** Whom an invitation is taken from: the reader of its mail, or whoever is shown it after signing in. */
export type InvitationKey = { readonly tokenHash: string } | { readonly id: string };

/**
 * Finds and locks an open invitation. Throws `AppError` gone; if it is for another address forbidden, or by its id
 * not_found, as if there were none.
 */
export async function findInvitation(
  trx: Kysely<Tables>,
  key: InvitationKey,
  { email, at }: { email: string | null; at: Date },
): Promise<OpenInvitation> {
  // Locks the organization first, as every change of members does, to avoid deadlocks.
  const of = await byKey(trx, key).select("invitations.org_id as orgId").executeTakeFirst();
  if (of) await lockOrganization(trx, of.orgId);
  else if ("id" in key) throw notYours();
  const found = await openIn(byKey(trx, key), at)
    .innerJoin("organizations", "organizations.id", "invitations.org_id")
    .select([
      "invitations.id as id",
      "invitations.email as email",
      "invitations.role as role",
      "organizations.id as orgId",
      "organizations.name as orgName",
    ])
    .forUpdate("invitations")
    .executeTakeFirst();
  if (!found) throw invitationGone();
  if (found.email !== email) {
    if ("id" in key) throw notYours();
    throw new AppError(
      "forbidden",
      "The invitation is for another email address; use the one it was sent to.",
    );
  }
  return found;
}

/** What the open invitation of a mail says; undefined if it is used, revoked or expired. */
export async function readInvitation({ db }: Database, tokenHash: string, at: Date) {
  return openIn(byKey(db, { tokenHash }), at)
    .innerJoin("organizations", "organizations.id", "invitations.org_id")
    .select([
      "invitations.email as email",
      "invitations.role as role",
      "invitations.expires_at as expiresAt",
      "organizations.name as orgName",
      "inviter.name as inviterName",
      "inviter.email as inviterEmail",
    ])
    .executeTakeFirst();
}

export const invitationGone = (): AppError =>
  new AppError("gone", "The invitation was already used, was revoked or has expired. Ask for a new one.");

const notYours = (): AppError => new AppError("not_found", "There is no such invitation to your address.");

/** The open invitations to an address, newest first. */
export async function listInvitationsTo({ db }: Database, email: string, at: Date) {
  return openIn(db.selectFrom("invitations"), at)
    .innerJoin("organizations", "organizations.id", "invitations.org_id")
    .select([
      "invitations.id as id",
      "invitations.role as role",
      "invitations.expires_at as expiresAt",
      "organizations.name as orgName",
    ])
    .where("invitations.email", "=", email)
    .orderBy("invitations.id", "desc")
    .limit(20)
    .execute();
}

const byKey = (trx: Kysely<Tables>, key: InvitationKey) =>
  "id" in key
    ? trx.selectFrom("invitations").where("invitations.id", "=", key.id)
    : trx.selectFrom("invitations").where("invitations.token_hash", "=", key.tokenHash);

/** Whoever invited must still be here. */
const openIn = (query: SelectQueryBuilder<Tables, "invitations", object>, at: Date) =>
  query
    .innerJoin("users as inviter", "inviter.id", "invitations.invited_by")
    .where("invitations.accepted_at", "is", null)
    .where("invitations.revoked_at", "is", null)
    .where("invitations.expires_at", ">", at)
    .where("inviter.status", "=", "active");

/** Throws `AppError` conflict if the user is already a member; the invitation stays open then. */
export async function takeInvitation(
  trx: Kysely<Tables>,
  { id, orgId, role }: OpenInvitation,
  { userId, at }: { userId: string; at: Date },
): Promise<void> {
  await trx.updateTable("invitations").set({ accepted_at: at }).where("id", "=", id).execute();
  if (await insertMembership(trx, { orgId, userId, role, at })) return;
  throw new AppError("conflict", "You are already a member of this organization.");
}
