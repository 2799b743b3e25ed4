import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { TestGateway } from "../../testkit/gateway.ts";

/** OTLP's numbers: SPAN_KIND_CLIENT, STATUS_CODE_ERROR. */
const CLIENT = 3;
const ERROR = 2;

interface OtlpSpan {
  readonly name: string;
  readonly kind: number;
  readonly status?: { readonly code?: number };
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

/** A collector: takes OTLP over HTTP and keeps the spans. */
async function startCollector() {
  const spans: OtlpSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      bodies.push(`${request.method} ${request.url} ${body}`);
      for (const { scopeSpans } of JSON.parse(body).resourceSpans) {
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { endpoint, spans, bodies };
}

async function callOnce(endpoint: string): Promise<TestBrain> {
  const brain = await TestBrain.saying("I hear you.");
  const node = await TestGateway.start({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  const { sessionId, websocketUrl } = await node.createSession({ brainUrl: brain.url });
  const caller = await TestCaller.start(websocketUrl);
  caller.send({ type: "text", text: "my card is 4111 1111" });
  await caller.said("assistant");
  caller.send({ type: "hangup" });
  await caller.untilClosed();
  await node.eventsOf(sessionId);
  await node.close();
  brain.close();
  return brain;
}

describe("traces", () => {
  it("show a turn in its parts, below its call, and the brain carries them on", async () => {
    const { endpoint, spans, bodies } = await startCollector();
    const brain = await callOnce(endpoint);
    const byName = (name: string): OtlpSpan => spans.find((span) => span.name === name)!;
    const [call, turn] = [byName("call"), byName("turn")];
    expect(turn.parentSpanId).toBe(call.spanId);
    for (const part of ["end-of-turn", "brain", "voice", "playout"]) {
      expect(byName(part).parentSpanId, part).toBe(turn.spanId);
      const { startTimeUnixNano, endTimeUnixNano } = byName(part);
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano), part).toBe(true);
    }
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const asked = byName("brain");
    expect(asked.kind).toBe(CLIENT);
    expect(asked.status?.code ?? 0).toBe(0);
    expect(brain.turns[0]?.headers.traceparent).toBe(`00-${turn.traceId}-${asked.spanId}-01`);
    const outcome = turn.attributes.find(({ key }) => key === "parley.outcome");
    expect(outcome?.value.stringValue).toBe("finished");
    expect(bodies[0]).toMatch(/^POST \/v1\/traces /);
    expect(bodies.join()).not.toMatch(/my card is|I hear you/);
  });

  it("show that a brain failed, with no word of what it said", async () => {
    const { endpoint, spans, bodies } = await startCollector();
    const brain = await TestBrain.start(({ res }) => res.writeHead(500).end("hunter2"));
    onTestFinished(() => brain.close());
    const node = await TestGateway.start({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
    const caller = await TestCaller.start((await node.createSession({ brainUrl: brain.url })).websocketUrl);
    caller.send({ type: "text", text: "hello" });
    await caller.said("assistant");
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    await node.close();
    const asked = spans.filter(({ name }) => name === "brain");
    expect(asked.map(({ status }) => status?.code)).toEqual([ERROR]);
    expect(asked[0]?.attributes).toContainEqual({
      key: "error.type",
      value: { stringValue: "brain_failed" },
    });
    expect(bodies.join()).not.toContain("hunter2");
  });

  it("that nobody takes disturb no call", async () => {
    const brain = await callOnce("http://127.0.0.1:9");
    expect(brain.queries).toEqual(["my card is 4111 1111"]);
  });

  it("are not made, and not asked of the brain, where no collector is named", async () => {
    const brain = await TestBrain.saying("I hear you.");
    const node = await TestGateway.start();
    onTestFinished(async () => {
      brain.close();
      await node.close();
    });
    const caller = await TestCaller.start((await node.createSession({ brainUrl: brain.url })).websocketUrl);
    caller.send({ type: "text", text: "hello" });
    await caller.said("assistant");
    expect(brain.turns[0]?.headers).not.toHaveProperty("traceparent");
  });
});
