import { serve } from "@parley/shared/bus/request-reply.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { commandChannel } from "@parley/shared/contracts/call-commands.ts";
import { callPlanKey, liveCallKey } from "@parley/shared/contracts/call-plan.ts";
import { createTicketVerifier } from "@parley/shared/security/tickets.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withoutTable } from "../../../testkit/broken-database.ts";
import { type TestAnswer, TestControlApi } from "../../../testkit/control-api.ts";
import { memberOnly } from "../../../testkit/members.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";

let api: TestControlApi;
let acme: TestOrganization;

beforeAll(async () => {
  api = await TestControlApi.start({ isEmbedded: true });
  acme = await api.createOrganization();
});
afterAll(() => api.close());

const INIT = "/api/sessions/init-web-call";

function init(body: Record<string, unknown>, key = acme.keys.developer): Promise<TestAnswer> {
  return api.call("POST", INIT, { key, body });
}

async function created(
  body: Record<string, unknown> = {},
): Promise<{ sessionId: string; websocketUrl: string }> {
  const answer = await init({ agentId: acme.agentId, ...body });
  expect(answer.status).toBe(200);
  return answer.body.data as { sessionId: string; websocketUrl: string };
}

describe("a web call", () => {
  it("cannot be made while no gateway runs", async () => {
    const answer = await init({ agentId: acme.agentId });
    expect(answer).toMatchObject({ status: 503, body: { success: false, code: "no_gateway" } });
    expect(answer.headers.get("retry-after")).toBe("3");
  });

  it("gets a socket address with a ticket bound to its session, on the least loaded gateway", async () => {
    await api.registerNode({ publicUrl: "ws://busy", calls: 8 });
    await api.registerNode({ publicUrl: "ws://draining", draining: true });
    await api.registerNode({ publicUrl: "ws://calm", calls: 1 });
    const { sessionId, websocketUrl } = await created();
    const url = new URL(websocketUrl);
    expect(url.origin + url.pathname).toBe(`ws://calm/v1/calls/${sessionId}`);
    const verifier = createTicketVerifier({ publicKeyPem: api.keys.publicKeyPem, clock: systemClock });
    const { claims, expired } = await verifier.verify(url.searchParams.get("ticket") ?? "", "call");
    expect(claims).toEqual({ sessionId, orgId: acme.orgId, kind: "call" });
    expect(expired).toBe(false);
  });

  it("freezes a plan with variables resolved and the eleven built-in ones", async () => {
    const { sessionId } = await created({ variables: { name: "Ada" }, identifier: "customer-7" });
    const plan = await api.planOf(sessionId);
    expect(plan.firstResponse).toBe("Hello Ada, how can I help?");
    expect(plan.variables).toMatchObject({ name: "Ada", identifier: "customer-7" });
    expect(Object.keys(plan.variables)).toHaveLength(13);
    expect(plan.variables.current_date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(plan.stt).toEqual([{ vendor: "client", language: "en" }]);
  });

  it("leaves an unfilled placeholder out rather than reading it aloud", async () => {
    const { sessionId } = await created({ firstResponse: "Hi {nickname}, welcome." });
    const plan = await api.planOf(sessionId);
    expect(plan.firstResponse).toBe("Hi, welcome.");
  });

  it("of another organization's agent does not exist", async () => {
    const other = await api.createOrganization();
    expect(await init({ agentId: other.agentId })).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["no agent", {}, "agentId"],
    ["an unknown field", { agentId: "a", agent_id: "b" }, "agent_id"],
    ["variables that are no map", { agentId: "a", variables: [1] }, "variables"],
    ["a variable that is no text", { agentId: "a", variables: { n: 1 } }, "variables.n"],
    ["an empty first response", { agentId: "a", firstResponse: "" }, "firstResponse"],
    ["an identifier that is too long", { agentId: "a", identifier: "x".repeat(129) }, "identifier"],
  ])("with %s is refused with the field named", async (_what, body, field) => {
    const answer = await init(body);
    expect(answer).toMatchObject({ status: 400, body: { success: false, code: "validation_failed" } });
    expect(answer.body.error).toContain(field);
  });
});

describe("ending a session", () => {
  it("that nobody connected to takes its plan back and records it as canceled", async () => {
    const { sessionId } = await created();
    expect(await api.call("DELETE", `/api/sessions/${sessionId}`, { key: acme.keys.owner })).toMatchObject({
      status: 200,
      body: { success: true, data: { sessionId, status: "ended" } },
    });
    expect(await api.bus.keys.get(callPlanKey(sessionId))).toBeUndefined();
    const read = () => api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.viewer });
    await expect.poll(async () => (await read()).body.status).toBe("canceled");
    expect((await api.call("DELETE", `/api/sessions/${sessionId}`, { key: acme.keys.owner })).status).toBe(
      404,
    );
  });

  it("that is live asks the node that holds it", async () => {
    const { sessionId } = await created();
    await api.bus.keys.take(callPlanKey(sessionId));
    const commands: unknown[] = [];
    const stop = await serve(api.bus.channels, commandChannel(sessionId), async (payload) => {
      commands.push(JSON.parse(payload));
      return JSON.stringify({ ok: true });
    });
    expect((await api.call("DELETE", `/api/sessions/${sessionId}`, { key: acme.keys.owner })).status).toBe(
      200,
    );
    expect(commands).toEqual([{ command: "end", reason: "api_request" }]);
    await stop();
  });

  it("of another organization, or of none, is not found", async () => {
    const { sessionId } = await created();
    const other = await api.createOrganization();
    expect((await api.call("DELETE", `/api/sessions/${sessionId}`, { key: other.keys.owner })).status).toBe(
      404,
    );
    expect((await api.call("DELETE", "/api/sessions/ses_none", { key: acme.keys.owner })).status).toBe(404);
  });
});

