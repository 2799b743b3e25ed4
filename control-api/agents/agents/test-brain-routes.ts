import { Readable } from "node:stream";
import { newBrainClient } from "@parley/shared/brain/new-brain-client.ts";
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
import type { Egress } from "@parley/shared/net/egress.ts";
import type { ControlApiTools } from "@parley/shared/tool-runs/port.ts";
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
  readonly egress: Pick<Egress, "to">;
  readonly controlApiTools: ControlApiTools;
  /** Time limit of a test; 30 s by default. */
  readonly brainTestLimitMs?: number | undefined;
}

/** `POST /api/agents/{id}/test-brain`: runs one turn. Needs write access, as the turn costs the customer money. */
export function testBrainRoutes(app: Api, deps: TestBrainRouteDeps): void {
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
      // Members with write access may also test an agent that keys may not call.
      const wanted = { orgId, agentId: request.params.id, callerKind: "member", variables } as const;
      const { brain } = (await agentForCall(wanted, deps)).settings;
      await deps.limits.take("brain_tests_per_organization", orgId);
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const parts = testBrain(
        { brain, orgId, query, variables, userId, runTools, signal: gone.signal },
        // The circuit breaker of one test must not keep the owner of a broken brain from mending it.
        { client: newBrainClient(deps), clock: deps.clock, timeLimitMs: deps.brainTestLimitMs },
      );
      if (accepts(request.headers.accept)) return stream(reply, parts);
      return reply.header("cache-control", "no-store").send(success(await collected(parts)));
    },
  );
}

function accepts(accept: string | undefined): boolean {
  return (accept ?? "").toLowerCase().includes(EVENT_STREAM);
}

/** Streams one event per part, the result last. */
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
