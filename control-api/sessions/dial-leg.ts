import { AppError } from "@parley/shared/errors.ts";
import type { Dial } from "../carriers/carrier.ts";
import type { Connected, DialledCall, PhoneCalls } from "../carriers/phone-calls.ts";

export const RING_TIMEOUT_SECS = 45;
/** The phone's socket comes when somebody answers. */
export const LEG_TICKET_TTL_SECS = RING_TIMEOUT_SECS + 60;

/**
 * Has a carrier ring. Throws `AppError` bad_request (it refuses the account) and what else the carrier throws; the
 * call is written down as failed then.
 */
export async function dialLeg(
  connected: Connected,
  call: DialledCall,
  about: Pick<Dial, "to" | "from" | "machineDetection">,
  phoneCalls: PhoneCalls,
): Promise<{ callSid: string }> {
  try {
    return await phoneCalls.dial(connected, call, { ...about, ringTimeoutSecs: RING_TIMEOUT_SECS });
  } catch (error) {
    await phoneCalls.happened(call.sessionId, { type: "ended", callSid: "", status: "failed" });
    if (error instanceof AppError && error.code === "unauthorized") {
      const message = `${connected.carrier.name} refuses the account's credentials; save new ones under /api/orgs/{orgId}/carriers.`;
      throw new AppError("bad_request", message, { cause: error });
    }
    if (error instanceof AppError) throw error;
    throw new AppError("unavailable", "The carrier cannot be reached; nothing was dialled.", {
      cause: error,
    });
  }
}
