import { AI_TIERS } from "@parley/platform/methods/ai.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import {
  modelsOf,
  type OrganizationModel,
  type OrganizationModelsDeps,
} from "../../agents/models/organization-models.ts";
import type { Handlers } from "../bridge/handlers.ts";
import { askModel } from "./ask-model.ts";
import type { Completion } from "./chat-request.ts";
import { StreamedAnswer } from "./stream-model.ts";

/** Meters one question, from `begin` to its end; the meter belongs to the billing district. */
interface ModelMeter {
  readonly begin: (orgId: string) => Promise<(used: ModelTokens | undefined) => Promise<void>>;
}

export interface AiDeps extends OrganizationModelsDeps {
  readonly modelMeter: ModelMeter;
}

/** `ai.…`: an app names a tier; the model behind it is the one the organization's agents use. */
export function aiMethods(deps: AiDeps): Handlers {
  return {
    "ai.models": async (_, { caller }) => {
      const models = await modelsOf(caller.orgId, deps);
      return {
        tiers: AI_TIERS.map((tier) => ({ tier, model: models[0]?.id ?? null })),
        models: models.map(({ id, service }) => ({ id, name: id, provider: service.url.hostname })),
      };
    },
    "ai.llm": async ({ request }, { caller, signal }) => {
      const model = await modelOf(caller.orgId, deps);
      const end = await deps.modelMeter.begin(caller.orgId);
      let answer: Completion | undefined;
      try {
        answer = await askModel(model, request, signal);
        return answer;
      } finally {
        await end(answer && { model: model.id, isOwn: model.isOwn, ...answer.usage });
      }
    },
    "ai.llmStream": async ({ request }, { caller, signal, event }) => {
      const model = await modelOf(caller.orgId, deps);
      const end = await deps.modelMeter.begin(caller.orgId);
      const answer = new StreamedAnswer(model, request);
      try {
        return await answer.read(signal, (token) => event({ token }));
      } finally {
        // Charges what was generated of an interrupted answer: it was paid for as well.
        const { usage } = answer.completion ?? {};
        await end(usage && { model: model.id, isOwn: model.isOwn, ...usage });
      }
    },
  };
}

async function modelOf(orgId: string, deps: OrganizationModelsDeps): Promise<OrganizationModel> {
  const [model] = await modelsOf(orgId, deps);
  if (model) return model;
  const message = "No agent of the organization has a model. Add one first.";
  throw new BridgeError("unavailable", message, { retryable: false });
}
