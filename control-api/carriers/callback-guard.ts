import type { IncomingHttpHeaders } from "node:http";
import type { Keys } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { SignedWord } from "./carrier.ts";

/** Spec of the carriers that sign a time: five minutes either way. */
const TOLERANCE_MS = 300_000;
/** Past the tolerance in both directions a time refuses what the memory has forgotten. */
export const REMEMBER_TIMED_MS = 2 * TOLERANCE_MS;
/** Without a signed time: as long as a call may last and its callbacks may change something. */
export const REMEMBER_UNTIMED_MS = 5 * 3_600_000;

/** Throws `AppError` unauthorized when a signed time is not about now. */
export function assertRecent(signedAtMs: number, clock: Clock): void {
  // A comparison that is false for NaN.
  if (Math.abs(clock.wallMs() - signedAtMs) <= TOLERANCE_MS) return;
  throw refused("Its time is more than five minutes away from ours");
}

/**
 * Does what a callback asks for when it comes for the first time to any node; a carrier signs its own second try anew.
 * One that could not be dealt with may come again as it is. Throws `AppError` unauthorized, and what the work throws.
 */
export async function takeOnce<T>(
  { once, rememberMs }: SignedWord,
  { connectionId, keys }: { readonly connectionId: string; readonly keys: Keys },
  work: () => Promise<T>,
): Promise<T> {
  const key = `callback:${connectionId}:${sha256Hex(once)}`;
  if (!(await keys.setIfAbsent(key, "", rememberMs))) throw refused("It was sent before");
  try {
    return await work();
  } catch (error) {
    await keys.delete(key).catch(() => undefined);
    throw error;
  }
}

/** A callback that is not the carrier's, or not for now. `why` is a clause without a stop. */
export function refused(why: string): AppError {
  return new AppError("unauthorized", `The callback is refused. ${why}.`);
}

/** A header that was sent once. Throws `AppError` unauthorized when it is missing. */
export function signedHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  if (typeof value === "string" && value !== "") return value;
  throw refused(`The header ${name} is missing`);
}
