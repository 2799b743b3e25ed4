import { isOwnService, serviceOf } from "@parley/shared/brain/model/request.ts";
import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { agentParamsSchema, changeAgentSchema } from "@parley/shared/contracts/agents.ts";
import {
  copilotResponseSchema,
  draftAgentSchema,
  draftedAgentResponseSchema,
} from "@parley/shared/contracts/copilot.ts";
import { invalidInput, parseInput } from "@parley/shared/contracts/problems.ts";
import { REHEARSES } from "../../http/access/rules.ts";
import { goneSignal } from "../../http/gone-signal.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { noSuchAgent } from "../agents/agents.ts";
import { draftedAgent } from "../agents/drafted-agent.ts";
import { changeOf } from "../agents/metadata-tools.ts";
import type { PlanDeps } from "../agents/plan-version.ts";
import { openSettings } from "../agents/settings.ts";
import { findAgent, type StoredAgent } from "../agents/store.ts";
import {
  modelsOf,
  type OrganizationModel,
  type OrganizationModelsDeps,
} from "../models/organization-models.ts";
import { draftAgent, type Used } from "./draft.ts";

/** For both of the model's answers together. */
const TIME_LIMIT_MS = 110_000;

export interface CopilotDeps extends PlanDeps, OrganizationModelsDeps {
  readonly database: OrganizationModelsDeps["database"];
  readonly secrets: OrganizationModelsDeps["secrets"];
  readonly clock: Clock;
  readonly limits: Limits;
  /** Admits a question to a model and counts its usage; the meter belongs to the billing district. */
  readonly modelMeter: {
    readonly begin: (
      orgId: string,
      channel?: "copilot",
    ) => Promise<(used: ModelTokens | undefined) => Promise<void>>;
  };
}

const common = { tags: ["agents"], security: USER_SECURITY };

/** `/api/agents/{id}/copilot`: drafts an agent from a description, for people who may change it. */
export function copilotRoutes(app: Api, deps: CopilotDeps): void {
  app.get(
    "/api/agents/:id/copilot",
    {
      config: { access: REHEARSES },
      schema: {
        ...common,
        summary: "Tell which models can be asked for a draft of an agent",
        params: agentParamsSchema,
        response: responses(200, copilotResponseSchema),
      },
    },
    async (request) => {
      const agent = await agentOf(memberOf(request).orgId, request.params.id, deps);
      const models = await askable(agent, deps);
      const operators = operatorsModel("any", agent.org_id, deps);
      return success({ models: models.map(({ id }) => id), mayName: operators !== undefined });
    },
  );
  app.post(
    "/api/agents/:id/copilot",
    {
      config: { access: REHEARSES },
      schema: {
        ...common,
        summary: "Draft an agent, or changes of it, from words; nothing is saved",
        params: agentParamsSchema,
        body: draftAgentSchema,
        response: responses(200, draftedAgentResponseSchema),
      },
    },
    async (request, reply) => {
      const { orgId } = memberOf(request);
      const { wish, draft } = request.body;
      const seen = await agentOf(orgId, request.params.id, deps);
      const change = draft && changeOf(parseInput(changeAgentSchema, draft, "body"));
      const agent = change ? await draftedAgent(seen, change, deps) : seen;
      const model = await modelFor(request.body.model, seen, deps);
      await deps.limits.take("brain_tests_per_organization", orgId);
      const end = await deps.modelMeter.begin(orgId, "copilot");
      const used: Used = { tokens: undefined };
      const over = new AbortController();
      const cancel = deps.clock.after(TIME_LIMIT_MS, () => over.abort());
      try {
        const wanted = { agent, wish, model, signal: AbortSignal.any([over.signal, goneSignal(reply)]) };
        return success(await draftAgent(wanted, used, deps));
      } finally {
        cancel();
        await end(used.tokens);
      }
    },
  );
}

async function agentOf(orgId: string, id: string, { database }: CopilotDeps): Promise<StoredAgent> {
  const agent = await findAgent(database, orgId, id);
  if (!agent) throw noSuchAgent();
  return agent;
}

/** The models to choose from, the agent's own first. */
async function askable(agent: StoredAgent, deps: CopilotDeps): Promise<readonly OrganizationModel[]> {
  const own = ownModel(agent, deps);
  const others = await modelsOf(agent.org_id, deps);
  return own ? [own, ...others.filter(({ id }) => id !== own.id)] : others;
}

function ownModel(agent: StoredAgent, deps: CopilotDeps): OrganizationModel | undefined {
  const { brain } = openSettings(agent, agent.id, deps.secrets);
  if (brain.kind !== "model" && brain.kind !== "flow") return undefined;
  return brain.model === undefined ? undefined : modelAt(brain.model, brain, agent.org_id, deps);
}

function operatorsModel(id: string, orgId: string, deps: CopilotDeps): OrganizationModel | undefined {
  return modelAt(id, {}, orgId, deps);
}

function modelAt(
  id: string,
  plan: { readonly url?: string | undefined; readonly secret?: string | undefined },
  orgId: string,
  { config, egress }: CopilotDeps,
): OrganizationModel | undefined {
  const models = { ...config.speech.openai, dispatchers: egress.to("model") };
  const service = serviceOf({ plan, orgId }, { models, dispatchers: egress.to("brain") });
  return service && { id, service, isOwn: isOwnService(plan) };
}

/** Throws `AppError` validation_failed when there is no model. */
async function modelFor(
  wanted: string | undefined,
  agent: StoredAgent,
  deps: CopilotDeps,
): Promise<OrganizationModel> {
  const models = await askable(agent, deps);
  const named = models.find(({ id }) => wanted === undefined || id === wanted);
  const found = named ?? (wanted === undefined ? undefined : operatorsModel(wanted, agent.org_id, deps));
  if (found) return found;
  const mayName = operatorsModel("any", agent.org_id, deps) !== undefined;
  const text = mayName
    ? "name one: no agent of this organization has a model yet"
    : "there is none that can be asked: give the brain of an agent a model and its service's key, or the server an OPENAI_API_KEY";
  throw invalidInput("body", [{ field: "model", text }]);
}
