import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";

/** A carrier that asks how to proceed after the whisper waits for our reply: Twilio 15 s, others less. */
const ANSWERED_WITHIN_MS = 5_000;
/** How long joining may take: by then the caller's media is gone, or it stays. */
export const JOIN_MS = 15_000;
/** If the carrier says nothing for 5 s, the gateway tells the agent at 15 s; within this time it certainly has not. */
export const UNTOLD_MS = JOIN_MS - ANSWERED_WITHIN_MS - 2_000;
/** By then, a gateway that saw the media go has ended the call. */
export const GIVEN_UP_AFTER_MS = JOIN_MS + 5_000;

/** Resolves when the carrier confirms the join. Throws what the carrier throws, and unavailable if it says nothing. */
export async function answeredInTime(joined: Promise<void>, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(ANSWERED_WITHIN_MS, () =>
    late.reject(
      new AppError("unavailable", "The carrier has not confirmed yet that they are connected.", {
        retryable: false,
      }),
    ),
  );
  try {
    await Promise.race([joined, late.promise]);
  } finally {
    cancel();
  }
}

/** False for what the carrier refused, and for what never reached it. */
export function mayHaveJoined(error: unknown): boolean {
  return !(error instanceof AppError) || (error.code === "unavailable" && !error.retryable);
}
