import { AppError } from "@parley/shared/errors.ts";
import type { Intend } from "../../http/idempotency/once.ts";
import type { Dial } from "../carriers/carrier.ts";
import type { Connected, DialedCall, PhoneCalls } from "../carriers/phone-calls.ts";

export const RING_TIMEOUT_SECS = 45;
/** The phone's socket comes when somebody answers. */
export const LEG_TICKET_TTL_SECS = RING_TIMEOUT_SECS + 60;

interface DialDeps {
  readonly phoneCalls: PhoneCalls;
  readonly intend: Intend;
  /** Instead of `RING_TIMEOUT_SECS`; no longer than that, for tickets are good for so long. */
  readonly ringTimeoutSecs?: number | undefined;
}

/**
 * Has a carrier ring, once what is meant is written down. Throws `AppError` bad_request (it refuses the account) and
 * what else the carrier throws; the call is written down as failed then.
 */
export async function dialLeg(
  connected: Connected,
  call: DialedCall,
  about: Pick<Dial, "to" | "from" | "machineDetection">,
  { phoneCalls, intend, ringTimeoutSecs = RING_TIMEOUT_SECS }: DialDeps,
): Promise<{ callSid: string }> {
  try {
    await intend(call.sessionId);
    return await phoneCalls.dial(connected, call, { ...about, ringTimeoutSecs });
  } catch (error) {
    const { sessionId } = call;
    // Whether it may be dialed again is for the dial's own error to say.
    await phoneCalls
      .happened(sessionId, { type: "ended", callSid: "", status: "failed" })
      .catch(() => undefined);
    if (error instanceof AppError && error.code === "unauthorized") {
      const message = `${connected.carrier.name} refuses the account's credentials; save new ones under /api/orgs/{orgId}/carriers.`;
      throw new AppError("bad_request", message, { cause: error });
    }
    if (wasNotDialed(error)) throw error;
    const message =
      error instanceof AppError
        ? error.message
        : "The call could not be placed; look whether it was before trying again.";
    throw new AppError("unavailable", message, { cause: error, retryable: false, details: { sessionId } });
  }
}

/** What the carrier refused, and what never reached it. After a time-out, say, the phone may ring all the same. */
export function wasNotDialed(error: unknown): boolean {
  return error instanceof AppError && (error.status < 500 || error.retryable);
}
