import { Readable } from "node:stream";
import type { BrainClient } from "@parley/shared/brain/client.ts";
import { type BrainsDeps, openBrains } from "@parley/shared/brain/open-brains.ts";
import type { Config } from "@parley/shared/config/config.ts";
import {
  agentParamsSchema,
  type BrainTest,
  type BrainTestPart,
  type BrainTestResult,
  brainTestResponseSchema,
  testBrainSchema,
} from "@parley/shared/contracts/agents.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { FastifyReply } from "fastify";
import { WRITES } from "../../http/access/rules.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { agentForCall } from "./agent-for-call.ts";
import type { AgentDeps } from "./agents.ts";
import { callVariables } from "./call-variables.ts";
import { testBrain } from "./test-brain.ts";

const EVENT_STREAM = "text/event-stream";

export interface TestBrainRouteDeps extends Omit<AgentDeps, "channels"> {
  readonly config: Pick<Config, "speech">;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly urlRules: Pick<BrainsDeps, "allowPrivateTargets" | "names">;
  /** How long a test may take, instead of 30 s. */
  readonly brainTestLimitMs?: number | undefined;
}

/** `POST /api/agents/{id}/test-brain`: one turn, for whoever may change the agent, as it costs the customer money. */
export function testBrainRoutes(app: Api, deps: TestBrainRouteDeps): void {
  const newClient = guardedClients(app, deps);
  app.post(
    "/api/agents/:id/test-brain",
    {
      config: { access: WRITES },
      schema: {
        tags: ["agents"],
        security: KEY_OR_USER_SECURITY,
        summary:
          "Run one turn with an agent's brain; with Accept: text/event-stream its parts come as they arrive",
        params: agentParamsSchema,
        body: testBrainSchema,
        response: responses(200, brainTestResponseSchema),
      },
    },
    async (request, reply) => {
      const { orgId, userId } = actorOf(request);
      const { query, runTools } = request.body;
      const variables = callVariables(request.body, deps.clock.wallMs());
      // Whoever may write may test an agent that keys may not call.
      const wanted = { orgId, agentId: request.params.id, callerKind: "member", variables } as const;
      const { brain } = (await agentForCall(wanted, deps)).settings;
      await deps.limits.take("brain_tests_per_organization", orgId);
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const parts = testBrain(
        { brain, orgId, query, variables, userId, runTools, signal: gone.signal },
        { client: newClient(), clock: deps.clock, timeLimitMs: deps.brainTestLimitMs },
      );
      if (accepts(request.headers.accept)) return stream(reply, parts);
      return reply.header("cache-control", "no-store").send(success(await collected(parts)));
    },
  );
}

/** A client for each test: the circuit breaker of one must not keep the owner of a broken brain from mending it. */
function guardedClients(app: Api, deps: TestBrainRouteDeps): () => BrainClient {
  const brains = openBrains({ ...deps, ...deps.urlRules });
  app.addHook("onClose", () => brains.close());
  return () => brains.newClient();
}

function accepts(accept: string | undefined): boolean {
  return (accept ?? "").toLowerCase().includes(EVENT_STREAM);
}

/** One event a part, the result last. */
function stream(reply: FastifyReply, parts: AsyncIterable<BrainTestPart | BrainTestResult>): FastifyReply {
  async function* events(): AsyncGenerator<string> {
    for await (const part of parts) yield `data: ${JSON.stringify(part)}\n\n`;
  }
  return reply
    .header("content-type", EVENT_STREAM)
    .header("cache-control", "no-store")
    .header("x-accel-buffering", "no")
    .send(Readable.from(events()));
}

async function collected(all: AsyncIterable<BrainTestPart | BrainTestResult>): Promise<BrainTest> {
  const parts: BrainTestPart[] = [];
  for await (const part of all) {
    if (part.type !== "result") parts.push(part);
    else {
      const { type: _, ...result } = part;
      return { ...result, parts };
    }
  }
  throw new Error("a brain's test ended without a result");
}
