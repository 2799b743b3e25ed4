import { isOwnService, type ModelService, serviceOf } from "@parley/shared/brain/model/request.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { openSettings } from "../agents/agents/settings.ts";
import { findAgent } from "../agents/agents/store.ts";
import type { Database } from "../database/open.ts";
import type { CallToAnalyze } from "./store.ts";

export interface FindServiceDeps {
  readonly config: { readonly speech: Pick<Config["speech"], "openai"> };
  readonly database: Database;
  readonly egress: Pick<Egress, "to">;
  readonly secrets: SecretBox;
}

/**
 * The model service for a call's analysis: that of the agent's brain if the brain is a model, else the operator's.
 * Undefined when no model is named, or the service needs a key and there is none.
 */
export async function findService(
  { orgId, agentId, settings }: CallToAnalyze,
  { config, database, egress, secrets }: FindServiceDeps,
): Promise<{ readonly service: ModelService; readonly model: string; readonly isOwn: boolean } | undefined> {
  const { model } = settings;
  if (model === undefined) return undefined;
  const agent = agentId === null ? undefined : await findAgent(database, orgId, agentId);
  // Uses the current agent: a secret is only sent to the address it was given for, never to an earlier one.
  const brain = agent && openSettings(agent, agent.id, secrets).brain;
  const plan = brain?.kind === "model" ? brain : {};
  const models = { ...config.speech.openai, dispatchers: egress.to("model") };
  const service = serviceOf({ plan, orgId }, { models, dispatchers: egress.to("brain") });
  return service && { service, model, isOwn: isOwnService(plan) };
}
