import { verifyBody } from "@parley/shared/security/signatures.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type BrainTurn, TestBrain } from "../../../testkit/brain.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";

let api: TestControlApi;
let acme: TestOrganization;

beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"], brainTestLimitMs: 1_000 });
  acme = await api.createOrganization();
});
afterAll(() => api.close());

interface Tested {
  readonly ok: boolean;
  readonly text: string;
  readonly parts: readonly Record<string, unknown>[];
  readonly firstTokenMs: number | null;
  readonly totalMs: number;
  readonly tries: number;
  readonly truncated: boolean;
  readonly error: { failure: string; message: string } | null;
}

async function agentWith(
  brain: Record<string, unknown>,
  extra: Record<string, unknown> = {},
): Promise<string> {
  const body = { name: "Anna", brain, ...extra };
  const answer = await api.call("POST", "/api/agents", { key: acme.keys.owner, body });
  expect(answer.status, answer.text).toBe(201);
  return (answer.body.data as { id: string }).id;
}

const post = (agentId: string, body: unknown = { query: "Hello?" }) =>
  api.call("POST", `/api/agents/${agentId}/test-brain`, { key: acme.keys.developer, body });

async function tested(brain: Record<string, unknown>, body?: unknown): Promise<Tested> {
  const answer = await post(await agentWith(brain), body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data as Tested;
}

async function startBrain(answer: (turn: BrainTurn) => void): Promise<TestBrain> {
  const brain = await TestBrain.start(answer);
  onTestFinished(() => brain.close());
  return brain;
}

describe("testing a brain", () => {
  it("shows tokens and control events with their times", async () => {
    const brain = await startBrain((turn) => {
      turn.token("We open ");
      turn.control({ event: "tool", name: "hours", result: { opens: 9 } });
      turn.token("at nine.");
      turn.done();
    });
    const result = await tested({ url: brain.url });
    expect(result).toMatchObject({
      ok: true,
      text: "We open at nine.",
      parts: [
        { type: "token", text: "We open " },
        { type: "control", control: { event: "tool", name: "hours", result: { opens: 9 } } },
        { type: "token", text: "at nine." },
      ],
      tries: 1,
      truncated: false,
      error: null,
    });
    expect(result.firstTokenMs).toBe(result.parts[0]?.atMs);
    expect(result.totalMs).toBeGreaterThanOrEqual(Number(result.parts[2]?.atMs));
  });

  it("asks as a call would: signed, with payload, variables and the built-in dates", async () => {
    const brain = await startBrain((turn) => turn.done());
    await tested(
      { url: brain.url, secret: "brain-secret", payload: { tenant: "acme" } },
      { query: "Hello?", variables: { customer_name: "Ann" } },
    );
    const [turn] = brain.turns;
    expect(turn?.request).toMatchObject({
      query: "Hello?",
      turn: 1,
      userId: acme.userId,
      tenant: "acme",
      customer_name: "Ann",
      current_timezone: "UTC",
    });
    expect(
      verifyBody("brain-secret", turn?.rawBody ?? "", String(turn?.headers["x-service-signature"])),
    ).toBe(true);
  });

  it.each<[string, string, Record<string, unknown>, (turn: BrainTurn) => void]>([
    ["that answers 500", "status", {}, ({ res }) => res.writeHead(500).end()],
    [
      "that answers JSON",
      "content_type",
      {},
      ({ res }) => res.writeHead(200, { "content-type": "application/json" }).end("{}"),
    ],
    ["that says nothing in time", "first_token_timeout", { firstTokenTimeoutMs: 100 }, () => undefined],
    ["that pauses too long", "idle_timeout", { idleTimeoutMs: 100 }, (turn) => turn.token("Well")],
    ["that ends without a word", "empty", {}, (turn) => turn.done()],
    ["that takes forever", "time_limit", {}, (turn) => turn.token("Well")],
  ])("%s is told in words", async (_what, failure, settings, answer) => {
    const brain = await startBrain(answer);
    const result = await tested({ url: brain.url, ...settings });
    expect(result).toMatchObject({ ok: false, error: { failure } });
    expect(result.error?.message).toMatch(/^The brain/);
  });

  it("that cannot be reached, or must not be, is told in words", async () => {
    expect(await tested({ url: "http://127.0.0.1:1/" })).toMatchObject({
      ok: false,
      tries: 2,
      error: { failure: "connect", message: expect.stringContaining("ECONNREFUSED") },
    });
    for (const url of ["http://10.0.0.1/", "http://169.254.169.254/latest", "http://[::1]:9000/"]) {
      const result = await tested({ url });
      expect(result).toMatchObject({ ok: false, error: { failure: "blocked" } });
      expect(result.error?.message).toContain("private or reserved");
    }
  });

  it("again and again reaches a broken brain each time: whoever mends it wants to see it", async () => {
    const brain = await startBrain((turn) =>
      brain.turns.length > 12 ? turn.done() : turn.res.writeHead(500).end(),
    );
    const id = await agentWith({ url: brain.url });
    for (let i = 0; i < 6; i++) await post(id);
    expect((await post(id)).body.data).toMatchObject({ error: { failure: "empty" } });
  });

  it("reads 64 KiB of an answer that does not end, and hangs up", async () => {
    let aborted: Promise<void> | undefined;
    const brain = await startBrain((turn) => {
      aborted = turn.aborted;
      for (let i = 0; i < 20; i++) turn.token("x".repeat(10_000));
    });
    const result = await tested({ url: brain.url });
    expect(result).toMatchObject({ ok: true, truncated: true });
    expect(result.text).toHaveLength(65_536);
    await aborted;
  });

  it("needs what a call needs: the agent, its variables, a role that may write", async () => {
    const other = await api.createOrganization();
    const id = await agentWith(
      { url: "https://brain.example/" },
      { variables: [{ name: "order_id", required: true }] },
    );
    expect(await post(id)).toMatchObject({
      status: 400,
      body: { details: { missingVariables: ["order_id"] } },
    });
    expect((await post(other.agentId)).status).toBe(404);
    expect(await post(id, {})).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    for (const key of [acme.keys.member, acme.keys.viewer]) {
      const answer = await api.call("POST", `/api/agents/${id}/test-brain`, { key, body: { query: "Hi" } });
      expect(answer.status).toBe(403);
    }
  });
});

describe("testing a brain with Accept: text/event-stream", () => {
  /** The answer is left to be read as it comes. */
  const ask = (id: string): Promise<Response> =>
    fetch(`${api.api.baseUrl}/api/agents/${id}/test-brain`, {
      method: "POST",
      headers: {
        accept: "text/event-stream",
        "content-type": "application/json",
        "x-api-key": acme.keys.owner,
      },
      body: JSON.stringify({ query: "Count." }),
    });

  it("streams each part as it comes, and the result last", async () => {
    let goOn: () => void = () => undefined;
    const brain = await startBrain((turn) => {
      turn.token("One ");
      goOn = () => {
        turn.token("two.");
        turn.done();
      };
    });
    const id = await agentWith({ url: brain.url });
    const response = await ask(id);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes("One")) goOn();
    }
    const events = text
      .trim()
      .split("\n\n")
      .map((event) => JSON.parse(event.replace(/^data: /, "")));
    expect(events).toMatchObject([
      { type: "token", text: "One " },
      { type: "token", text: "two." },
      { type: "result", ok: true, text: "One two.", error: null },
    ]);
  });

  it("tells a failure as its result", async () => {
    const answer = await ask(await agentWith({ url: "http://10.0.0.1/" }));
    expect(answer.status).toBe(200);
    expect(JSON.parse((await answer.text()).replace(/^data: /, ""))).toMatchObject({
      type: "result",
      ok: false,
      error: { failure: "blocked" },
    });
  });

  it("lets the brain go when whoever asked has gone", async () => {
    const patient = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
    onTestFinished(() => patient.close());
    let turn: BrainTurn | undefined;
    const brain = await startBrain((begun) => {
      turn = begun;
      begun.token("Well");
    });
    const { agentId, keys } = await patient.createOrganization({ brain: { url: brain.url } });
    const abort = new AbortController();
    const response = await fetch(`${patient.api.baseUrl}/api/agents/${agentId}/test-brain`, {
      method: "POST",
      headers: { accept: "text/event-stream", "content-type": "application/json", "x-api-key": keys.owner },
      body: JSON.stringify({ query: "Hello?" }),
      signal: abort.signal,
    });
    await response.body?.getReader().read();
    abort.abort();
    await turn?.aborted;
  });
});
