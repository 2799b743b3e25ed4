import { agentParamsSchema } from "@parley/shared/contracts/agents.ts";
import { rehearsalsResponseSchema, rehearseSchema } from "@parley/shared/contracts/rehearsals.ts";
import { agentForCall } from "../../agents/agents/agent-for-call.ts";
import { callVariables } from "../../agents/agents/call-variables.ts";
import { REHEARSES } from "../../http/access/rules.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { ChatDeps } from "../chat/chat-deps.ts";
import { record } from "./record.ts";
import { type HeldRehearsal, rehearse } from "./rehearse.ts";

/** All of one request together. */
const TIME_LIMIT_MS = 110_000;
/** Held side by side. */
const AT_ONCE = 10;

/** `POST /api/agents/{id}/simulations`: scripted conversations with an agent, for people who may change it. */
export function rehearsalRoutes(app: Api, deps: ChatDeps & { readonly rates: Limits }): void {
  app.post(
    "/api/agents/:id/simulations",
    {
      config: { access: REHEARSES },
      schema: {
        tags: ["agents"],
        security: USER_SECURITY,
        summary: "Rehearse conversations with an agent by script, and tell which went as they should",
        params: agentParamsSchema,
        body: rehearseSchema,
        response: responses(200, rehearsalsResponseSchema),
      },
    },
    async (request, reply) => {
      const { orgId, userId } = memberOf(request);
      const { clock, rates, brain } = deps;
      await rates.take("brain_tests_per_organization", orgId);
      const startedMs = clock.monotonicMs();
      const over = new AbortController();
      reply.raw.once("close", () => over.abort());
      const cancel = clock.after(TIME_LIMIT_MS, () => over.abort());
      const agentId = request.params.id;
      const held: HeldRehearsal[] = [];
      const waiting = [...request.body.scenarios];
      let agentVersion = 0;
      const holdNext = async (): Promise<void> => {
        for (let scenario = waiting.shift(); scenario; scenario = waiting.shift()) {
          const variables = callVariables(scenario, clock.wallMs());
          const wanted = { orgId, agentId, callerKind: "member", variables } as const;
          const rehearsed = { agent: await agentForCall(wanted, deps), orgId, userId, variables };
          agentVersion = rehearsed.agent.version;
          const one = await rehearse(scenario, rehearsed, { brain, clock, signal: over.signal });
          await record(one, rehearsed, deps);
          held.push(one);
        }
      };
      try {
        await Promise.all(Array.from({ length: AT_ONCE }, holdNext));
      } finally {
        cancel();
      }
      const order = request.body.scenarios.map(({ name }) => name);
      const rehearsals = held
        .map(({ rehearsal }) => rehearsal)
        .toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
      const passed = rehearsals.filter((one) => one.passed).length;
      const tookMs = Math.round(clock.monotonicMs() - startedMs);
      return success({ agentId, agentVersion, passed, total: rehearsals.length, tookMs, rehearsals });
    },
  );
}
