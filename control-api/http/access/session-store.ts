import type { Role } from "@parley/shared/contracts/roles.ts";
import type { Database } from "../../database/open.ts";

/** A valid sign-in, with its user's organizations. */
export interface LiveSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly roles: ReadonlyMap<string, Role>;
}

/** Finds the sign-in unless it was revoked or has expired, or its user is not active. */
export async function findLiveSession(
  { db }: Database,
  sessionId: string,
  at: Date,
): Promise<LiveSession | undefined> {
  const rows = await db
    .selectFrom("user_sessions")
    .innerJoin("users", "users.id", "user_sessions.user_id")
    .leftJoin("memberships", "memberships.user_id", "users.id")
    .select(["users.id as userId", "memberships.org_id as orgId", "memberships.role as role"])
    .where("user_sessions.id", "=", sessionId)
    .where("user_sessions.revoked_at", "is", null)
    .where("user_sessions.expires_at", ">", at)
    .where("users.status", "=", "active")
    .execute();
  const userId = rows[0]?.userId;
  if (userId === undefined) return undefined;
  const roles = new Map<string, Role>();
  for (const { orgId, role } of rows) if (orgId !== null && role !== null) roles.set(orgId, role);
  return { sessionId, userId, roles };
}
