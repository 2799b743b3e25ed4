import type { Keys } from "@parley/shared/bus/bus.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";

/** Vendors remember an idempotency key for two hours and more; a call is over by then. */
const TTL_MS = 2 * 60 * 60_000;
const KEY_BYTES = 18;

/** One try of a write. */
export interface Attempt {
  readonly idempotencyKey: string;
  /** An earlier try of the same was begun, and it is not known what became of it. */
  readonly isRepeated: boolean;
  /** It is known what became of it: asked for again it is another one. */
  settled(): Promise<void>;
}

/** Begins a write, with the key of an earlier try that was given up before its answer came. */
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
