import { rm } from "node:fs/promises";
import { DEAD_EVENTS_STREAM } from "@parley/shared/contracts/dead-events.ts";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestBrain } from "../testkit/brain.ts";
import { TestCaller } from "../testkit/caller.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import { TestGateway } from "../testkit/gateway.ts";
import type { TestOrganization } from "../testkit/organization.ts";

const TURNS = 2;
const SOON = { timeout: 90_000 };
/** What no database keeps, and what is drawn beside it. */
const KNOWN = ["nul \0 end", "half \ud800 end", "\udfff", "\\u0000", "\ufeff\u202e\u0085", "👩‍👩‍👧 e\u0301"];
const drawn = fc.sample(
  fc.string({ unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)), minLength: 1 }),
  TURNS,
);
const FIGURES = [0, 0.5, 1e12, Number.MAX_SAFE_INTEGER, 1e300, 3_000_000_000];

let api: TestControlApi;
let acme: TestOrganization;
let gateway: TestGateway;
let brain: TestBrain;

beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  gateway = await TestGateway.start({ bus: api.bus, keys: api.keys });
  brain = await TestBrain.start((turn) => {
    const odd = KNOWN[turn.request.turn % KNOWN.length] ?? "";
    const latencyMs = FIGURES[turn.request.turn % FIGURES.length];
    const tool = {
      event: "tool",
      name: `t${odd}`,
      arguments: { [odd]: odd },
      result: [odd, drawn],
      latencyMs,
    };
    if (turn.request.query !== "plain") turn.control(tool);
    turn.token(turn.request.query === "plain" ? "Plain." : `Heard ${odd}.`);
    turn.done();
  });
  acme = await api.createOrganization({ brain: { url: brain.url }, firstResponse: undefined });
});
afterAll(async () => {
  await gateway.gateway.close();
  await api.close();
  await rm(gateway.dataDir, { recursive: true, force: true });
  brain.close();
});

async function call(texts: readonly string[]): Promise<string> {
  const created = await api.call("POST", "/api/sessions/init-web-call", {
    key: acme.keys.owner,
    body: { agentId: acme.agentId, variables: { odd: "👩‍👩‍👧 \u202e" } },
  });
  const { sessionId, websocketUrl } = created.body.data as { sessionId: string; websocketUrl: string };
  const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
  for (const text of texts) {
    caller.send({ type: "text", text: text === "plain" ? text : `say ${text}` });
    await caller.said("assistant");
  }
  caller.send({ type: "dtmf", digit: "5" });
  caller.send({ type: "hangup" });
  await caller.untilClosed();
  return sessionId;
}

it("records every call whatever text and figures its caller and its brain send, and its neighbor's", async () => {
  const [odd, plain] = await Promise.all([call([...KNOWN, ...drawn]), call(["plain", "plain", "plain"])]);
  for (const sessionId of [odd, plain]) {
    const read = () => api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.viewer });
    await expect.poll(async () => (await read()).body.status, SOON).toBe("completed");
  }
  const record = (await api.call("GET", `/api/v1/calls/${odd}`, { key: acme.keys.viewer })).body;
  const said = (record.transcript as { text: string }[]).filter(({ text }) => /^say( |$)/.test(text));
  const kept = (text: string) => `say ${text}`.trim().toWellFormed().replaceAll("\0", "\ufffd");
  expect(said.map(({ text }) => text)).toEqual([...KNOWN, ...drawn].map(kept));
  expect(record.tools).toHaveLength(KNOWN.length + drawn.length);
  const neighbor = (await api.call("GET", `/api/v1/calls/${plain}`, { key: acme.keys.viewer })).body;
  expect(neighbor.transcript).toHaveLength(6);
  expect(await api.bus.streams.list(DEAD_EVENTS_STREAM, { count: 1 })).toEqual([]);
});
