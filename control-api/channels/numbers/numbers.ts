import type { Clock } from "@parley/shared/clock.ts";
import { roleSchema } from "@parley/shared/contracts/role-schema.ts";
import type { Role } from "@parley/shared/contracts/roles.ts";
import type { CreateNumber, PhoneNumber, UpdateNumber } from "@parley/shared/contracts/telephony.ts";
import { AppError, fieldError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { findAgent } from "../../agents/agents/store.ts";
import type { Database } from "../../database/open.ts";
import { WRITERS } from "../../http/access/rules.ts";
import { findNumber, insertNumber, listNumbers, updateNumber } from "./store.ts";

export interface NumbersDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Throws `AppError` not_found (agent, member), bad_request (a member who may not call), conflict (number taken). */
export async function addNumber(
  orgId: string,
  number: CreateNumber,
  { database, clock }: NumbersDeps,
): Promise<PhoneNumber> {
  await assertMayHave(orgId, number, database);
  const at = new Date(clock.wallMs());
  const added = await insertNumber(database, { ...number, id: newId("num"), orgId, at });
  if (!added) throw fieldError("conflict", "number", `${number.number} is already in use.`);
  return added;
}

/** Throws `AppError` not_found, bad_request (a member who may not call). */
export async function changeNumber(
  orgId: string,
  { id, change }: { id: string; change: UpdateNumber },
  { database }: NumbersDeps,
): Promise<PhoneNumber> {
  await assertMayHave(orgId, change, database);
  const changed = await updateNumber(database, { orgId, id }, change);
  if (!changed) throw new AppError("not_found", "There is no such number in this organization.");
  return changed;
}

export interface WantedNumber {
  readonly fromNumber?: string | undefined;
  readonly fromNumberId?: string | undefined;
  readonly agentId: string;
}

/**
 * Caller number of an outbound call: the requested one, else the agent's, else the organization's first. Throws
 * `AppError` bad_request.
 */
export async function callerNumber(
  orgId: string,
  { fromNumber, fromNumberId, agentId }: WantedNumber,
  database: Database,
): Promise<PhoneNumber> {
  if (fromNumber !== undefined || fromNumberId !== undefined) {
    const which = fromNumberId === undefined ? { number: fromNumber ?? "" } : { id: fromNumberId };
    const found = await findNumber(database, orgId, which);
    if (found) return found;
    const field = fromNumberId === undefined ? "fromNumber" : "fromNumberId";
    throw new AppError(
      "bad_request",
      `${field} must be a number of this organization: see GET /api/v1/numbers.`,
    );
  }
  const numbers = await listNumbers(database, orgId);
  const number = numbers.find((one) => one.agentId === agentId) ?? numbers[0];
  if (number) return number;
  throw new AppError(
    "bad_request",
    "The organization has no number to call from; add one with POST /api/v1/numbers.",
  );
}

/**
 * Caller number of a manual call: the requested one, else the one allocated to the member. Throws `AppError`
 * bad_request.
 */
export async function manualNumber(
  orgId: string,
  { from, userId }: { from: string | undefined; userId: string | undefined },
  database: Database,
): Promise<PhoneNumber> {
  if (from !== undefined) {
    const found = await findNumber(database, orgId, { number: from });
    if (found) return found;
    throw new AppError("bad_request", "from must be a number of this organization: see GET /api/v1/numbers.");
  }
  if (userId === undefined)
    throw new AppError("bad_request", "With an API key, from is required: a number of this organization.");
  const numbers = await listNumbers(database, orgId);
  const own = numbers.find((number) => number.userId === userId);
  if (own) return own;
  throw new AppError(
    "bad_request",
    "No number is assigned to you. Set from to a number of this organization.",
  );
}

/** Throws `AppError` not_found for another organization's agent or member. */
export async function assertOurs(
  orgId: string,
  { agentId, userId }: Pick<UpdateNumber, "agentId" | "userId">,
  database: Database,
): Promise<void> {
  if (agentId != null && !(await findAgent(database, orgId, agentId))) {
    throw fieldError("not_found", "agentId", `There is no agent ${agentId} in this organization.`);
  }
  if (userId != null) await roleOf(orgId, userId, database);
}

/** A member who can neither place nor take calls would leave callers unanswered. */
async function assertMayHave(orgId: string, change: UpdateNumber, database: Database): Promise<void> {
  await assertOurs(orgId, { agentId: change.agentId }, database);
  if (change.userId == null) return;
  const role = await roleOf(orgId, change.userId, database);
  if (WRITERS.includes(role)) return;
  throw fieldError(
    "bad_request",
    "userId",
    `A member with role ${role} cannot make calls. Assign the number to one with role ${WRITERS.join(" or ")}.`,
  );
}

async function roleOf(orgId: string, userId: string, database: Database): Promise<Role> {
  const member = await database.db
    .selectFrom("memberships")
    .select("role")
    .where("org_id", "=", orgId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!member) throw fieldError("not_found", "userId", `There is no member ${userId} in this organization.`);
  return roleSchema.parse(member.role);
}
