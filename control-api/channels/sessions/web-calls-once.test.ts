import { randomUUID } from "node:crypto";
import { createTicketVerifier } from "@parley/shared/security/tickets.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestAnswer, TestControlApi } from "../../../testkit/control-api.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";

const INIT = "/api/sessions/init-web-call";
const LONGER_THAN_A_TICKET_MS = 90_000;

let clock: SteppingClock;
let api: TestControlApi;
let acme: TestOrganization;
let key = "";
beforeAll(async () => {
  clock = new SteppingClock();
  api = await TestControlApi.start({ clock });
  await api.registerNode();
});
beforeEach(async () => {
  acme = await api.createOrganization();
  key = randomUUID();
});
afterAll(() => api.close());

function ask(body: Record<string, unknown> = {}): Promise<TestAnswer> {
  const headers = { "idempotency-key": key };
  return api.call("POST", INIT, {
    key: acme.keys.developer,
    headers,
    body: { agentId: acme.agentId, ...body },
  });
}

function redeem(token: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return api.call("POST", INIT, { token, headers: { "idempotency-key": key, ...headers } });
}

async function mint(extra: Record<string, unknown> = {}): Promise<string> {
  const body = { agentId: acme.agentId, ...extra };
  const { data } = (await api.call("POST", "/api/client-tokens", { key: acme.keys.developer, body })).body;
  return (data as { token: string }).token;
}

const callOf = ({ body }: TestAnswer) => body.data as { sessionId: string; websocketUrl: string };

async function end(sessionId: string): Promise<void> {
  const { developer } = acme.keys;
  expect((await api.call("DELETE", `/api/sessions/${sessionId}`, { key: developer })).status).toBe(200);
  const record = () => api.call("GET", `/api/v1/calls/${sessionId}`, { key: developer });
  await expect.poll(async () => (await record()).body.status).toBe("canceled");
}

async function sessionsOfAcme(): Promise<string[]> {
  const { db } = api.database;
  const rows = await db.selectFrom("calls").select("session_id").where("org_id", "=", acme.orgId).execute();
  return rows.map(({ session_id }) => session_id);
}

describe("a web call with an Idempotency-Key", () => {
  it("is created once, however often and however fast it is asked for", async () => {
    const race = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(new Set(race.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const again = await ask();
    expect(again.status).toBe(200);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const { sessionId, websocketUrl } = callOf(again);
    expect(websocketUrl).toContain(`/v1/calls/${sessionId}?ticket=`);
    expect(await sessionsOfAcme()).toEqual([sessionId]);
  });

  it("is not created for the same key with another body", async () => {
    const { sessionId } = callOf(await ask());
    const other = await ask({ identifier: "somebody-else" });
    expect(other).toMatchObject({ status: 400, body: { success: false, code: "bad_request" } });
    expect(await sessionsOfAcme()).toEqual([sessionId]);
  });

  it("gets a ticket that is good from now on when it is asked for again", async () => {
    const first = callOf(await ask());
    clock.step(LONGER_THAN_A_TICKET_MS);
    const again = callOf(await ask());
    expect(again.sessionId).toBe(first.sessionId);
    const verifier = createTicketVerifier({ publicKeyPem: api.keys.publicKeyPem, clock });
    const isOld = async ({ websocketUrl }: { websocketUrl: string }) => {
      const ticket = new URL(websocketUrl).searchParams.get("ticket") ?? "";
      return (await verifier.verify(ticket, "call")).expired;
    };
    expect([await isOld(first), await isOld(again)]).toEqual([true, false]);
  });

  it("whose answer was lost with its process is the one that is handed out", async () => {
    const { sessionId } = callOf(await ask());
    const unanswered = { status: null, response: null };
    const { db } = api.database;
    await db.updateTable("idempotent_requests").set(unanswered).where("key", "=", key).execute();
    expect(callOf(await ask()).sessionId).toBe(sessionId);
    expect(await sessionsOfAcme()).toEqual([sessionId]);
  });

  it("that has ended is told to have, instead of an address where nobody is, and no other is made for it", async () => {
    const { sessionId } = callOf(await ask());
    await end(sessionId);
    const again = await ask();
    expect(again).toMatchObject({ status: 404, body: { code: "session_ended", details: { sessionId } } });
    expect(again.body.error).toContain("new Idempotency-Key");
    expect(await sessionsOfAcme()).toEqual([sessionId]);
  });

  it("that failed may be asked for again", async () => {
    expect((await ask({ agentId: "agt_none" })).status).toBe(404);
    expect((await ask()).status).toBe(200);
  });
});

describe("a client token's call with an Idempotency-Key", () => {
  it("is used once, and its answer given again although no call is left", async () => {
    const token = await mint();
    const first = await redeem(token);
    const again = await redeem(token);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(callOf(again).sessionId).toBe(callOf(first).sessionId);
    const another = await redeem(token, { "idempotency-key": randomUUID() });
    expect(another).toMatchObject({ status: 401, body: { code: "token_invalid" } });
  });

  it("that has ended stays used", async () => {
    const token = await mint({ maxUses: 2 });
    await end(callOf(await redeem(token)).sessionId);
    expect(await redeem(token)).toMatchObject({ status: 404, body: { code: "session_ended" } });
    const others = [await redeem(token, { "idempotency-key": randomUUID() })];
    others.push(await redeem(token, { "idempotency-key": randomUUID() }));
    expect(others.map(({ status }) => status)).toEqual([200, 401]);
  });

  it("is not given again on another page, nor for another token", async () => {
    const origin = "https://shop.example";
    const token = await mint({ allowedOrigins: [origin] });
    const first = await redeem(token, { origin });
    expect((await redeem(token, { origin: "https://evil.example" })).status).toBe(403);
    const others = await redeem(await mint());
    expect(others.status).toBe(200);
    expect(callOf(others).sessionId).not.toBe(callOf(first).sessionId);
  });

  it("belongs to one of a page's visitors: each has a key that no other can hit upon", async () => {
    const token = await mint({ maxUses: 2 });
    const guessable = ["1", "call", "2024-05-01T10:00:00Z", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"];
    for (const guess of guessable) {
      const refused = await redeem(token, { "idempotency-key": guess });
      expect(refused).toMatchObject({ status: 400, body: { code: "validation_failed" } });
      expect(refused.body.error).toContain("crypto.randomUUID()");
    }
    const visitors = [await redeem(token), await redeem(token, { "idempotency-key": randomUUID() })];
    expect(visitors.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(await sessionsOfAcme())).toEqual(
      new Set(visitors.map((answer) => callOf(answer).sessionId)),
    );
  });

  it("may be asked for so by pages of other origins", async () => {
    const preflight = await api.call("OPTIONS", INIT, { headers: { origin: "https://shop.example" } });
    expect(preflight.headers.get("access-control-allow-headers")).toContain("idempotency-key");
  });
});
