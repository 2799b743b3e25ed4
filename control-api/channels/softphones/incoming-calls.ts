import { liveCallKey } from "@parley/shared/contracts/call-plan.ts";
import { type DeviceSession, MEMBER_RINGS_MS } from "@parley/shared/contracts/softphones.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Caller } from "../../agents/agents/agent-for-call.ts";
import type { Database } from "../../database/open.ts";
import { beginDecline, giveDeclineUp } from "../../records/call-rows/declining.ts";
import type { Subscription } from "../../subscriptions/subscription.ts";
import type { Carrier, CarrierAnswer, CarrierEvent } from "../carriers/carrier.ts";
import { commandCall } from "../gateways/command-call.ts";
import type { PhoneSessionDeps } from "../sessions/initiate-call.ts";
import { prepareManualCall } from "../sessions/prepare-manual-call.ts";
import { assertOwn, goneCall, openDeviceSession } from "./device-session.ts";
import { haveLook } from "./ringing-channel.ts";
import {
  type Callee,
  findCallees,
  findSoftphoneCall,
  markDeclined,
  ringAgain,
  type SoftphoneCall,
  stopRinging,
} from "./store.ts";

export interface IncomingCallsDeps extends PhoneSessionDeps {
  /** How long a member's devices ring, instead of 45 s. */
  readonly memberRingsMs?: number | undefined;
  readonly log: Logger;
}

type Inbound = Extract<CarrierEvent, { type: "inbound" }>;

/**
 * Rings a member: connects the carrier at once, and our gateway plays the ringback tone to the caller. Throws
 * `AppError` no_gateway, conflict (the leg has a call already).
 */
export async function ringMember(
  { callSid, from, to }: Inbound,
  { carrier, ...callee }: Callee & { carrier: Carrier },
  deps: IncomingCallsDeps,
): Promise<CarrierAnswer> {
  const { plan, node } = await prepareManualCall(
    {
      ...callee,
      answerWithinMs: deps.memberRingsMs ?? MEMBER_RINGS_MS,
      incoming: true,
      leg: {
        channel: "softphone",
        direction: "inbound",
        ...(from === "" ? {} : { fromNumber: from }),
        toNumber: to,
        carrier: carrier.name,
        callSid,
        status: "ringing",
      },
    },
    deps,
  );
  const { sessionId, orgId } = plan;
  const leg = { sessionId, orgId, callSid, publicUrl: node.publicUrl };
  const answer = await deps.phoneCalls.connectMedia(carrier, leg).catch(async (error: unknown) => {
    // The caller is refused, so the call must not ring on any device.
    await deps.phoneCalls.happened(sessionId, { type: "ended", callSid, status: "failed" });
    throw error;
  });
  await lookAgain(callee, deps);
  return answer;
}

interface AnsweringDeps extends IncomingCallsDeps {
  /** Runs in the transaction that takes the call for this device; undone if its gateway cannot be told. */
  readonly onTaken: (sessionId: string, trx: Database["db"]) => Promise<void>;
}

/**
 * Answers a ringing call on one device. Throws `AppError` session_ended (it is over), forbidden, conflict (another
 * device was faster), no_gateway.
 */
export async function answer(sessionId: string, caller: Caller, deps: AnsweringDeps): Promise<DeviceSession> {
  const call = await findRinging(sessionId, caller, deps);
  // Before the call is taken: a device that cannot connect must not take it from the others.
  const deviceSession = await openDeviceSession(call, deps);
  if (!(await take(sessionId, deps))) throw await whyNot(call, deps);
  try {
    await lookAgain(call, deps);
    // Without a holder, the caller's audio has not reached the gateway yet.
    const isHeld = (await deps.bus.keys.get(liveCallKey(sessionId))) !== undefined;
    if (isHeld && !(await commandCall(sessionId, { command: "answer" }, deps))) throw goneCall();
  } catch (error) {
    await ringOn(call, deps);
    throw error;
  }
  return deviceSession;
}

/** Records the owner and the answer atomically, so that a dying process leaves neither alone. */
function take(sessionId: string, { database, onTaken }: AnsweringDeps): Promise<boolean> {
  return database.db.transaction().execute(async (trx) => {
    const isTaken = await stopRinging({ ...database, db: trx }, sessionId);
    if (isTaken) await onTaken(sessionId, trx);
    return isTaken;
  });
}

/** The answering device could not be connected: the call rings again for the next attempt. */
async function ringOn(call: SoftphoneCall, deps: IncomingCallsDeps): Promise<void> {
  if (await ringAgain(deps.database, call.sessionId)) await lookAgain(call, deps);
}

function lookAgain(callee: Callee, { bus, log }: Pick<IncomingCallsDeps, "bus" | "log">): Promise<void> {
  return haveLook(callee, { channels: bus.channels, log });
}

/** Throws `AppError` session_ended, forbidden, conflict (a device has answered), unavailable (it keeps ringing). */
export async function decline(sessionId: string, caller: Caller, deps: IncomingCallsDeps): Promise<void> {
  const call = await findRinging(sessionId, caller, deps);
  if (!(await beginDecline(deps.database, sessionId))) throw await whyNot(call, deps);
  try {
    await deps.phoneCalls.decline(sessionId);
  } catch (error) {
    await giveDeclineUp(deps.database, sessionId);
    throw error;
  }
  // Only now: declining is final.
  await markDeclined(deps.database, sessionId);
  await lookAgain(call, deps);
}

/** Tells a member's devices that a call has ended, so that they stop ringing. They also poll, only later. */
export function stopsRinging(deps: Pick<IncomingCallsDeps, "bus" | "log">): Subscription {
  return {
    name: "ringing_devices",
    types: ["call.ended"],
    handle: async (trx, recorded) => {
      const callees = await findCallees(
        trx,
        recorded.map(({ event }) => event.sessionId),
      );
      return () => {
        for (const callee of callees) void lookAgain(callee, deps);
      };
    },
  };
}

async function findRinging(
  sessionId: string,
  caller: Caller,
  { database }: IncomingCallsDeps,
): Promise<SoftphoneCall> {
  const call = await findSoftphoneCall(database, caller.orgId, sessionId);
  if (call?.direction !== "inbound") throw goneCall();
  assertOwn(call, caller);
  if (call.status !== "ringing") throw taken();
  return call;
}

/** Explains to a device that lost the race why: exactly one answers or declines. */
async function whyNot(
  { sessionId, orgId }: SoftphoneCall,
  { database }: IncomingCallsDeps,
): Promise<AppError> {
  return (await findSoftphoneCall(database, orgId, sessionId)) ? taken() : goneCall();
}

function taken(): AppError {
  return new AppError("conflict", "This call was already answered or declined, perhaps on another device.");
}
