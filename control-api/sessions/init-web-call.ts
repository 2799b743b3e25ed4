import type { Bus } from "@parley/shared/bus/bus.ts";
import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import {
  type AgentSettings,
  agentSettingsSchema,
  type CallPlan,
  callPlanKey,
  callPlanSchema,
} from "@parley/shared/contracts/call-plan.ts";
import type { GatewayNode } from "@parley/shared/contracts/gateway-nodes.ts";
import type { PiiPolicy } from "@parley/shared/contracts/pii.ts";
import type { InitWebCall, WebCall } from "@parley/shared/contracts/sessions.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { TicketSigner } from "@parley/shared/security/tickets.ts";
import { selectPiiPolicy } from "../pii/store.ts";
import { chooseNode } from "./choose-node.ts";
import { dateVariables, resolvePlaceholders } from "./date-variables.ts";
import { findAgent, insertWebCall } from "./store.ts";

/** Longer than a ticket lives: the plan must be there for a socket that was just admitted. */
const PLAN_TTL_MS = 5 * 60_000;

export interface SessionDeps {
  readonly database: Database;
  readonly bus: Bus;
  readonly tickets: TicketSigner;
  readonly clock: Clock;
}

/**
 * Creates a web call: places it on a gateway, freezes its plan and signs its ticket. Throws `AppError`
 * not_found (no such agent), no_gateway.
 */
export async function initWebCall(
  input: InitWebCall,
  caller: { orgId: string; userId: string },
  deps: SessionDeps,
): Promise<WebCall & { agentName: string }> {
  const { database, bus, tickets, clock } = deps;
  const agent = await findAgent(database, caller.orgId, input.agentId);
  if (!agent) throw new AppError("not_found", `There is no agent ${input.agentId} in this organization.`);
  const node = await chooseNode(bus.keys);
  const settings = agentSettingsSchema.parse(agent.settings);
  const pii = await selectPiiPolicy(database, caller.orgId);
  const plan = planOf(input, { ...caller, settings, node, pii, wallMs: clock.wallMs() });
  await insertWebCall(database, plan);
  await bus.keys.set(callPlanKey(plan.sessionId), JSON.stringify(plan), PLAN_TTL_MS);
  const { sessionId, orgId } = plan;
  const ticket = await tickets.sign({ sessionId, orgId, kind: "call" });
  return {
    sessionId,
    websocketUrl: `${node.publicUrl}/v1/calls/${sessionId}?ticket=${ticket}`,
    agentName: agent.name,
  };
}

interface PlanContext {
  readonly orgId: string;
  readonly userId: string;
  readonly settings: AgentSettings;
  readonly node: GatewayNode;
  readonly pii: PiiPolicy;
  readonly wallMs: number;
}

function planOf(input: InitWebCall, { orgId, userId, settings, node, pii, wallMs }: PlanContext): CallPlan {
  const identifier = input.identifier ?? null;
  const variables = {
    ...dateVariables(wallMs),
    ...input.variables,
    ...(identifier === null ? {} : { identifier }),
  };
  const opener = resolvePlaceholders(input.firstResponse ?? settings.firstResponse ?? "", variables);
  const recognisers = settings.stt.filter(({ vendor }) => node.sttVendors.includes(vendor));
  return callPlanSchema.parse({
    ...settings,
    firstResponse: opener === "" ? undefined : opener,
    stt: recognisers.length > 0 ? recognisers : [{ vendor: "client" }],
    sessionId: newId("ses"),
    callId: newId("cal"),
    orgId,
    userId,
    agentId: input.agentId,
    identifier,
    variables,
    pii,
    nodeId: node.nodeId,
    createdAt: toTimestamp(wallMs),
  });
}
