import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Carrier, CarrierAnswer, CarrierEvent } from "../carriers/carrier.ts";
import { findNode } from "../gateways/choose-node.ts";
import { findNumber } from "../numbers/store.ts";
import type { PhoneSessionDeps } from "../sessions/initiate-call.ts";
import { prepareCall } from "../sessions/prepare-call.ts";
import { type IncomingCallsDeps, ringMember } from "../softphones/incoming-calls.ts";
import { mayAnswer } from "../softphones/store.ts";
import { isWithheld } from "./withheld.ts";

/** Does not say why: that is for the owners. */
const CANNOT_PAY = "This number cannot take calls at the moment. Please try again later.";
const UNPAID: readonly string[] = ["payment_required", "spending_limit_reached"];

type Inbound = Extract<CarrierEvent, { type: "inbound" }>;

/**
 * Routes an inbound call: its number's agent takes it, or it rings for the allocated member. Returns the reply to the
 * carrier; an unassigned number refuses. A repeated request gets the same call. Throws `AppError` not_found for the leg
 * of another organization's call.
 */
export async function takeInboundCall(
  event: Inbound,
  { orgId, carrier }: { orgId: string; carrier: Carrier },
  deps: IncomingCallsDeps,
): Promise<CarrierAnswer> {
  const { callSid, to } = event;
  const known = await answerKnown(callSid, { orgId, carrier }, deps);
  if (known) return known;
  const number = await findNumber(deps.database, orgId, { number: to });
  try {
    if (number?.agentId != null)
      return await takeByAgent(event, { orgId, carrier, agentId: number.agentId }, deps);
    const userId = number?.userId;
    if (userId != null && (await mayAnswer(deps.database, { orgId, userId })))
      return await ringMember(event, { orgId, carrier, userId }, deps);
  } catch (error) {
    // Never leave a caller with silence.
    if (!(error instanceof AppError)) throw error;
    // The carrier sent two concurrent requests, and the other one won.
    const faster = error.code === "conflict" && (await answerKnown(callSid, { orgId, carrier }, deps));
    if (faster) return faster;
    deps.log.warn(
      { event: "inbound_call_refused", err: messageOf(error), callSid },
      "an inbound call was refused",
    );
    if (UNPAID.includes(error.code)) return carrier.refuse(callSid, CANNOT_PAY);
  }
  return carrier.refuse(callSid);
}

/** The reply for a leg that already has a call; undefined if it has none. */
async function answerKnown(
  callSid: string,
  { orgId, carrier }: { orgId: string; carrier: Carrier },
  deps: PhoneSessionDeps,
): Promise<CarrierAnswer | undefined> {
  const known = await findByCallSid(carrier.name, callSid, deps);
  // An organization signs its own callbacks. The carrier gets no refusal: that would refuse the other call's leg.
  if (known && known.orgId !== orgId) throw new AppError("not_found", "This account has no such call.");
  if (known?.endedAt) return carrier.refuse(callSid);
  return known && connectTo(known, { orgId, carrier, callSid }, deps);
}

async function takeByAgent(
  { callSid, from, to }: Inbound,
  { orgId, carrier, agentId }: { orgId: string; carrier: Carrier; agentId: string },
  deps: PhoneSessionDeps,
): Promise<CarrierAnswer> {
  const userId = await ownerOf(orgId, deps);
  if (userId === undefined) return carrier.refuse(callSid);
  const leg = {
    channel: "telephony",
    direction: "inbound",
    ...(from === "" ? {} : { fromNumber: from }),
    toNumber: to,
    carrier: carrier.name,
    callSid,
  };
  // Otherwise all who withhold their number would be one person, whom the agent remembers.
  const input = { agentId, variables: {}, identifier: isWithheld(from) ? undefined : from };
  const caller = { orgId, userId, kind: "member" } as const;
  const { plan, node } = await prepareCall({ input, caller, leg }, deps);
  const { sessionId } = plan;
  return deps.phoneCalls.connectMedia(carrier, { sessionId, orgId, callSid, publicUrl: node.publicUrl });
}

interface KnownCall {
  readonly sessionId: string;
  readonly nodeId: string;
}

async function connectTo(
  { sessionId, nodeId }: KnownCall,
  { orgId, carrier, callSid }: { orgId: string; carrier: Carrier; callSid: string },
  deps: PhoneSessionDeps,
): Promise<CarrierAnswer> {
  const node = await findNode(deps.bus.keys, nodeId);
  if (!node) return carrier.refuse(callSid);
  return deps.phoneCalls.connectMedia(carrier, { sessionId, orgId, callSid, publicUrl: node.publicUrl });
}

/** The call of a carrier's leg. */
export function findByCallSid(carrier: string, callSid: string, { database }: PhoneSessionDeps) {
  return database.db
    .selectFrom("calls")
    .select(["session_id as sessionId", "org_id as orgId", "node_id as nodeId", "ended_at as endedAt"])
    .where("carrier", "=", carrier)
    .where("call_sid", "=", callSid)
    .executeTakeFirst();
}

/** The owner pays: nobody in particular places an inbound call. */
async function ownerOf(orgId: string, { database }: PhoneSessionDeps): Promise<string | undefined> {
  const owner = await database.db
    .selectFrom("memberships")
    .select("user_id as userId")
    .where("org_id", "=", orgId)
    .where("role", "=", "owner")
    .orderBy("created_at")
    .executeTakeFirst();
  return owner?.userId;
}

/** The reply to a carrier that waits to connect the media of an existing call. */
export async function answerWaiting(
  { sessionId, callSid }: { sessionId: string; callSid: string },
  { orgId, carrier }: { orgId: string; carrier: Carrier },
  deps: PhoneSessionDeps,
): Promise<CarrierAnswer> {
  const call = await deps.database.db
    .selectFrom("calls")
    .select(["session_id as sessionId", "node_id as nodeId"])
    .where("session_id", "=", sessionId)
    .where("org_id", "=", orgId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return call ? connectTo(call, { orgId, carrier, callSid }, deps) : carrier.refuse(callSid);
}
