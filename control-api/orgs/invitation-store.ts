import type { Role } from "@parley/shared/contracts/roles.ts";
import type { Database } from "@parley/shared/database/open.ts";
import type { Tables } from "@parley/shared/database/tables.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import { insertMembership } from "./store.ts";

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

/** Takes the place of an open invitation of the same address. */
export async function insertInvitation({ db }: Database, invitation: NewInvitation): Promise<void> {
  const { id, orgId, email, role, tokenHash, invitedBy, at, expiresAt } = invitation;
  await db.transaction().execute(async (trx) => {
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
  });
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

/** True for one that was open. */
export async function revokeInvitation(
  { db }: Database,
  { orgId, id, at }: { orgId: string; id: string; at: Date },
): Promise<boolean> {
  const revoked = await db
    .updateTable("invitations")
    .set({ revoked_at: at })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return revoked !== undefined;
}

/** The open invitation of a token, locked. Throws `AppError` gone; forbidden when it is for another address. */
export async function findInvitation(
  trx: Kysely<Tables>,
  tokenHash: string,
  { email, at }: { email: string | null; at: Date },
): Promise<OpenInvitation> {
  const found = await trx
    .selectFrom("invitations")
    .innerJoin("organizations", "organizations.id", "invitations.org_id")
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

export async function takeInvitation(
  trx: Kysely<Tables>,
  { id, orgId, role }: OpenInvitation,
  { userId, at }: { userId: string; at: Date },
): Promise<void> {
  await trx.updateTable("invitations").set({ accepted_at: at }).where("id", "=", id).execute();
  await insertMembership(trx, { orgId, userId, role, at });
}
