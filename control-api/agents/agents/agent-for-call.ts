import type { AgentConfig } from "@parley/shared/contracts/agents.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import type { TeamMember } from "@parley/shared/contracts/call-plan.ts";
import { AppError } from "@parley/shared/errors.ts";
import { type PlanDeps, planVersion, type Versions } from "./plan-version.ts";
import type { Person } from "./recall.ts";
import { findAgent, type StoredAgent } from "./store.ts";
import { teamOf } from "./team.ts";

/** Who asks for a call: with a key, with a client token, signed in, on the demo's own page, by writing to a channel, or on the agent's public page. */
export type CallerKind = "key" | "client" | "member" | "demo" | "contact" | "visitor";

/** In whose name a call is made. */
export interface Caller {
  readonly orgId: string;
  readonly userId: string;
  readonly kind: CallerKind;
  /** Of callers with a key. */
  readonly keyId?: string;
}

export interface WantedCall {
  readonly orgId: string;
  readonly agentId: string;
  readonly callerKind: CallerKind;
  /** All the call has: the given ones, the built-in ones and `identifier`. */
  readonly variables: Readonly<Record<string, string>>;
  /** What the conversation goes on with, whatever the agents have become since; absent: the agents as they are. */
  readonly versions?: Versions | undefined;
  /** Whom it is with; absent: the agent remembers nobody. */
  readonly person?: Person | undefined;
  /** The agent itself, as somebody drafts it; absent: as it is saved. */
  readonly as?: StoredAgent | undefined;
}

export interface CallableAgent {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** With its secrets, and its tools as a plan has them. */
  readonly settings: Omit<AgentConfig, "brain"> & { readonly brain: BrainPlan };
  /** Whom the conversation can be handed to. */
  readonly team: readonly TeamMember[];
}

/**
 * The agent of a call or chat that is about to begin. Every way to begin one asks here. Throws `AppError` not_found,
 * api_access_off (for keys and client tokens), validation_failed (a required variable is missing or blank).
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
      "API access is off for this agent; set its apiAccess to true, or call it signed in.",
    );
  }
  assertVariables(settings.variables, variables);
  const team = await teamOf({ orgId, brain: settings.brain, variables, versions, person }, deps);
  return { id: agent.id, name: agent.name, version, settings: { ...settings, brain: planned }, team };
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
