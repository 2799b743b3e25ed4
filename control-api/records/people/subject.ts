import type { DataSubject } from "@parley/shared/contracts/personal-data.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { numberPart } from "../calls/number-part.ts";

export interface SubjectSession {
  readonly sessionId: string;
  readonly isOpen: boolean;
}

/** The sessions with a person, or the one requested; oldest first. Numbers may be written as people write them. */
export async function sessionsOf(
  db: Kysely<Tables>,
  orgId: string,
  { identifier, sessionId }: DataSubject,
): Promise<SubjectSession[]> {
  const rows = await db
    .selectFrom("calls")
    .select(["session_id as sessionId", sql<boolean>`ended_at is null`.as("isOpen")])
    .where("org_id", "=", orgId)
    .where((where) =>
      sessionId === undefined
        ? isOf(identifier ?? "")
        : where.or([where("session_id", "=", sessionId), where("id", "=", sessionId)]),
    )
    .orderBy("id")
    .execute();
  return rows;
}

/** The person is the caller, the callee, or whoever the caller's own servers named. */
function isOf(identifier: string) {
  const number = numberPart(identifier);
  const numbers = sql`coalesce(from_number, '') || ' ' || coalesce(to_number, '')`;
  // The grams make this use the index for number searches.
  return sql<boolean>`(identifier = ${identifier} or (
    search_grams(org_id, ${numbers}) @> search_grams(org_id, ${number})
    and case direction when 'outbound' then to_number else from_number end = ${number}
  ))`;
}
