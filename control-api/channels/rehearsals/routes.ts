import { agentConfigSchema, agentParamsSchema, changeAgentSchema } from "@parley/shared/contracts/agents.ts";
import { invalidInput, parseInput } from "@parley/shared/contracts/problems.ts";
import {
  type RehearsalReport,
  rehearsalsResponseSchema,
  rehearseSchema,
  type Scenario,
} from "@parley/shared/contracts/rehearsals.ts";
import { newId } from "@parley/shared/ids.ts";
import { noSuchAgent } from "../../agents/agents/agents.ts";
import { draftedAgent } from "../../agents/agents/drafted-agent.ts";
import { changeOf } from "../../agents/agents/metadata-tools.ts";
import { findAgent, type StoredAgent } from "../../agents/agents/store.ts";
import { changesSince } from "../../agents/rehearsals/changes.ts";
import { fingerprintOf } from "../../agents/rehearsals/fingerprint.ts";
import { earlierReports, insertReport } from "../../agents/rehearsals/store.ts";
import { REHEARSES } from "../../http/access/rules.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { ChatDeps } from "../chat/chat-deps.ts";
import { holdAll } from "./hold-all.ts";
import { modelOf } from "./model-caller.ts";

/** All of one request together. */
const TIME_LIMIT_MS = 110_000;

/** `POST /api/agents/{id}/simulations`: scripted conversations with an agent, for people who may change it. */
export function rehearsalRoutes(app: Api, deps: ChatDeps & { readonly rates: Limits }): void {
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
        response: responses(200, rehearsalsResponseSchema),
      },
    },
    async (request, reply) => {
      const { orgId, userId } = memberOf(request);
      const { clock, rates, database } = deps;
      const seen = await findAgent(database, orgId, request.params.id);
      if (!seen) throw noSuchAgent();
      const { draft } = request.body;
      const agent = draft ? await drafted(seen, draft, deps) : seen;
      const scenarios = request.body.scenarios ?? ownScenarios(agent);
      assertPlayable(scenarios, agent);
      await rates.take("brain_tests_per_organization", orgId);
      await assertAdmitted({ orgId, agentId: agent.id }, deps);
      const startedMs = clock.monotonicMs();
      const over = new AbortController();
      reply.raw.once("close", () => over.abort());
      const cancel = clock.after(TIME_LIMIT_MS, () => over.abort());
      const wanted = { scenarios, agent, userId, brain: deps.brain, signal: over.signal };
      const rehearsals = await holdAll(wanted, deps).finally(cancel);
      const held = {
        ...{ agentId: agent.id, agentVersion: agent.version, ofDraft: draft !== undefined },
        ...{ isOwn: request.body.scenarios === undefined, createdBy: userId, scenarios, rehearsals },
        tookMs: Math.round(clock.monotonicMs() - startedMs),
      };
      return success(await kept(held, agent, deps));
    },
  );
}

/** Undoes a transaction that was only to be asked. */
class Undone extends Error {}

/**
 * Throws `AppError` payment_required and spending_limit_reached, as for a call. Nothing is held for it: what rehearsals use is
 * counted with their events.
 */
async function assertAdmitted(
  { orgId, agentId }: { readonly orgId: string; readonly agentId: string },
  { database, clock, admitCall }: ChatDeps,
): Promise<void> {
  const call = { sessionId: newId("ses"), orgId, agentId, channel: "simulation" };
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
    { field: "scenarios", text: "give some: the agent has none of its own (rehearsals.scenarios)" },
  ]);
}

/** Throws `AppError` validation_failed for a persona whom no model plays. */
function assertPlayable(scenarios: readonly Scenario[], { settings }: StoredAgent): void {
  const { brain } = agentConfigSchema.parse(settings);
  const without = scenarios.flatMap(({ caller }, index) =>
    caller.persona && modelOf(caller.persona, brain) === undefined ? [index] : [],
  );
  if (without.length === 0) return;
  const text = "name the model that plays the caller: the agent has none; or give the caller answers instead";
  throw invalidInput(
    "body",
    without.map((index) => ({ field: `scenarios.${index}.caller.persona.model`, text })),
  );
}

type Held = Pick<
  RehearsalReport,
  "agentId" | "agentVersion" | "ofDraft" | "isOwn" | "tookMs" | "createdBy" | "rehearsals"
> & { readonly scenarios: readonly Scenario[] };

/** The report, with what changed since the agent was another. */
async function kept(
  held: Held,
  { id: agentId, org_id: orgId, settings }: StoredAgent,
  { database, clock }: ChatDeps,
): Promise<RehearsalReport> {
  const fingerprint = fingerprintOf(settings);
  const { rehearsals } = held;
  const earlier = await earlierReports(database.db, { orgId, agentId }, fingerprint);
  const at = new Date(clock.wallMs());
  const report = {
    ...held,
    scenarios: [...held.scenarios],
    reportId: newId("rhs"),
    passed: rehearsals.filter(({ passed }) => passed).length,
    total: rehearsals.length,
    changes: changesSince(rehearsals, earlier),
  };
  await insertReport(database.db, { ...report, orgId, fingerprint, at });
  return { ...report, createdAt: at.toISOString() };
}
