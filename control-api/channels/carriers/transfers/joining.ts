import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";

/** A carrier that asked what to do with who has heard the whisper waits for us: Twilio 15 s, others less. */
const ANSWERED_WITHIN_MS = 5_000;
/** How long the target and the caller may take to find each other: then the caller's media is gone, or it stays. */
export const JOIN_MS = 15_000;
/** After a carrier that says nothing for 5 s the agent is told by its gateway at 15 s; so long it certainly was not. */
export const UNTOLD_MS = JOIN_MS - ANSWERED_WITHIN_MS - 2_000;
/** A gateway that has seen the media go has ended the call by then. */
export const GIVEN_UP_AFTER_MS = JOIN_MS + 5_000;

/** Resolves when a carrier says that it joined two legs. Throws what it throws, and unavailable when it says nothing. */
export async function answeredInTime(joined: Promise<void>, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(ANSWERED_WITHIN_MS, () =>
    late.reject(
      new AppError("unavailable", "The carrier has not said yet that it joined them.", { retryable: false }),
    ),
  );
  try {
    await Promise.race([joined, late.promise]);
  } finally {
    cancel();
  }
}

/** Not what the carrier refused, nor what never reached it. */
export function mayHaveJoined(error: unknown): boolean {
  return !(error instanceof AppError) || (error.code === "unavailable" && !error.retryable);
}
