import { createHash } from "node:crypto";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";
import { z } from "zod";
import type { Database } from "../../database/open.ts";
import {
  findIdempotent,
  finishIdempotent,
  forgetIdempotent,
  keepIntent,
  type RequestId,
  takeIdempotent,
} from "./store.ts";

/** Default time a first request may take before a second one may take over. */
const LOCK_MS = 120_000;
const MAX_KEY_CHARS = 255;
const HOLDER_BYTES = 12;

export const idempotencyHeadersSchema = z.looseObject({
  "idempotency-key": z.string().min(1).max(MAX_KEY_CHARS).optional(),
});

export interface Repeatable {
  /** The key's scope: an organization and a credential. */
  readonly principal: string;
  readonly route: string;
  /** The `Idempotency-Key`; without it the work is done each time. */
  readonly key: string | undefined;
  readonly body: unknown;
  /** The error for another body with the same key; defaults to bad_request. */
  readonly otherBodyIs?: "bad_request" | "idempotency_key_reused";
  /** Maximum duration of a first request, in milliseconds. */
  readonly lockMs?: number;
}

/** How to keep an answer that contains what people said. */
export interface Keeping<T> {
  readonly write: (result: T) => string;
  readonly read: (text: string) => T;
  /** The session whose content deletion also deletes the answer. */
  readonly sessionOf: (result: T) => string;
}

/**
 * To be called once everything is ready and before the first thing that costs: from then on, the work is not repeated
 * for this key, whatever happens to the process. With `within` (a transaction), the intent takes effect on its commit,
 * together with its other writes. Throws `AppError` conflict if another request took over the work.
 */
export type Intend = (sessionId: string, within?: Database["db"]) => Promise<void>;

/** Work that must not be done twice. */
export interface Once<T> {
  work(intend: Intend): Promise<T>;
  /** After work that broke off past its intent: its outcome, or undefined while that may still change. */
  recover(sessionId: string, mayBeInFlight: boolean): Promise<T | undefined>;
  /** Whether an error past the intent guarantees that nothing was spent. */
  spentNothing(error: unknown): boolean;
  /** Defaults to keeping the answer as JSON. */
  readonly keeping?: Keeping<T>;
}

export interface OnceDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Does work that costs money once per key: a repeat of the request within 24 hours gets the first one's answer or, if
 * the first broke off, its outcome. Failures that spent nothing are not kept and may be retried. Throws `AppError`
 * conflict (the first is under way), bad_request or `otherBodyIs` (the key was used with another body), and whatever
 * the work throws.
 */
export async function once<T>(
  request: Repeatable,
  { work, recover, spentNothing, keeping }: Once<T>,
  deps: OnceDeps,
): Promise<{ result: T; isReplayed: boolean }> {
  const { key, principal, route, lockMs = LOCK_MS } = request;
  if (key === undefined) return { result: await work(async () => undefined), isReplayed: false };
  const { database, clock } = deps;
  const mine = { principal, route, key, holder: randomToken(HOLDER_BYTES) };
  const bodyHash = hashOf(canonical(request.body));
  const now = new Date(clock.wallMs());
  const until = new Date(clock.wallMs() + lockMs);
  if (!(await takeIdempotent(database, { ...mine, bodyHash, now, until }))) {
    // Releases before 0.2 hashed the body this way, and their keys are valid for a day.
    const hashes = [bodyHash, hashOf(request.body)];
    const otherBodyIs = request.otherBodyIs ?? "bad_request";
    const asked = { hashes, now, recover, keeping, otherBodyIs };
    return { result: await replay<T>(mine, asked, database), isReplayed: true };
  }
  let isIntended = false;
  let isDone = false;
  try {
    const result = await work(async (sessionId, db = database.db) => {
      isIntended = true;
      if (!(await keepIntent({ ...database, db }, mine, sessionId))) throw inFlight();
    });
    isDone = true;
    await finishIdempotent(database, mine, {
      response: keeping ? keeping.write(result) : JSON.stringify(result),
      sessionId: keeping?.sessionOf(result),
    });
    return { result, isReplayed: false };
  } catch (error) {
    // Keep the row if the work was done without its answer being kept: repeats then get its outcome.
    const mayBeSpent = isIntended && (isDone || !spentNothing(error));
    if (!mayBeSpent) await forgetIdempotent(database, mine);
    throw error;
  }
}

async function replay<T>(
  id: RequestId,
  request: {
    hashes: readonly string[];
    now: Date;
    recover: Once<T>["recover"];
    keeping?: Keeping<T> | undefined;
    otherBodyIs: NonNullable<Repeatable["otherBodyIs"]>;
  },
  database: Database,
): Promise<T> {
  const known = await findIdempotent(database, id);
  if (known && !request.hashes.includes(known.bodyHash)) {
    const message = "This Idempotency-Key was used with another body. Use a new key.";
    throw new AppError(request.otherBodyIs, message);
  }
  const response = known?.response;
  if (response != null) return request.keeping ? request.keeping.read(response) : (JSON.parse(response) as T);
  const mayBeInFlight = known !== undefined && known.lockedUntil >= request.now;
  const recovered =
    known?.sessionId == null ? undefined : await request.recover(known.sessionId, mayBeInFlight);
  if (recovered !== undefined) return recovered;
  throw inFlight();
}

function inFlight(): AppError {
  return new AppError(
    "conflict",
    "The first request with this Idempotency-Key is still in progress. Wait for it to finish.",
    {
      retryAfterSecs: 1,
    },
  );
}

function hashOf(body: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(body ?? null))
    .digest("hex");
}

/** Sorts the keys of objects: their order means nothing in JSON. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, canonical(child)]));
}
