import type { AgentConfig } from "@parley/shared/contracts/agents.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../database/open.ts";
import type { ToolExecutors } from "../../tools/executor.ts";
import { plannedBrain } from "../../tools/planned-brain.ts";
import { type Person, recall } from "./recall.ts";
import { isSecretFor, openSettings } from "./settings.ts";
import { withSpokenLines } from "./spoken-lines.ts";
import { findVersion, type StoredAgent } from "./store.ts";

export interface PlanDeps {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly toolExecutors: ToolExecutors;
}

/** The version of each agent that a conversation continues with. */
export type Versions = Readonly<Record<string, number>>;

export interface PlannedVersion {
  readonly version: number;
  readonly settings: AgentConfig;
  /** Tools in the form a plan carries, lines as they are spoken. */
  readonly planned: BrainPlan;
}

interface Conversation {
  readonly variables: Readonly<Record<string, string>>;
  readonly version?: number | undefined;
  /** The person in the conversation; what the agent remembers of them goes into the plan. */
  readonly person?: Person | undefined;
}

/** An agent as a conversation runs it; the current agent if no version is given. */
export async function planVersion(
  agent: StoredAgent,
  { variables, version = agent.version, person }: Conversation,
  { database, secrets, toolExecutors }: PlanDeps,
): Promise<PlannedVersion> {
  const run = await asItWas(agent, version, database);
  const settings = openSettings(run, agent.id, secrets);
  const brain = await plannedBrain(settings.brain, run, toolExecutors);
  const { fallbackLine } = withSpokenLines(settings, { firstResponse: undefined, variables }).brain;
  const ofAgent = { orgId: agent.org_id, agentId: agent.id, memory: settings.memory };
  const memory = await recall(database, ofAgent, person);
  const planned = { ...brain, fallbackLine, ...(memory ? { memory } : {}) };
  return { version: run.version, settings, planned };
}

/** An earlier version; keeps the agent's secret only where `isSecretFor` allows it. */
async function asItWas(agent: StoredAgent, version: number, database: Database): Promise<StoredAgent> {
  if (version === agent.version) return agent;
  const was = await findVersion(database, { orgId: agent.org_id, agentId: agent.id }, version);
  if (!was) return agent;
  const sealed = isSecretFor({ settings: was.settings, sealed: {} }, agent) ? agent.sealed : {};
  return { ...agent, version, settings: was.settings, sealed };
}
