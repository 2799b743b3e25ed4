import { createAgentSchema } from "@parley/shared/contracts/agents.ts";
import type { CreatedTeam } from "@parley/shared/contracts/templates.ts";
import { AppError } from "@parley/shared/errors.ts";
import { type ActingClient, type AgentDeps, createAgent, removeAgent } from "../agents/agents.ts";
import { AGENT_TEMPLATES, TEAM_TEMPLATES } from "./catalog.ts";

/** Creates an agent from a template. Throws `AppError` not_found, validation_failed. */
export async function createFromTemplate(
  { templateId, name }: { readonly templateId: string; readonly name?: string | undefined },
  by: ActingClient,
  deps: AgentDeps,
): Promise<{ agentId: string; kind: "single" | "flow" }> {
  const template = AGENT_TEMPLATES.find(({ id }) => id === templateId);
  if (!template) throw noSuchTemplate();
  const settings = createAgentSchema.parse({ ...template.settings, ...(name === undefined ? {} : { name }) });
  const { id } = await createAgent(settings, by, deps);
  return { agentId: id, kind: template.kind };
}

/** Creates all agents of a team, or none. Throws `AppError` not_found, validation_failed. */
export async function createTeamFromTemplate(
  teamId: string,
  by: ActingClient,
  deps: AgentDeps,
): Promise<CreatedTeam> {
  const team = TEAM_TEMPLATES.find(({ id }) => id === teamId);
  if (!team) throw noSuchTemplate();
  const agents: { ref: string; agentId: string; kind: "single" | "flow" }[] = [];
  try {
    for (const { ref, kind, settings } of team.agents) {
      const made = Object.fromEntries(agents.map((agent) => [agent.ref, agent.agentId]));
      const { id } = await createAgent(createAgentSchema.parse(settings(made)), by, deps);
      agents.push({ ref, agentId: id, kind });
    }
  } catch (error) {
    // Half a team is useless: roll it back.
    for (const { agentId } of agents.toReversed()) await removeAgent(agentId, by, deps);
    throw error;
  }
  return { teamId, entryAgentId: agents.at(-1)?.agentId ?? null, agents };
}

function noSuchTemplate(): AppError {
  return new AppError("not_found", "There is no such template; GET …/templates lists them.");
}