describe("watching a session", () => {
  it("gets an address with a stream ticket, for people who view too, and not for their keys", async () => {
    const { sessionId } = await created();
    const path = `/api/sessions/${sessionId}/stream`;
    const viewer = await memberOnly(api, acme.orgId, "viewer");
    const answer = await viewer.call("POST", path, undefined, acme.orgId);
    expect(answer.status).toBe(200);
    const { streamUrl } = answer.body.data as { streamUrl: string };
    expect(streamUrl).toContain(`/v1/streams/${sessionId}?ticket=`);
    for (const role of ["viewer", "member"] as const)
      expect((await api.call("POST", path, { key: acme.keys[role] })).status).toBe(403);
    const byKey = await api.call("POST", path, { key: acme.keys.developer });
    expect(byKey.status).toBe(200);
    // By whom it was opened, so that it ends with their right.
    const verifier = createTicketVerifier({ publicKeyPem: api.keys.publicKeyPem, clock: systemClock });
    const openedBy = async (address: unknown) =>
      (await verifier.verify(new URL(String(address)).searchParams.get("ticket") ?? "", "stream")).claims.by;
    expect(await openedBy(streamUrl)).toEqual({ userId: viewer.userId, signInId: expect.any(String) });
    expect(await openedBy((byKey.body.data as { streamUrl: string }).streamUrl)).toEqual({
      userId: acme.userId,
      keyId: expect.stringMatching(/^key_/),
    });
  });

  it("that has just ended is over, also before that is recorded", async () => {
    const { sessionId } = await created();
    const { keys } = api.bus;
    const watch = async () =>
      (await api.call("POST", `/api/sessions/${sessionId}/stream`, { key: acme.keys.owner })).status;
    const call = api.database.db.updateTable("calls").where("session_id", "=", sessionId);
    await call.set({ started_at: new Date() }).execute();
    await keys.take(callPlanKey(sessionId));
    await keys.set(liveCallKey(sessionId), "nod_1", 60_000);
    expect(await watch()).toBe(200);
    await keys.delete(liveCallKey(sessionId));
    expect(await watch()).toBe(404);
  });

  it("of another organization is not found", async () => {
    const { sessionId } = await created();
    const other = await api.createOrganization();
    const answer = await api.call("POST", `/api/sessions/${sessionId}/stream`, { key: other.keys.owner });
    expect(answer.status).toBe(404);
  });
});

describe("bad input", () => {
  const NAUGHTY = [
    "'; drop table calls;--",
    "../../etc/passwd",
    "\u0000",
    "💥".repeat(30),
    "%00",
    "{{7*7}}",
    "<script>",
    "a".repeat(5_000),
  ];

  it.each(NAUGHTY)("such as %j in a field or path is answered, never with a 500", async (text) => {
    expect((await init({ agentId: text })).status).toBeLessThan(500);
    expect(
      (await init({ agentId: acme.agentId, identifier: text, firstResponse: text, variables: { v: text } }))
        .status,
    ).toBeLessThan(500);
    const path = `/api/v1/calls/${encodeURIComponent(text)}`;
    expect((await api.call("GET", path, { key: acme.keys.owner })).status).toBeLessThan(500);
  });

  it.each<[string, string, number]>([
    ["malformed JSON", "{", 400],
    ["a prototype in JSON", '{"__proto__":{"admin":true},"agentId":"x"}', 400],
    ["a constructor in JSON", '{"constructor":{"prototype":{}},"agentId":"x"}', 400],
    ["a megabyte", JSON.stringify({ agentId: "x".repeat(1_000_000) }), 413],
  ])("such as %s is named", async (_what, body, status) => {
    const answer = await api.call("POST", INIT, { key: acme.keys.owner, body });
    expect(answer).toMatchObject({ status, body: { success: false } });
  });

  it("in another content type is told which one is expected", async () => {
    const headers = { "content-type": "text/xml" };
    const answer = await api.call("POST", INIT, { key: acme.keys.owner, body: "<x/>", headers });
    expect(answer).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
  });

  it("never puts a key, a ticket or what was said of the caller into the log, also when it fails", async () => {
    const variables = { name: "Ada Lovelace" };
    const failed = await withoutTable(api, "calls", async () => {
      expect((await init({ agentId: acme.agentId, identifier: "+12025550177", variables })).status).toBe(500);
    });
    expect(failed.join("")).toContain("calls");
    const log = api.logged.join("");
    for (const key of Object.values(acme.keys)) expect(log).not.toContain(key);
    for (const secret of ["ticket=ey", "Lovelace", "+12025550177"]) expect(log).not.toContain(secret);
  });
});
