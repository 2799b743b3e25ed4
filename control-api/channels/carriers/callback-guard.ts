import type { IncomingHttpHeaders } from "node:http";
import type { Keys } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { CarrierAnswer, SignedWord } from "./carrier.ts";

/** Tolerance documented by carriers that sign a timestamp: five minutes either way. */
const TOLERANCE_MS = 300_000;
/** Twice the tolerance: by the time the memory forgets a callback, its timestamp is refused. */
export const REMEMBER_TIMED_MS = 2 * TOLERANCE_MS;
/** For callbacks without a signed time: as long as a call can last and its callbacks can change something. */
export const REMEMBER_UNTIMED_MS = 5 * 3_600_000;
/** Twilio gives up on a request, retries included, after at most 15 seconds ("tt" of its connection overrides). */
const REPEATED_WITHIN_MS = 15_000;
/**
 * How long a repeated callback waits for the first answer. A join takes longest: 5 s at its carrier, plus 3 s at the
 * call's gateway before and after.
 */
const WAITS_MS = 12_000;
const LOOK_EVERY_MS = 100;

const IN_WORK = "";
const ANSWERED = "answered";
/** Key suffix under which the answer is kept. */
const ANSWER = ":answer";
const SENT_BEFORE = "It was sent before";

/** Throws `AppError` unauthorized unless the signed time is recent. */
export function assertRecent(signedAtMs: number, clock: Clock): void {
  // Written so that NaN fails the comparison.
  if (Math.abs(clock.wallMs() - signedAtMs) <= TOLERANCE_MS) return;
  throw refused("Its time is more than five minutes away from ours");
}

interface Guard {
  readonly connectionId: string;
  readonly keys: Keys;
  readonly clock: Clock;
}

/**
 * Runs a callback's work only on its first arrival at any node. A callback whose work failed may be delivered again. If
 * the carrier repeats it byte for byte (`isRepeated`), the repeat gets the first answer for 15 seconds and does no
 * work. Throws `AppError` unauthorized, and what the work throws.
 */
export async function takeOnce(
  word: SignedWord,
  guard: Guard,
  work: () => Promise<CarrierAnswer>,
): Promise<CarrierAnswer> {
  const { once, rememberMs, isRepeated } = word;
  const { connectionId, keys } = guard;
  const key = `callback:${connectionId}:${sha256Hex(once)}`;
  if (!(await keys.setIfAbsent(key, IN_WORK, rememberMs))) {
    if (isRepeated !== true) throw refused(SENT_BEFORE);
    return (await answeredBefore(key, guard)) ?? takeOnce(word, guard, work);
  }
  const answer = await work().catch(async (error: unknown) => {
    await keys.delete(key).catch(() => undefined);
    throw error;
  });
  if (isRepeated === true) await keepAnswer(key, answer, { keys, rememberMs });
  return answer;
}

/** Best effort: the callback succeeds even if this fails. */
async function keepAnswer(
  key: string,
  answer: CarrierAnswer,
  { keys, rememberMs }: { keys: Keys; rememberMs: number },
): Promise<void> {
  await keys
    .set(key + ANSWER, JSON.stringify(answer), REPEATED_WITHIN_MS)
    .then(() => keys.set(key, ANSWERED, rememberMs))
    .catch(() => undefined);
}

/** Waits for a first callback that is still in progress; returns undefined if it failed. */
async function answeredBefore(key: string, { keys, clock }: Guard): Promise<CarrierAnswer | undefined> {
  const endMs = clock.monotonicMs() + WAITS_MS;
  for (;;) {
    const state = await keys.get(key);
    if (state === undefined) return undefined;
    const answer = state === ANSWERED ? await keys.get(key + ANSWER) : undefined;
    if (answer !== undefined) return JSON.parse(answer) as CarrierAnswer;
    if (state === ANSWERED || clock.monotonicMs() >= endMs) throw refused(SENT_BEFORE);
    await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
  }
}

/** The error for a callback that is not the carrier's, or not current. `why` is a clause without a period. */
export function refused(why: string): AppError {
  return new AppError("unauthorized", `The callback is refused. ${why}.`);
}

/** Reads a header sent exactly once. Throws `AppError` unauthorized when it is missing. */
export function signedHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  if (typeof value === "string" && value !== "") return value;
  throw refused(`The header ${name} is missing`);
}
