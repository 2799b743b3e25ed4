import { agentConfigSchema, type ChangeAgent } from "@parley/shared/contracts/agents.ts";
import { assertTools } from "../../tools/faults.ts";
import type { PlanDeps } from "./plan-version.ts";
import { changeSettings } from "./settings.ts";
import type { StoredAgent } from "./store.ts";
import { assertHandOffs } from "./team.ts";

/** The agent that a change would produce, without saving it. Throws `AppError` validation_failed. */
export async function draftedAgent(
  agent: StoredAgent,
  { name, version: _, unrehearsed: __, ...patch }: ChangeAgent,
  { database, secrets, toolExecutors }: PlanDeps,
): Promise<StoredAgent> {
  const changed = changeSettings(agent, patch, { agentId: agent.id, secrets });
  const { brain } = agentConfigSchema.parse(changed.settings);
  await assertTools(brain, agent.org_id, toolExecutors);
  await assertHandOffs(brain, agent.org_id, database);
  return { ...agent, name: name ?? agent.name, ...changed };
}
