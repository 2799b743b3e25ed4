import type { Manifest } from "@parley/platform/manifest/manifest.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { changeAgentSchema, type NewAgent, newAgentSchema } from "@parley/shared/contracts/agents.ts";
import { parseInput } from "@parley/shared/contracts/problems.ts";
import {
  type ActingClient,
  type AgentDeps,
  changeAgent,
  createAgent,
  noSuchAgent,
  removeAgent,
  toAgent,
} from "../../agents/agents/agents.ts";
import { findAgent, listAgents, type StoredAgent } from "../../agents/agents/store.ts";
import { createFromTemplate, createTeamFromTemplate } from "../../agents/templates/create.ts";
import type { BridgeCall, Handlers } from "../bridge/handlers.ts";
import { configOf, patchOf } from "./agent-groups.ts";

const LISTED = 1_000;
type Template = NonNullable<Manifest["agents"]>[number];
type Team = NonNullable<Manifest["teams"]>[number];

/** `agents.…` except public links. Manifest templates precede Parley's own. Every change is a version by the user. */
export function agentMethods(deps: AgentDeps): Handlers {
  return {
    "agents.list": async (_, { caller }) => {
      const { rows } = await listAgents(deps.database, caller.orgId, { limit: LISTED, offset: 0 });
      return rows.map(({ id, name }) => ({ id, name }));
    },
    "agents.getConfig": async ({ agentId }, { caller }) => {
      const agent = await findAgent(deps.database, caller.orgId, agentId);
      if (!agent) throw noSuchAgent();
      return shown(agent);
    },
    "agents.updateConfig": async ({ agentId, config }, call) => {
      const patch = parseInput(changeAgentSchema, patchOf(config), "body");
      if (config.flow) await assertFollowsFlow(agentId, call.caller, deps);
      const change = { id: agentId, patch, expected: { inHeader: undefined } };
      return shown(await changeAgent(change, actingFor(call), deps));
    },
    "agents.createFromTemplate": async ({ templateId }, call) => {
      const template = templateOf(templateId, call);
      if (!template) return createFromTemplate({ templateId }, actingFor(call), deps);
      return made(await createAgent(configured(template), actingFor(call), deps));
    },
    "agents.createTeamFromTemplate": ({ teamId }, call) => {
      const team = call.caller.manifest.teams?.find(({ id }) => id === teamId);
      return team ? createTeam(team, call, deps) : createTeamFromTemplate(teamId, actingFor(call), deps);
    },
  };
}

/**
 * Creates all agents of a team, or none. A flow that the manifest only names is left for people to build: its agent is
 * null. All templates are read before the first agent is created.
 */
async function createTeam(
  { id: teamId, agents: refs, entry = refs[0] }: Team,
  call: BridgeCall,
  deps: AgentDeps,
) {
  const members = refs.map((ref) => {
    const template = templateOf(ref, call);
    if (!template) throw new BridgeError("not_found", `The manifest has no agent template ${ref}.`);
    const { kind = "single", config } = template;
    const isLeft = kind === "flow" && config.brain === undefined;
    return { ref, kind, config: isLeft ? undefined : configured(template) };
  });
  const agents: { ref: string; agentId: string | null; kind: "single" | "flow" }[] = [];
  try {
    for (const { ref, kind, config } of members) {
      const agent = config && made(await createAgent(config, actingFor(call), deps));
      agents.push({ ref, agentId: null, kind, ...agent });
    }
  } catch (error) {
    // Half a team is useless: roll it back.
    for (const { agentId } of agents.toReversed())
      if (agentId !== null) await removeAgent(agentId, actingFor(call), deps);
    throw error;
  }
  return { teamId, entryAgentId: agents.find(({ ref }) => ref === entry)?.agentId ?? null, agents };
}

/** Refuses a flow for an agent that cannot store one. Throws `AppError` not_found, `BridgeError` invalid_arguments. */
async function assertFollowsFlow(
  agentId: string,
  { orgId }: BridgeCall["caller"],
  { database }: AgentDeps,
): Promise<void> {
  const agent = await findAgent(database, orgId, agentId);
  if (!agent) throw noSuchAgent();
  if (made(agent).kind === "flow") return;
  throw new BridgeError("invalid_arguments", `agents.updateConfig: the agent ${agentId} has no flow.`, {
    details: { fields: { "config.flow": "is there for agents that follow a flow only" } },
  });
}

function made(agent: StoredAgent) {
  const { brain } = toAgent(agent);
  return { agentId: agent.id, kind: brain.kind === "flow" ? ("flow" as const) : ("single" as const) };
}

function shown(agent: StoredAgent) {
  return { ...made(agent), config: configOf(toAgent(agent)) };
}

function actingFor({ caller, client }: BridgeCall): ActingClient {
  return { actor: caller.member, client, through: "app" };
}

function templateOf(id: string, { caller }: BridgeCall): Template | undefined {
  return caller.manifest.agents?.find((one) => one.id === id);
}

/** Throws `AppError` validation_failed, naming the setting. */
function configured({ name, config }: Template): NewAgent {
  return parseInput(newAgentSchema, { name, ...config }, "body");
}
