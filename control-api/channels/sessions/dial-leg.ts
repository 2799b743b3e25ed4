import { AppError } from "@parley/shared/errors.ts";
import type { Intend } from "../../http/idempotency/once.ts";
import type { Dial } from "../carriers/carrier.ts";
import type { Connected, DialedCall, PhoneCalls } from "../carriers/phone-calls.ts";

export const RING_TIMEOUT_SECS = 45;
/** The phone's socket connects only when somebody answers. */
export const LEG_TICKET_TTL_SECS = RING_TIMEOUT_SECS + 60;

interface DialDeps {
  readonly phoneCalls: PhoneCalls;
  readonly intend: Intend;
  /** Replaces `RING_TIMEOUT_SECS`, never with more: tickets are valid for no longer. */
  readonly ringTimeoutSecs?: number | undefined;
}

/**
 * Records the intent, then has the carrier ring. Throws `AppError` bad_request (the carrier refuses the account) and
 * what else the carrier throws; the call is then recorded as failed.
 */
export async function dialLeg(
  connected: Connected,
  call: DialedCall,
  about: Pick<Dial, "to" | "from" | "machineDetection">,
  { phoneCalls, intend, ringTimeoutSecs = RING_TIMEOUT_SECS }: DialDeps,
): Promise<{ callSid: string }> {
  try {
    await intend(call.sessionId);
    const dialed = await phoneCalls.dial(connected, call, { ...about, ringTimeoutSecs });
    await phoneCalls.refusals.taken(connected.connectionId);
    return dialed;
  } catch (error) {
    const { sessionId } = call;
    // The dial's own error says whether it may be retried.
    await phoneCalls
      .happened(sessionId, { type: "ended", callSid: "", status: "failed" })
      .catch(() => undefined);
    if (error instanceof AppError && error.code === "unauthorized") {
      await phoneCalls.refusals.refused(connected.connectionId);
      const message = `${connected.carrier.name} rejected the account's credentials. Save new ones under /api/orgs/{orgId}/carriers.`;
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

/** True if the carrier refused the call or was never reached. After e.g. a time-out, the phone may still ring. */
export function wasNotDialed(error: unknown): boolean {
  return error instanceof AppError && (error.status < 500 || error.retryable);
}
