import type { IncomingHttpHeaders } from "node:http";
import type { Keys } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { CarrierAnswer, SignedWord } from "./carrier.ts";

/** What carriers that sign a time document: five minutes either way. */
const TOLERANCE_MS = 300_000;
/** Past the tolerance in both directions a time refuses what the memory has forgotten. */
export const REMEMBER_TIMED_MS = 2 * TOLERANCE_MS;
/** Without a signed time: as long as a call may last and its callbacks may change something. */
export const REMEMBER_UNTIMED_MS = 5 * 3_600_000;
/** Twilio gives up on a request, with all its retries, after 15 seconds at the most ("tt" of its connection overrides). */
const REPEATED_WITHIN_MS = 15_000;
/**
 * How long a repeated callback waits for the answer to the first. A join takes longest: 5 s at its carrier, and 3 s at
 * the call's gateway before and after it.
 */
const WAITS_MS = 12_000;
const LOOK_EVERY_MS = 100;

const IN_WORK = "";
const ANSWERED = "answered";
/** Where the answer is, behind the callback's key. */
const ANSWER = ":answer";
const SENT_BEFORE = "It was sent before";

/** Throws `AppError` unauthorized when a signed time is not about now. */
export function assertRecent(signedAtMs: number, clock: Clock): void {
  // A comparison that is false for NaN.
  if (Math.abs(clock.wallMs() - signedAtMs) <= TOLERANCE_MS) return;
  throw refused("Its time is more than five minutes away from ours");
}

interface Guard {
  readonly connectionId: string;
  readonly keys: Keys;
  readonly clock: Clock;
}

/**
 * Does what a callback asks for when it comes for the first time to any node. One that could not be dealt with may come
 * again as it is. One whose carrier repeats it byte for byte (`isRepeated`) gets the answer of the first time for 15
 * seconds, and nothing is done for it. Throws `AppError` unauthorized, and what the work throws.
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

/** What is not kept was answered all the same. */
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

/** Undefined when the first one could not be dealt with; one that is in work is waited for. */
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
