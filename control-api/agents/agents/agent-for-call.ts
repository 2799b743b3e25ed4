import type { AgentConfig } from "@parley/shared/contracts/agents.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../database/open.ts";
import type { ToolExecutors } from "../../tools/executor.ts";
import { plannedBrain } from "../../tools/planned-brain.ts";
import { openSettings } from "./settings.ts";
import { findAgent } from "./store.ts";

/** Who asks for a call: with a key, with a client token, signed in, or on the demo's own page. */
export type CallerKind = "key" | "client" | "member" | "demo";

/** In whose name a call is made. */
export interface Caller {
  readonly orgId: string;
  readonly userId: string;
  readonly kind: CallerKind;
}

export interface WantedCall {
  readonly orgId: string;
  readonly agentId: string;
  readonly callerKind: CallerKind;
  /** All the call has: the given ones, the built-in ones and `identifier`. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface CallableAgent {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** With its secrets, and its tools as a plan has them. */
  readonly settings: Omit<AgentConfig, "brain"> & { readonly brain: BrainPlan };
}

export interface AgentForCallDeps {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly toolExecutors: ToolExecutors;
}

/**
 * The agent of a call or chat that is about to begin. Every way to begin one asks here. Throws `AppError` not_found,
 * api_access_off (for keys and client tokens), validation_failed (a required variable is missing or blank).
 */
export async function agentForCall(
  { orgId, agentId, callerKind, variables }: WantedCall,
  deps: AgentForCallDeps,
): Promise<CallableAgent> {
  const { database, secrets, toolExecutors } = deps;
  const agent = await findAgent(database, orgId, agentId);
  if (!agent) throw new AppError("not_found", `There is no agent ${agentId} in this organization.`);
  const settings = openSettings(agent, agentId, secrets);
  if (!settings.apiAccess && (callerKind === "key" || callerKind === "client")) {
    throw new AppError(
      "api_access_off",
      "API access is off for this agent; set its apiAccess to true, or call it signed in.",
    );
  }
  assertVariables(settings.variables, variables);
  const brain = await plannedBrain(settings.brain, agent, toolExecutors);
  return { id: agent.id, name: agent.name, version: agent.version, settings: { ...settings, brain } };
}

/** Throws `AppError` validation_failed, which names every required variable that is missing or blank. */
function assertVariables(declared: AgentConfig["variables"], given: WantedCall["variables"]): void {
  const missing = declared
    .filter(({ name, required }) => required && (given[name] ?? "").trim() === "")
    .map(({ name }) => name);
  if (missing.length === 0) return;
  const fields = missing.map((name) => `variables.${name}`);
  throw new AppError("validation_failed", `Invalid body: the agent requires ${fields.join(", ")}.`, {
    details: { missingVariables: missing },
  });
}
