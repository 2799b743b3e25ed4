import type { BrainSettings } from "@parley/shared/contracts/brain-plan.ts";
import type { TeamMember } from "@parley/shared/contracts/call-plan.ts";
import { invalidInput } from "@parley/shared/contracts/problems.ts";
import type { ToolSettings } from "@parley/shared/contracts/tools/kinds.ts";
import type { Database } from "../../database/open.ts";
import { type PlanDeps, planVersion, type Versions } from "./plan-version.ts";
import type { Person } from "./recall.ts";
import { findAgent, type StoredAgent } from "./store.ts";

/** The most agents in a plan, however many hand off to each other. */
const MAX_MEMBERS = 20;

interface HandOffTarget {
  readonly agentId: string;
  /** Where the brain names it. */
  readonly field: string;
}

/** The agents a brain hands off to, in each place that names them. */
function targetsOf({ kind, ...brain }: BrainSettings): readonly HandOffTarget[] {
  const tools = (brain.tools as readonly ToolSettings[]).flatMap((tool, at) =>
    tool.kind === "hand_off"
      ? tool.agents.map(({ agentId }, nr) => ({ agentId, field: `brain.tools.${at}.agents.${nr}.agentId` }))
      : [],
  );
  const nodes =
    kind === "flow" && "flow" in brain
      ? brain.flow.nodes.flatMap((node, at) =>
          node.type === "hand_off"
            ? [{ agentId: node.agentId, field: `brain.flow.nodes.${at}.agentId` }]
            : [],
        )
      : [];
  const named = "handsTo" in brain ? (brain.handsTo ?? []) : [];
  return [...tools, ...nodes, ...named.map((agentId, at) => ({ agentId, field: `brain.handsTo.${at}` }))];
}

/** The agents a brain hands off to, without duplicates. */
function handedTo(brain: BrainSettings): readonly string[] {
  return [...new Set(targetsOf(brain).map(({ agentId }) => agentId))];
}

export interface TeamOf {
  readonly orgId: string;
  readonly brain: BrainSettings;
  readonly variables: Readonly<Record<string, string>>;
  /** The versions a conversation continues with, whatever the current ones are. */
  readonly versions?: Versions | undefined;
  readonly person?: Person | undefined;
  /** A draft of one of the agents, which the others may hand back to. */
  readonly as?: StoredAgent | undefined;
}

/** All agents a conversation can reach by hand-offs, direct or not. Deleted agents are left out. */
export async function teamOf(
  { orgId, brain, variables, versions = {}, person, as }: TeamOf,
  deps: PlanDeps,
): Promise<TeamMember[]> {
  const members = new Map<string, TeamMember>();
  const waiting = [...handedTo(brain)];
  for (let id = waiting.shift(); id !== undefined && members.size < MAX_MEMBERS; id = waiting.shift()) {
    if (members.has(id)) continue;
    const agent = as?.id === id ? as : await findAgent(deps.database, orgId, id);
    if (!agent) continue;
    const { settings, planned, version } = await planVersion(
      agent,
      { variables, version: versions[id], person },
      deps,
    );
    const { tts, sound, firstResponse } = settings;
    members.set(id, { agentId: id, agentVersion: version, brain: planned, tts, sound, firstResponse });
    waiting.push(...handedTo(settings.brain));
  }
  return [...members.values()];
}

/** Throws `AppError` validation_failed if a brain hands off to an agent that does not exist. */
export async function assertHandOffs(brain: BrainSettings, orgId: string, { db }: Database): Promise<void> {
  const wanted = targetsOf(brain);
  if (wanted.length === 0) return;
  const rows = await db
    .selectFrom("agents")
    .select("id")
    .where("org_id", "=", orgId)
    .where("id", "in", handedTo(brain))
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const missing = wanted.filter(({ agentId }) => !known.has(agentId));
  if (missing.length === 0) return;
  throw invalidInput(
    "body",
    missing.map(({ agentId, field }) => ({
      field,
      text: `names the agent ${agentId}, which this organization does not have`,
    })),
  );
}
