import type { Keys } from "@parley/shared/bus/bus.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";

/** Vendors remember idempotency keys for at least two hours; a call is over by then. */
const TTL_MS = 2 * 60 * 60_000;
const KEY_BYTES = 18;

/** One attempt at a write. */
export interface Attempt {
  readonly idempotencyKey: string;
  /** An earlier attempt at this write was begun, and its outcome is unknown. */
  readonly isRepeated: boolean;
  /** Records that the outcome is known: the next request is a new write. */
  settled(): Promise<void>;
}

/** Begins a write, reusing the key of an earlier attempt that was abandoned before its answer. */
export async function beginAttempt(
  { sessionId, fingerprint }: { readonly sessionId: string; readonly fingerprint: string },
  keys: Keys,
): Promise<Attempt> {
  const key = `tool-attempt:${sessionId}:${fingerprint}`;
  const fresh = randomToken(KEY_BYTES);
  const isFirst = await keys.setIfAbsent(key, fresh, TTL_MS);
  const idempotencyKey = isFirst ? fresh : ((await keys.get(key)) ?? fresh);
  return { idempotencyKey, isRepeated: !isFirst, settled: () => keys.delete(key) };
}
