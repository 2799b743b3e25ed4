import type { CallDetail, CallRecord } from "@parley/platform/methods/calls.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { type CallSummary, callsQuerySchema } from "@parley/shared/contracts/calls.ts";
import { callAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import { parseInput } from "@parley/shared/contracts/problems.ts";
import {
  type InitiateCall,
  initiateCallSchema,
  type PlacedCall,
} from "@parley/shared/contracts/telephony.ts";
import type { Caller } from "../../agents/agents/agent-for-call.ts";
import { noSuchAgent } from "../../agents/agents/agents.ts";
import { findAgent } from "../../agents/agents/store.ts";
import type { Database } from "../../database/open.ts";
import type { Reads } from "../../http/reads.ts";
import { toSummary } from "../../records/calls/call-record.ts";
import { listCalls } from "../../records/calls/list-store.ts";
import { findCall } from "../../records/calls/store.ts";
import type { BridgeCaller } from "../bridge/caller.ts";
import type { Handlers } from "../bridge/handlers.ts";

const LISTED = "100";

export interface CallsDeps {
  readonly database: Database;
  readonly reads: Reads;
  /** Places one call. Throws `AppError`. */
  readonly placeCall: (input: InitiateCall, caller: Caller) => Promise<PlacedCall>;
}

/** `calls.…`. Transcripts are masked, as they are stored that way. */
export function callMethods({ database, reads, placeCall }: CallsDeps): Handlers {
  return {
    "calls.initiate": async ({ agentId, phone, variables }, { caller: { orgId, userId } }) => {
      const input = parseInput(initiateCallSchema, { agentId, to: phone, variables }, "body");
      // Checked before numbers and carriers: a wrong agent is the first mistake an app makes.
      if (!(await findAgent(database, orgId, agentId))) throw noSuchAgent();
      const { sessionId } = await placeCall(input, { orgId, userId, kind: "member" });
      return { sessionId };
    },
    "calls.history": async ({ filters = {} }, { caller }) => {
      const { channel, ...others } = filters;
      const named = channel === undefined ? {} : { channel: storedChannel(channel) };
      const query = parseInput(callsQuerySchema, { limit: LISTED, ...others, ...named }, "query");
      const calls = await reads.run(caller.member, (database) => listCalls(database, caller.orgId, query));
      return calls.map(toCallRecord);
    },
    "calls.get": async ({ sessionId }, { caller }) => readCall(sessionId, caller, reads),
    "calls.open": async ({ sessionId }, { caller }) => ({
      sessionId: (await existingCall(sessionId, caller, reads)).call.session_id,
    }),
  };
}

async function readCall(sessionId: string, caller: BridgeCaller, reads: Reads): Promise<CallDetail> {
  const { call, messages, analysis } = await existingCall(sessionId, caller, reads);
  const found = analysis?.analysis ? callAnalysis.parse(analysis.analysis) : null;
  return {
    ...toCallRecord(toSummary(call)),
    summary: found?.summary ?? null,
    analysis: found as CallDetail["analysis"],
    transcript: messages.map(({ role, text, at }) => ({ role, text, at: at.toISOString() })),
  };
}

/** Throws `BridgeError` not_found. */
export async function existingCall(sessionId: string, { orgId }: Pick<BridgeCaller, "orgId">, reads: Reads) {
  const found = await findCall(reads.database, orgId, sessionId);
  if (found) return found;
  throw new BridgeError("not_found", `There is no call ${sessionId} in this organization.`);
}
/** Apps' names of channels, by those of records: a record says `web_chat` for a spoken call of a page, too. */
const CHANNELS: Readonly<Record<string, CallRecord["channel"]>> = {
  telephony: "telephony",
  softphone: "softphone",
  web_chat: "web_call",
  chat: "web_chat",
  whatsapp: "whatsapp",
  instagram: "instagram",
};

/** The record's name for an app's channel. Throws `BridgeError` invalid_arguments. */
function storedChannel(channel: string): string {
  const known = Object.entries({ ...CHANNELS, simulation: "simulation" });
  const stored = known.find(([, shown]) => shown === channel)?.[0];
  if (stored !== undefined) return stored;
  const names = known.map(([, shown]) => shown).join(", ");
  throw new BridgeError("invalid_arguments", `calls.history: filters.channel must be one of ${names}.`);
}

const DIRECTIONS: readonly string[] = ["inbound", "outbound", "web", "whatsapp", "instagram"];

function toCallRecord(call: Omit<CallSummary, "hasRecording">): CallRecord {
  return {
    id: call.sessionId,
    agent_id: call.agentId,
    agent_name: call.agentName,
    channel: CHANNELS[call.channel] ?? "simulation",
    direction: (DIRECTIONS.includes(call.direction) ? call.direction : "web") as CallRecord["direction"],
    from_number: call.fromNumber,
    to_number: call.toNumber,
    status: call.status,
    duration_sec: call.durationSecs ?? 0,
    start_time: call.startTime ?? call.createdAt,
    end_time: call.endTime,
  };
}
