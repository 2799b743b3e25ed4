import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { systemClock } from "@parley/shared/clock.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { Egress } from "@parley/shared/net/egress.ts";
import { NameLookups } from "@parley/shared/net/names/name-lookups.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { Everything, McpFake } from "../../../testkit/mcp-servers.ts";
import { callMcpTool, type McpToolCall } from "./call-tool.ts";
import { EraVerdicts } from "./client/era-verdicts.ts";
import { McpSessions } from "./client/sessions.ts";
import { targetOf } from "./verify.ts";

const egress = new Egress({
  allowPrivateTargets: ["127.0.0.0/8"],
  names: new NameLookups({ resolve: async () => [], clock: systemClock }),
  clock: systemClock,
  metrics: createMetrics(),
});
afterAll(() => egress.destroy("mcp"));

function open() {
  const sessions = new McpSessions({ egress, clock: systemClock, eras: new EraVerdicts(systemClock) });
  onTestFinished(() => sessions.close());
  const call = (url: string, tool: string, more: Partial<McpToolCall> & { token?: string } = {}) => {
    const { token, ...given } = more;
    return callMcpTool(
      targetOf({ orgId: "org_1", url, token }),
      { tool, arguments: {}, timeoutMs: 10_000, ...given },
      sessions,
    );
  };
  return { sessions, call };
}

/** What a tool of the fake was told of the end of its call. */
let ended: PromiseWithResolvers<void>;
let begun: PromiseWithResolvers<void>;

function tools(): McpServer {
  const server = new McpServer({ name: "shop", version: "1" });
  const add = server.registerTool.bind(server);
  const number = { inputSchema: z.object({ number: z.string() }) };
  add("find", number, async ({ number: of }) => ({ content: [{ type: "text", text: `Order ${of}.` }] }));
  add("json", {}, async () => ({
    content: [{ type: "text", text: "see below" }],
    structuredContent: { status: "sent" },
  }));
  add("fails", {}, async () => ({ content: [{ type: "text", text: "The shop is closed." }], isError: true }));
  add("large", {}, async () => ({ content: [{ type: "text", text: "x".repeat(50_000) }] }));
  add("endless", {}, async () => ({ content: [{ type: "text", text: "x".repeat(8 * 1_048_576) }] }));
  add("picture", {}, async () => ({ content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] }));
  add("slow", {}, async ({ mcpReq }) => {
    begun.resolve();
    await new Promise<void>((resolve) => mcpReq.signal.addEventListener("abort", () => resolve()));
    ended.resolve();
    return { content: [] };
  });
  add("asks", {}, async () =>
    inputRequired({
      inputRequests: { name: inputRequired.elicit({ message: "Who?", requestedSchema: ASKED }) },
    }),
  );
  return server;
}
const ASKED = {
  type: "object" as const,
  properties: { name: { type: "string" as const } },
  required: ["name"],
};

let fake: McpFake;
beforeAll(async () => {
  [ended, begun] = [Promise.withResolvers(), Promise.withResolvers()];
  fake = await McpFake.start({ tools });
});
afterAll(() => fake.close());

describe("a tool of a server of the era of 2026", () => {
  it.each([
    ["find", { ok: true, result: "Order 7." }],
    ["json", { ok: true, result: { status: "sent" } }],
    ["fails", { ok: false, code: "tool_error", message: "The shop is closed." }],
    ["picture", { ok: true, result: "[image: image/png, not shown]" }],
    ["nothing", { ok: false, code: "server_refused" }],
    ["asks", { ok: false, code: "input_required" }],
    ["endless", { ok: false, code: "response_too_large" }],
  ])("%s", async (tool, outcome) => {
    const args = tool === "find" ? { number: "7" } : {};
    expect(await open().call(fake.url, tool, { arguments: args })).toMatchObject(outcome);
  });

  it("gives a model 16,000 characters at most, and says that there was more", async () => {
    const { result } = (await open().call(fake.url, "large")) as { result: string };
    expect(result.length).toBeLessThan(16_100);
    expect(result).toMatch(/\[The rest is left out: it was 50000 characters long\.\]$/);
  });

  it("costs one request once the server is known", async () => {
    const { call } = open();
    await call(fake.url, "find", { arguments: { number: "1" } });
    const before = fake.seen.length;
    await call(fake.url, "find", { arguments: { number: "2" } });
    expect(fake.seen.slice(before).map(({ rpc }) => rpc)).toEqual(["tools/call"]);
  });

  it("is told that nobody waits any more: its stream is closed", async () => {
    [ended, begun] = [Promise.withResolvers(), Promise.withResolvers()];
    const caller = new AbortController();
    const outcome = open().call(fake.url, "slow", { signal: caller.signal });
    await begun.promise;
    caller.abort();
    expect(await outcome).toMatchObject({ ok: false, code: "abandoned" });
    await ended.promise;
  });

  // Real time: the deadline is the client library's own timer.
  it("has its deadline, and is told of it", async () => {
    [ended, begun] = [Promise.withResolvers(), Promise.withResolvers()];
    const { call } = open();
    await call(fake.url, "find", { arguments: { number: "1" } });
    expect(await call(fake.url, "slow", { timeoutMs: 150 })).toEqual({
      ok: false,
      code: "deadline_exceeded",
      message: "The server did not answer in time.",
    });
    await ended.promise;
  });
});

describe("a tool of a server of the era of 2025", () => {
  let everything: Everything;
  beforeAll(async () => {
    everything = await Everything.start("streamableHttp");
  });
  afterAll(() => everything.close());

  it.each([
    ["echo", { message: "hello" }, { ok: true, result: "Echo: hello" }],
    ["get-structured-content", { location: "New York" }, { ok: true, result: { temperature: 33 } }],
    ["get-sum", { a: "no number" }, { ok: false, code: "tool_error" }],
    ["no-such-tool", {}, { ok: false, code: "tool_error" }],
  ])("%s", async (tool, args, outcome) => {
    expect(await open().call(everything.url, tool, { arguments: args })).toMatchObject(outcome);
  });
});
