import type { Bus } from "@parley/shared/bus/bus.ts";
import { agentConfigSchema, agentParamsSchema, changeAgentSchema } from "@parley/shared/contracts/agents.ts";
import { invalidInput, parseInput } from "@parley/shared/contracts/problems.ts";
import {
  rehearsalsResponseSchema,
  rehearseSchema,
  type Scenario,
} from "@parley/shared/contracts/rehearsals.ts";
import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import { newId } from "@parley/shared/ids.ts";
import { noSuchAgent } from "../../agents/agents/agents.ts";
import { draftedAgent } from "../../agents/agents/drafted-agent.ts";
import { changeOf } from "../../agents/agents/metadata-tools.ts";
import { findAgent, type StoredAgent } from "../../agents/agents/store.ts";
import { REHEARSES } from "../../http/access/rules.ts";
import { goneSignal } from "../../http/gone-signal.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { ChatDeps } from "../chat/chat-deps.ts";
import { holdAll } from "./hold-all.ts";
import { begunSpoken, kept } from "./keep-report.ts";
import { modelOf } from "./model-plan.ts";
import { assertHeard } from "./spoken/places.ts";

/** For all conversations of one request. */
const TIME_LIMIT_MS = 110_000;
const NO_ACTOR =
  "name the model that plays the caller: the agent has none; or give the caller answers instead";
const NO_JUDGE =
  "name the model that judges: the agent has none; or use says, reaches and the others instead";

export interface RehearsalRoutesDeps extends ChatDeps {
  readonly rates: Limits;
  readonly bus: Pick<Bus, "keys">;
  readonly queue: JobQueue;
}

/** `POST /api/agents/{id}/simulations`: scripted conversations with an agent, for members who may change it. */
export function rehearsalRoutes(app: Api, deps: RehearsalRoutesDeps): void {
  app.post(
    "/api/agents/:id/simulations",
    {
      config: { access: REHEARSES },
      schema: {
        tags: ["agents"],
        security: USER_SECURITY,
        summary:
          "Rehearse conversations with an agent, or with a change of it, and tell which went as they should",
        params: agentParamsSchema,
        body: rehearseSchema,
        response: { ...responses(200, rehearsalsResponseSchema), 202: rehearsalsResponseSchema },
      },
    },
    async (request, reply) => {
      const { orgId, userId } = memberOf(request);
      const { clock, rates, database } = deps;
      const { mode, noise } = request.body;
      const seen = await findAgent(database, orgId, request.params.id);
      if (!seen) throw noSuchAgent();
      const { draft } = request.body;
      const agent = draft ? await drafted(seen, draft, deps) : seen;
      const scenarios = request.body.scenarios ?? ownScenarios(agent);
      assertPlayable(scenarios, agent);
      if (mode === "speech") await assertHeard(deps.bus.keys);
      await rates.take("brain_tests_per_organization", orgId);
      await assertAdmitted({ orgId, agentId: agent.id }, deps);
      const about = {
        ...{ agentId: agent.id, agentVersion: agent.version, ofDraft: draft !== undefined },
        ...{ isOwn: request.body.scenarios === undefined, mode, createdBy: userId, scenarios },
      };
      if (mode === "speech")
        return reply.status(202).send(success(await begunSpoken(about, { agent, noise }, deps)));
      const startedMs = clock.monotonicMs();
      const over = new AbortController();
      const cancel = clock.after(TIME_LIMIT_MS, () => over.abort());
      const signal = AbortSignal.any([over.signal, goneSignal(reply)]);
      const wanted = { scenarios, agent, userId, brain: deps.brain, signal };
      const rehearsals = await holdAll(wanted, deps).finally(cancel);
      const held = { ...about, rehearsals, tookMs: Math.round(clock.monotonicMs() - startedMs) };
      return success(await kept(held, agent, deps));
    },
  );
}

/** Rolls back a transaction that only checks admission. */
class Undone extends Error {}

/**
 * Throws `AppError` payment_required and spending_limit_reached, as for a call. Reserves nothing: usage is counted with
 * the rehearsal's events.
 */
async function assertAdmitted(
  { orgId, agentId }: { readonly orgId: string; readonly agentId: string },
  { database, clock, admitCall }: ChatDeps,
): Promise<void> {
  const call = { sessionId: newId("ses"), orgId, agentId, channel: SIMULATION };
  const asked = database.db.transaction().execute(async (trx) => {
    await admitCall(trx, { ...call, at: new Date(clock.wallMs()) });
    throw new Undone();
  });
  await asked.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
}

/** Throws `AppError` validation_failed for a change that could not be saved. */
function drafted(agent: StoredAgent, draft: object, deps: ChatDeps): Promise<StoredAgent> {
  return draftedAgent(agent, changeOf(parseInput(changeAgentSchema, draft, "body")), deps);
}

/** Throws `AppError` validation_failed where the agent has none. */
function ownScenarios({ settings }: StoredAgent): readonly Scenario[] {
  const { scenarios } = agentConfigSchema.parse(settings).rehearsals;
  if (scenarios.length > 0) return scenarios;
  throw invalidInput("body", [
    { field: "scenarios", text: "are required: the agent has none of its own (rehearsals.scenarios)" },
  ]);
}

/** Throws `AppError` validation_failed for a persona or a judgment without a model. */
function assertPlayable(scenarios: readonly Scenario[], { settings }: StoredAgent): void {
  const { brain } = agentConfigSchema.parse(settings);
  const problems = scenarios.flatMap(({ caller, criteria }, index) => [
    ...(caller.persona && modelOf(caller.persona, brain) === undefined
      ? [{ field: `scenarios.${index}.caller.persona.model`, text: NO_ACTOR }]
      : []),
    ...criteria.flatMap((criterion, nr) =>
      criterion.kind === "judged" && modelOf(criterion, brain) === undefined
        ? [{ field: `scenarios.${index}.criteria.${nr}.model`, text: NO_JUDGE }]
        : [],
    ),
  ]);
  if (problems.length > 0) throw invalidInput("body", problems);
}
