import { isOwnService, type ModelService, serviceOf } from "@parley/shared/brain/model/request.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../database/open.ts";
import { openSettings } from "../agents/settings.ts";
import { listAgents } from "../agents/store.ts";

const LOOKED_AT = 1_000;

export interface OrganizationModelsDeps {
  readonly config: { readonly speech: Pick<Config["speech"], "openai"> };
  readonly database: Database;
  readonly egress: Pick<Egress, "to">;
  readonly secrets: SecretBox;
}

/** A model that the organization's agents use, and how it is called. */
export interface OrganizationModel {
  readonly id: string;
  readonly service: ModelService;
  /** The organization pays for the model. */
  readonly isOwn: boolean;
}

/** The distinct models of an organization's agents, newest agent first; skips those that lack a required key. */
export async function modelsOf(
  orgId: string,
  { config, database, egress, secrets }: OrganizationModelsDeps,
): Promise<OrganizationModel[]> {
  const { rows } = await listAgents(database, orgId, { limit: LOOKED_AT, offset: 0 });
  const models = { ...config.speech.openai, dispatchers: egress.to("model") };
  const found = new Map<string, OrganizationModel>();
  for (const agent of rows) {
    const { brain } = openSettings(agent, agent.id, secrets);
    const asked = brain.kind === "model" || brain.kind === "flow" ? brain : undefined;
    const id = asked?.model;
    if (!asked || id === undefined || found.has(id)) continue;
    const service = serviceOf({ plan: asked, orgId }, { models, dispatchers: egress.to("brain") });
    if (service) found.set(id, { id, service, isOwn: isOwnService(asked) });
  }
  return [...found.values()];
}
