import { createHash } from "node:crypto";
import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { AppError } from "@parley/shared/errors.ts";
import { z } from "zod";

/** As long as a first request may take before a second one may take its place. */
const LOCK_MS = 120_000;
const MAX_KEY_CHARS = 255;

export const idempotencyHeadersSchema = z.looseObject({
  "idempotency-key": z.string().min(1).max(MAX_KEY_CHARS).optional(),
});

export interface Repeatable {
  /** Whose key it is: an organization and a credential. */
  readonly principal: string;
  readonly route: string;
  /** The `Idempotency-Key`; without one the work is done each time. */
  readonly key: string | undefined;
  readonly body: unknown;
}

export interface OnceDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Does work that costs money once for one key: the same request again within 24 hours gets the first one's answer.
 * What failed is not kept, and may be tried again. Throws `AppError` conflict (the first is under way), bad_request
 * (the key was used with another body), and what the work throws.
 */
export async function once<T>(
  request: Repeatable,
  work: () => Promise<T>,
  deps: OnceDeps,
): Promise<{ result: T; isReplayed: boolean }> {
  const { key } = request;
  if (key === undefined) return { result: await work(), isReplayed: false };
  const id = { principal: request.principal, route: request.route, key };
  const known = await begin(id, hashOf(request.body), deps);
  if (known !== undefined) return { result: JSON.parse(known) as T, isReplayed: true };
  try {
    const result = await work();
    await rowOf(deps.database, id)
      .set({ status: 200, response: JSON.stringify(result) })
      .execute();
    return { result, isReplayed: false };
  } catch (error) {
    await forget(deps.database, id);
    throw error;
  }
}

/** Of those made before. */
export async function deleteOldIdempotent({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("idempotent_requests").where("created_at", "<", before).execute();
}

interface RequestId {
  readonly principal: string;
  readonly route: string;
  readonly key: string;
}

/** Undefined: the work is ours to do. Otherwise what the first request was answered. */
async function begin(
  id: RequestId,
  bodyHash: string,
  { database, clock }: OnceDeps,
): Promise<string | undefined> {
  const now = new Date(clock.wallMs());
  const lockedUntil = new Date(clock.wallMs() + LOCK_MS);
  const taken = await database.db
    .insertInto("idempotent_requests")
    .values({ ...id, body_hash: bodyHash, locked_until: lockedUntil, created_at: now })
    // Whoever had it died in the middle of it.
    .onConflict((conflict) =>
      conflict
        .columns(["principal", "route", "key"])
        .doUpdateSet({ locked_until: lockedUntil, body_hash: bodyHash })
        .where("idempotent_requests.status", "is", null)
        .where("idempotent_requests.locked_until", "<", now),
    )
    .returning("key")
    .executeTakeFirst();
  if (taken) return undefined;
  const known = await database.db
    .selectFrom("idempotent_requests")
    .select(["body_hash as bodyHash", "response"])
    .where("principal", "=", id.principal)
    .where("route", "=", id.route)
    .where("key", "=", id.key)
    .executeTakeFirst();
  if (known && known.bodyHash !== bodyHash) {
    throw new AppError("bad_request", "This Idempotency-Key was used with another body; use a new key.");
  }
  if (known?.response != null) return known.response;
  throw new AppError("conflict", "The first request with this Idempotency-Key is still under way.", {
    retryAfterSecs: 1,
  });
}

function rowOf({ db }: Database, { principal, route, key }: RequestId) {
  return db
    .updateTable("idempotent_requests")
    .where("principal", "=", principal)
    .where("route", "=", route)
    .where("key", "=", key);
}

async function forget({ db }: Database, { principal, route, key }: RequestId): Promise<void> {
  await db
    .deleteFrom("idempotent_requests")
    .where("principal", "=", principal)
    .where("route", "=", route)
    .where("key", "=", key)
    .execute();
}

function hashOf(body: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(body ?? null))
    .digest("hex");
}
