import type { InitiateCall, PlacedCall } from "@parley/shared/contracts/telephony.ts";
import type { Caller } from "../../agents/agents/agent-for-call.ts";
import type { Intend } from "../../http/idempotency/once.ts";
import type { PhoneCalls } from "../carriers/phone-calls.ts";
import { callerNumber } from "../numbers/numbers.ts";
import { dialLeg, LEG_TICKET_TTL_SECS } from "./dial-leg.ts";
import { findCallAgent, placeCall, type SessionDeps } from "./prepare-call.ts";
import { recoverPlaced } from "./recover-placed.ts";

export interface PhoneSessionDeps extends SessionDeps {
  readonly phoneCalls: PhoneCalls;
  /** Overrides the ring time-out of 45 s. */
  readonly ringTimeoutSecs?: number;
}

export interface PlacingDeps extends PhoneSessionDeps {
  /** Records the intent before anything is dialed. */
  readonly intend: Intend;
}

/**
 * Places an outbound call by an agent: the carrier rings, and connects to the gateway when somebody answers. Throws
 * `AppError` not_found (no such agent), bad_request (number), no_gateway, and what the carrier throws; the call is then
 * recorded as failed.
 */
export async function initiateCall(
  input: InitiateCall,
  caller: Caller,
  deps: PlacingDeps,
): Promise<PlacedCall> {
  const { to, machineDetection, fromNumber, fromNumberId, ...about } = input;
  const direction = "outbound";
  // Whoever names a wrong agent hears of that, not of the number that the agent would call from.
  const found = await findCallAgent({ input: about, caller, direction }, deps);
  const from = await callerNumber(
    caller.orgId,
    { fromNumber, fromNumberId, agentId: input.agentId },
    deps.database,
  );
  const connected = await deps.phoneCalls.carrierOf(caller.orgId, from.carrier);
  const leg = {
    channel: "telephony",
    direction,
    fromNumber: from.number,
    toNumber: to,
    carrier: from.carrier,
    machineDetection,
  };
  const ticketTtlSecs = LEG_TICKET_TTL_SECS;
  const prepared = await placeCall({ input: about, caller, leg, ticketTtlSecs, ...found }, deps);
  const { sessionId, callId } = prepared.plan;
  const looksFor = prepared.machineDetection;
  const { callSid } = await dialLeg(
    connected,
    { ...prepared, sessionId },
    { to, from: from.number, machineDetection: looksFor },
    deps,
  );
  return { sessionId, callId, callSid, status: "queued", fromNumber: from.number, toNumber: to };
}

/** Recovers a call whose request broke off while dialing. Returns undefined while the call may be about to change. */
export async function recoverInitiated(
  sessionId: string,
  about: { readonly orgId: string; readonly mayBeInFlight: boolean },
  deps: PhoneSessionDeps,
): Promise<PlacedCall | undefined> {
  const placed = await recoverPlaced(sessionId, about, deps.database);
  if (!placed) return undefined;
  const { nodeId: _node, endedAt: _endedAt, ...call } = placed;
  return call;
}
