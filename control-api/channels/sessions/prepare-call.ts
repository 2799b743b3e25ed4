import type { Bus } from "@parley/shared/bus/bus.ts";
import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import { type CallPlan, callPlanSchema } from "@parley/shared/contracts/call-plan.ts";
import type { GatewayNode } from "@parley/shared/contracts/gateway-nodes.ts";
import type { PiiPolicy } from "@parley/shared/contracts/pii.ts";
import type { InitWebCall } from "@parley/shared/contracts/sessions.ts";
import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import { newId } from "@parley/shared/ids.ts";
import type { PlanBox } from "@parley/shared/security/plan-box.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { TicketSigner } from "@parley/shared/security/tickets.ts";
import { agentForCall, type CallableAgent, type Caller } from "../../agents/agents/agent-for-call.ts";
import { callVariables } from "../../agents/agents/call-variables.ts";
import { withSpokenLines } from "../../agents/agents/spoken-lines.ts";
import { selectPiiPolicy } from "../../agents/pii/store.ts";
import type { Database } from "../../database/open.ts";
import type { ToolExecutors } from "../../tools/executor.ts";
import type { MachineDetection } from "../carriers/carrier.ts";
import { chooseNode } from "../gateways/choose-node.ts";
import type { AdmitCall } from "./admission.ts";
import { keepPlan } from "./keep-plan.ts";
import type { Leg } from "./store.ts";

export interface SessionDeps {
  readonly database: Database;
  readonly bus: Bus;
  readonly tickets: TicketSigner;
  readonly plans: PlanBox;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly toolExecutors: ToolExecutors;
  readonly admitCall: AdmitCall;
}

/** A call on the bus, which a gateway takes when its caller's socket connects. */
export interface PreparedCall {
  readonly plan: CallPlan;
  readonly node: GatewayNode;
  /** Admits the caller's socket. */
  readonly ticket: string;
  readonly agentName: string;
  /** Detection requested from the carrier; outbound phone calls only. */
  readonly machineDetection: MachineDetection | undefined;
}

export interface CallRequest {
  readonly input: InitWebCall;
  readonly caller: Caller;
  readonly leg: Leg;
  /** How long the caller's socket may take to connect: a phone rings first. */
  readonly ticketTtlSecs?: number | undefined;
}

/**
 * Places a call on a gateway, freezes its plan, records it and signs its ticket. Throws `AppError` not_found (no such
 * agent), api_access_off, validation_failed (a required variable), no_gateway, conflict (its leg has a call already),
 * payment_required, spending_limit_reached.
 */
export async function prepareCall(
  { input, caller, leg, ticketTtlSecs }: CallRequest,
  deps: SessionDeps,
): Promise<PreparedCall> {
  const found = await findCallAgent({ input, caller, direction: leg.direction }, deps);
  return placeCall({ input, caller, leg, ticketTtlSecs, ...found }, deps);
}

/** The first half of `prepareCall`. Throws what it throws about the agent. */
export async function findCallAgent(
  { input, caller, direction }: Pick<CallRequest, "input" | "caller"> & Pick<Leg, "direction">,
  deps: SessionDeps,
): Promise<Pick<PlacedRequest, "agent" | "variables">> {
  const { orgId, kind } = caller;
  const wallMs = deps.clock.wallMs();
  const variables = callVariables(input, wallMs);
  const isIdentified = direction !== "inbound";
  const { agentId, identifier } = input;
  const person = identifier === undefined ? undefined : { identifier, isIdentified, at: new Date(wallMs) };
  const agent = await agentForCall({ orgId, agentId, callerKind: kind, variables, person }, deps);
  return { agent, variables };
}

/** A call whose agent is known. */
export interface PlacedRequest extends CallRequest {
  readonly agent: CallableAgent;
  readonly variables: Record<string, string>;
}

/** `prepareCall` from there on. Throws what it throws, but nothing about the agent. */
export async function placeCall(
  { input, caller, leg, ticketTtlSecs, agent, variables }: PlacedRequest,
  deps: SessionDeps,
): Promise<PreparedCall> {
  const { database, bus, tickets, clock } = deps;
  const { orgId, userId, keyId, campaignId, kind } = caller;
  const node = await chooseNode(bus.keys);
  const pii = await selectPiiPolicy(database, orgId);
  const plan = planOf(input, {
    orgId,
    userId,
    agent,
    variables,
    node,
    wallMs: clock.wallMs(),
    pii,
    channel: leg.channel,
    isIdentified: leg.direction !== "inbound",
  });
  const machineDetection = detectionFor(leg, agent);
  const askedBy = { agentVersion: agent.version, keyId, campaignId, isVisitors: kind === "visitor" };
  await keepPlan(plan, { ...leg, machineDetection, ...askedBy }, deps);
  const ticketKind = leg.channel === "telephony" ? "leg" : "call";
  const ticket = await tickets.sign({ sessionId: plan.sessionId, orgId, kind: ticketKind }, ticketTtlSecs);
  return { plan, node, ticket, agentName: agent.name, machineDetection };
}

/** The requested detection, or else what the agent's settings imply; an agent that talks to machines needs none. */
function detectionFor(
  { channel, direction, machineDetection }: Leg,
  { settings }: CallableAgent,
): MachineDetection | undefined {
  if (channel !== "telephony" || direction !== "outbound") return undefined;
  return machineDetection ?? (settings.voicemail.action === "continue" ? undefined : "true");
}

interface PlanContext {
  readonly orgId: string;
  readonly userId: string;
  readonly agent: CallableAgent;
  readonly variables: Record<string, string>;
  readonly node: GatewayNode;
  readonly wallMs: number;
  readonly pii: PiiPolicy;
  readonly channel: string;
  readonly isIdentified: boolean;
}

function planOf(
  input: InitWebCall,
  { orgId, userId, agent, variables, node, wallMs, pii, channel, isIdentified }: PlanContext,
): CallPlan {
  const { settings, team } = agent;
  return callPlanSchema.parse({
    ...withSpokenLines(settings, { firstResponse: input.firstResponse, variables }),
    team,
    stt: recognizersFor(settings, { node, mustHear: channel === "telephony" || channel === SIMULATION }),
    ...(channel === SIMULATION ? { channel } : {}),
    sessionId: newId("ses"),
    callId: newId("cal"),
    orgId,
    userId,
    agentId: agent.id,
    identifier: input.identifier ?? null,
    isIdentified,
    variables,
    nodeId: node.nodeId,
    pii,
    createdAt: toTimestamp(wallMs),
  });
}

/**
 * The agent's recognizers, as far as this gateway has them. A telephone cannot turn speech into text, and the caller of
 * a rehearsal must not: the gateway's recognizers replace the client's, in the agent's language.
 */
function recognizersFor(
  { stt }: CallableAgent["settings"],
  { node, mustHear }: Pick<PlanContext, "node"> & { readonly mustHear: boolean },
): readonly { readonly vendor: string; readonly language?: string | undefined }[] {
  const known = stt.filter(({ vendor }) => node.sttVendors.includes(vendor));
  const language = (known[0] ?? stt[0])?.language;
  const hearing = known.length > 0 ? known : [{ vendor: "client", language }];
  if (!mustHear) return hearing;
  const own = hearing.filter(({ vendor }) => vendor !== "client");
  if (own.length > 0) return own;
  const others = node.sttVendors.filter((vendor) => vendor !== "client");
  return others.length > 0 ? others.map((vendor) => ({ vendor, language })) : hearing;
}
