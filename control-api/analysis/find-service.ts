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
 * Where the model of a call's analysis is asked: at the service of its agent's brain where that is a model's, at the operator's
 * otherwise. Undefined when no model is named, or its service needs a key and there is none.
 */
export async function findService(
  { orgId, agentId, settings }: CallToAnalyze,
  { config, database, egress, secrets }: FindServiceDeps,
): Promise<{ readonly service: ModelService; readonly model: string; readonly isOwn: boolean } | undefined> {
  const { model } = settings;
  if (model === undefined) return undefined;
  const agent = agentId === null ? undefined : await findAgent(database, orgId, agentId);
  // As the agent is now: a secret is sent to the address it was given for, and to no earlier one.
  const brain = agent && openSettings(agent, agent.id, secrets).brain;
  const plan = brain?.kind === "model" ? brain : {};
  const models = { ...config.speech.openai, dispatchers: egress.to("model") };
  const service = serviceOf({ plan, orgId }, { models, dispatchers: egress.to("brain") });
  return service && { service, model, isOwn: isOwnService(plan) };
}
