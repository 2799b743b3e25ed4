import type { AgentConfig } from "@parley/shared/contracts/agents.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import type { TeamMember } from "@parley/shared/contracts/call-plan.ts";
import { AppError } from "@parley/shared/errors.ts";
import { type PlanDeps, planVersion, type Versions } from "./plan-version.ts";
import type { Person } from "./recall.ts";
import { findAgent, type StoredAgent } from "./store.ts";
import { teamOf } from "./team.ts";

/** Origin of a call: a key, a client token, a member, the demo page, a channel, or a public page. */
export type CallerKind = "key" | "client" | "member" | "demo" | "contact" | "visitor";

/** The principal a call is made for. */
export interface Caller {
  readonly orgId: string;
  readonly userId: string;
  readonly kind: CallerKind;
  /** Set for callers with a key. */
  readonly keyId?: string;
  /** Set for calls that a campaign places. */
  readonly campaignId?: string;
}

export interface WantedCall {
  readonly orgId: string;
  readonly agentId: string;
  readonly callerKind: CallerKind;
  /** All variables of the call: the given ones, the built-in ones, and `identifier`. */
  readonly variables: Readonly<Record<string, string>>;
  /** The agent versions the conversation continues with; absent: the current ones. */
  readonly versions?: Versions | undefined;
  /** The person in the conversation; absent: nothing is remembered of them. */
  readonly person?: Person | undefined;
  /** A draft to use instead of the saved agent. */
  readonly as?: StoredAgent | undefined;
}

export interface CallableAgent {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** Secrets opened, tools in the form a plan carries. */
  readonly settings: Omit<AgentConfig, "brain"> & { readonly brain: BrainPlan };
  /** The agents the conversation can be handed to. */
  readonly team: readonly TeamMember[];
}

/**
 * Resolves the agent of a call or chat that is about to begin; every entry point goes through here. Throws `AppError`
 * not_found, api_access_off (for keys and client tokens), validation_failed (a required variable is missing or blank).
 */
export async function agentForCall(
  { orgId, agentId, callerKind, variables, versions, person, as }: WantedCall,
  deps: PlanDeps,
): Promise<CallableAgent> {
  const { database } = deps;
  const agent = as ?? (await findAgent(database, orgId, agentId));
  if (!agent) throw new AppError("not_found", `There is no agent ${agentId} in this organization.`);
  const { settings, planned, version } = await planVersion(
    agent,
    { variables, version: versions?.[agentId], person },
    deps,
  );
  if (!settings.apiAccess && (callerKind === "key" || callerKind === "client")) {
    throw new AppError(
      "api_access_off",
      "API access is off for this agent. Set its apiAccess to true, or call it as a signed-in user.",
    );
  }
  assertVariables(settings.variables, variables);
  const team = await teamOf({ orgId, brain: settings.brain, variables, versions, person, as }, deps);
  return { id: agent.id, name: agent.name, version, settings: { ...settings, brain: planned }, team };
}

/** Throws `AppError` validation_failed, naming every required variable that is missing or blank. */
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
