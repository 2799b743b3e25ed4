import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { readWav } from "@parley/media/wav/wav-reader.ts";
import { callRecordSchema } from "@parley/shared/contracts/calls.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { TestCaller } from "../testkit/caller.ts";
import { ROOT, TestProduct } from "../testkit/product.ts";

const run = promisify(execFile);

/** The commands of the README are in readme-commands.test.ts. */
describe("the first run", () => {
  let product: TestProduct;

  beforeAll(async () => {
    product = await TestProduct.start();
  });
  afterAll(() => product.remove());

  it("says where everything is and writes a demo.json only its owner can read", async () => {
    expect(product.said()).toContain(`${product.demo.baseUrl}/talk`);
    expect(product.said()).toContain(product.demo.gatewayUrl);
    expect((await stat(join(product.dataDir, "demo.json"))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["is busy", "+12025550101", /nobody said anything\nthe call is busy\n$/],
    ["hangs up at once", "+12025550105", /the call is completed\n$/],
  ])("is told by the shell example of a phone that %s", async (_, number, told) => {
    const { stdout } = await run(join(ROOT, "examples/outbound-call.sh"), [number], {
      cwd: product.dataDir,
      env: { PATH: process.env.PATH, DATA_DIR: product.dataDir },
    });
    expect(stdout).toMatch(told);
  });

  it("is told by the shell example why a number cannot be called", async () => {
    const refused = run(join(ROOT, "examples/outbound-call.sh"), ["+12025550106"], {
      cwd: product.dataDir,
      env: { PATH: process.env.PATH, DATA_DIR: product.dataDir },
    });
    await expect(refused).rejects.toMatchObject({ stdout: expect.stringContaining("not in service") });
  });

  it("goes the whole way by REST: account, second factor, key, client token, call, revocation", async () => {
    const { stdout } = await run(process.execPath, [join(ROOT, "examples/whole-way.ts")], {
      cwd: product.dataDir,
      env: { PATH: process.env.PATH, DATA_DIR: product.dataDir },
    });
    const lines = stdout.trim().split("\n");
    expect(lines).toContain("POST /api/auth/login → 401 mfa_required");
    expect(lines).toContain("agent: Hello Ada!");
    expect(lines.filter((line) => line.startsWith("POST /api/sessions/init-web-call"))).toEqual([
      "POST /api/sessions/init-web-call → 200 ",
      "POST /api/sessions/init-web-call → 401 token_invalid",
    ]);
    expect(lines.slice(-3)).toEqual([
      "GET /api/v1/me → 401 unauthorized",
      "POST /api/auth/logout → 200 ",
      "GET /api/auth/me → 401 token_invalid",
    ]);
  });

  it("keeps transcript, latency and a playable stereo recording of a call", async () => {
    const created = await product.call("POST", "/api/sessions/init-web-call", {
      agentId: product.demo.agentId,
    });
    const { data } = (await created.json()) as { data: { sessionId: string; websocketUrl: string } };
    const caller = await TestCaller.start(data.websocketUrl, { acknowledges: true });
    await caller.said("assistant");
    caller.send({ type: "text", text: "I want to book a table" });
    await caller.said("assistant");
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    const read = async () =>
      callRecordSchema.parse(await (await product.call("GET", `/api/v1/calls/${data.sessionId}`)).json());
    await expect.poll(async () => (await read()).endTime).not.toBeNull();
    const record = await read();
    expect(record.status).toBe("completed");
    expect(record.transcript.map(({ role }) => role)).toEqual(["assistant", "user", "assistant"]);
    expect(record.latency[0]?.responseMs).toBeGreaterThan(0);
    expect(record.floor).toMatchObject([
      { turn: 1, decisions: [{ decision: "end_turn", reason: "typed" }], dropped: 0 },
    ]);
    const recording = await fetch(record.recording?.url ?? "");
    const wav = readWav(new Uint8Array(await recording.arrayBuffer()));
    expect(wav).toMatchObject({ channels: 2, sampleRateHz: 16_000 });
    expect(wav.samples.length / 2 / 16_000).toBeCloseTo(record.recording?.durationSecs ?? 0, 1);
    const part = await fetch(record.recording?.url ?? "", { headers: { range: "bytes=0-43" } });
    expect(part.status).toBe(206);
    expect((await part.arrayBuffer()).byteLength).toBe(44);
  });

  it("lets a watcher follow the call live, to its end", async () => {
    const created = await product.call("POST", "/api/sessions/init-web-call", {
      agentId: product.demo.agentId,
    });
    const { data } = (await created.json()) as { data: { sessionId: string; websocketUrl: string } };
    const opened = await product.call("POST", `/api/sessions/${data.sessionId}/stream`);
    const { streamUrl } = ((await opened.json()) as { data: { streamUrl: string } }).data;
    const topics: string[] = [];
    const watcher = new WebSocket(streamUrl);
    watcher.on("message", (text) => topics.push((JSON.parse(String(text)) as { topic: string }).topic));
    const closed = new Promise<number>((resolve) => watcher.once("close", resolve));
    await new Promise((resolve) => watcher.once("open", resolve));
    const caller = await TestCaller.start(data.websocketUrl, { acknowledges: true });
    caller.send({ type: "dtmf", digit: "5" });
    caller.send({ type: "text", text: "Hello" });
    await caller.next("metrics");
    await product.call("DELETE", `/api/sessions/${data.sessionId}`);
    expect(await caller.next("ended")).toMatchObject({ reason: "api_request" });
    expect(await closed).toBe(1000);
    expect(topics).toEqual(
      expect.arrayContaining(["call.dtmf", "call.turn", "call.transcript_partial", "call.ended"]),
    );
    expect(topics.at(-1)).toBe("call.ended");
  });

  it("finds its workspace again after a restart, with the same key", async () => {
    expect(await product.stop()).toBe(0);
    const again = await TestProduct.start({}, product.dataDir);
    try {
      expect(again.demo).toMatchObject({ orgId: product.demo.orgId, apiKey: product.demo.apiKey });
      expect((await again.call("GET", "/api/v1/me")).status).toBe(200);
    } finally {
      expect(await again.stop()).toBe(0);
    }
  });

  it("names every wrong variable at once when it cannot start", async () => {
    const env = {
      PATH: process.env.PATH,
      GATEWAY_PORT: "eighty",
      LOG_LEVEL: "loud",
      DATABASE_URL: "mysql://secret@x",
    };
    const failed = await run(process.execPath, [join(ROOT, "scripts/start.ts")], { env }).catch(
      (error) => error,
    );
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('GATEWAY_PORT is "eighty"; expected a port');
    expect(failed.stderr).toContain("LOG_LEVEL");
    expect(failed.stderr).toContain("DATABASE_URL");
    expect(failed.stderr).not.toContain("secret");
  });
});
