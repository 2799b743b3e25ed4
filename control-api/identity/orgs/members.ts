import type { Member } from "@parley/shared/contracts/organizations.ts";
import { isAtLeast, ROLES, type Role, rolesWith } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { MemberPrincipal } from "../../http/access/principal.ts";
import type { Client } from "../../http/plugins/client.ts";
import type { Identity } from "../accounts/identity.ts";
import { revokeInvitationsBy } from "../memberships/invitation-store.ts";
import {
  countKeysOf,
  countOtherOwners,
  deleteMembership,
  lockRole,
  selectMembers,
  updateRole,
} from "../memberships/store.ts";

type MembersIdentity = Pick<Identity, "database" | "clock" | "changes" | "audit">;

export interface By {
  readonly actor: MemberPrincipal;
  readonly client: Client;
}

export async function listMembers({ database }: MembersIdentity, orgId: string): Promise<Member[]> {
  return (await selectMembers(database.db, orgId).execute()).map(toMember);
}

/**
 * Changes a member's role. Throws `AppError` not_found, forbidden (nobody grants or removes a role above their own),
 * conflict (the last owner).
 */
export async function changeRole(
  { userId, role }: { userId: string; role: Role },
  { actor, client }: By,
  { database, clock, changes, audit }: MembersIdentity,
): Promise<Member> {
  const { orgId } = actor;
  const member = await database.db.transaction().execute(async (trx) => {
    const ownRole = await lockRole(trx, actor, rolesWith("manage_members"));
    const known = await findMember(trx, orgId, userId);
    assertMayManage(ownRole, [known.role, role]);
    if (role !== "owner") await assertNotLastOwner(trx, orgId, known);
    await updateRole(trx, { orgId, userId, role });
    if (!isAtLeast(role, known.role)) {
      await revokeInvitationsBy(trx, { orgId, userId, at: new Date(clock.wallMs()) });
    }
    return { ...known, role };
  });
  await changes.announce({ userId });
  const by = { kind: "user", id: actor.userId } as const;
  await audit.write({ action: "member.role_changed", orgId, userId, actor: by, client, details: { role } });
  return member;
}

/** Removes a member, or lets one leave. Throws `AppError` not_found, forbidden, conflict (the last owner). */
export async function removeMember(
  userId: string,
  { actor, client }: By,
  { database, clock, changes, audit }: MembersIdentity,
): Promise<{ userId: string; remainingApiKeys: number }> {
  const { orgId } = actor;
  const remainingApiKeys = await database.db.transaction().execute(async (trx) => {
    const ownRole = await lockRole(trx, actor, ROLES);
    const known = await findMember(trx, orgId, userId);
    if (userId !== actor.userId) {
      if (!rolesWith("manage_members").includes(ownRole)) {
        throw new AppError("forbidden", "Only owners and admins may remove other members.");
      }
      assertMayManage(ownRole, [known.role]);
    }
    await assertNotLastOwner(trx, orgId, known);
    await deleteMembership(trx, orgId, userId);
    await revokeInvitationsBy(trx, { orgId, userId, at: new Date(clock.wallMs()) });
    return countKeysOf(trx, orgId, userId);
  });
  await changes.announce({ userId });
  const by = { kind: "user", id: actor.userId } as const;
  await audit.write({ action: "member.removed", orgId, userId, actor: by, client });
  return { userId, remainingApiKeys };
}

/** Throws `AppError` forbidden if a role is above the actor's: admins can neither make nor remove owners. */
export function assertMayManage(actor: Role, roles: readonly Role[]): void {
  const above = roles.find((role) => !isAtLeast(actor, role));
  if (above !== undefined) {
    throw new AppError(
      "forbidden",
      `A member with role ${actor} cannot assign, change or remove the role ${above}.`,
    );
  }
}

async function findMember(trx: Kysely<Tables>, orgId: string, userId: string): Promise<Member> {
  const found = await selectMembers(trx, orgId).where("users.id", "=", userId).executeTakeFirst();
  if (!found) throw new AppError("not_found", "There is no such member in this organization.");
  return toMember(found);
}

async function assertNotLastOwner(trx: Kysely<Tables>, orgId: string, member: Member): Promise<void> {
  if (member.role !== "owner" || (await countOtherOwners(trx, orgId, member.userId)) > 0) return;
  throw new AppError("conflict", "This is the only owner; make someone else an owner first.");
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>["execute"]>>[number];

function toMember({ joinedAt, ...member }: MemberRow): Member {
  return { ...member, joinedAt: joinedAt.toISOString() };
}
