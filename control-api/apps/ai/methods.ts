import { AI_TIERS } from "@parley/platform/methods/ai.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { Handlers } from "../bridge/handlers.ts";
import { askModel } from "./ask-model.ts";
import { modelsOf, type OrganizationModelsDeps } from "./organization-models.ts";

/** What one question used: both ends of a meter, which is the billing district's. */
interface ModelMeter {
  readonly begin: (
    orgId: string,
  ) => Promise<
    (
      use:
        | { readonly model: string; readonly inputTokens: number; readonly outputTokens: number }
        | undefined,
    ) => Promise<void>
  >;
}

export interface AiDeps extends OrganizationModelsDeps {
  readonly modelMeter: ModelMeter;
}

/** `ai.…`: an app names a tier; which model that is, is the organization's: the one its agents ask. */
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
      const [model] = await modelsOf(caller.orgId, deps);
      if (!model)
        throw new BridgeError(
          "unavailable",
          "The organization has no agent with a model that could be asked.",
          {
            retryable: false,
          },
        );
      const end = await deps.modelMeter.begin(caller.orgId);
      let used: Parameters<typeof end>[0];
      try {
        const { text, usage } = await askModel(model, request, signal);
        used = { model: model.id, ...usage };
        return { text, usage };
      } finally {
        await end(used);
      }
    },
  };
}
