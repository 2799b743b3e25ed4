import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { BrainTurn } from "../../../testkit/brain.ts";
import { readStreamed, TestChats } from "../../../testkit/chat.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";

const SOON = { timeout: 90_000 };
const MINUTE_MS = 60_000;
const SHOP = "https://shop.example";

let clock: SteppingClock;
let api: TestControlApi;
let chats: TestChats;
let answer: (turn: BrainTurn) => void;

const hello = (turn: BrainTurn): void => {
  turn.control({ event: "tool", name: "look", arguments: { in: "the files" }, result: "secret" });
  turn.token("Hello.");
  turn.done();
};

beforeAll(async () => {
  clock = new SteppingClock();
  api = await TestControlApi.start({ clock, allowPrivateTargets: ["127.0.0.0/8"] });
  chats = await TestChats.start(api, (turn) => answer(turn));
});
afterAll(async () => {
  chats.close();
  await api.close();
});

const mint = (extra: Record<string, unknown> = {}, { organization } = chats) =>
  api.call("POST", "/api/client-tokens", {
    key: organization.keys.developer,
    body: { agentId: organization.agentId, mode: "chat", ...extra },
  });
async function tokenFor(extra: Record<string, unknown> = {}, whose = chats): Promise<string> {
  const { status, body } = await mint(extra, whose);
  expect(status).toBe(201);
  return (body.data as { token: string }).token;
}
const say = (token: string, input: string, headers: Record<string, string> = {}, more = {}) =>
  api.call("POST", "/api/public/chat", { token, headers, body: { input, ...more } });

describe("a client token for a chat", () => {
  it("is one chat with everything that was fixed, and shows nothing of tools", async () => {
    answer = hello;
    const token = await tokenFor({ identifier: "customer-9", variables: { plan: "basic" } });
    const first = await say(token, "Hello?");
    const { sessionId } = first.body;
    expect(first).toMatchObject({ status: 200, body: { sessionId, turn: 1, reply: "Hello." } });
    expect(Object.keys(first.body)).toEqual(["sessionId", "turn", "reply"]);
    expect(chats.brain.turns.at(-1)?.request).toMatchObject({
      sessionId,
      plan: "basic",
      identifier: "customer-9",
    });
    const second = await readStreamed(api, "/api/public/chat", {
      headers: { authorization: `Bearer ${token}` },
      body: { input: "And now?" },
    });
    expect(second.text).toContain(`event: session\ndata: {"sessionId":"${sessionId}","turn":2}\n`);
    expect(second.text).toContain('event: done\ndata: {"sessionId"');
    expect(second.text).not.toMatch(/secret|customer-9|look/);
    expect((await chats.messages(String(sessionId))).body.messages).toHaveLength(4);
    const audit = await api.database.db
      .selectFrom("audit_events")
      .select("details")
      .where("action", "=", "client_token.redeemed")
      .execute();
    expect(audit.map(({ details }) => details)).toMatchObject([{ sessionId }]);
  });

  it("without an identifier is its own", async () => {
    answer = hello;
    await say(await tokenFor(), "Hello?");
    expect(chats.brain.turns.at(-1)?.request.identifier).toMatch(/^ctk_/);
  });

  it("cannot be made to ask another agent, session or end user", async () => {
    const token = await tokenFor();
    for (const more of [
      { agentId: chats.organization.agentId },
      { sessionId: "ses_1" },
      { identifier: "x" },
      { variables: {} },
    ]) {
      const refused = await say(token, "Hello?", {}, more);
      expect(refused).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    }
  });

  it("begins one chat however many first messages come at once", async () => {
    const held: BrainTurn[] = [];
    answer = (turn) => void held.push(turn);
    const token = await tokenFor();
    const racing = Array.from({ length: 5 }, (_, i) => say(token, `Hello ${i}`));
    await expect.poll(() => held, SOON).toHaveLength(1);
    const waiting = await say(token, "Hello?");
    expect(waiting).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(waiting.headers.get("access-control-expose-headers")).toBe("retry-after");
    hello(held[0] as BrainTurn);
    const statuses = (await Promise.all(racing)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409]);
  });

  it("may begin again when its first message failed", async () => {
    const token = await tokenFor();
    answer = (turn) => void turn.res.writeHead(500).end();
    expect((await say(token, "Hello?")).status).toBe(502);
    answer = hello;
    expect((await say(token, "Hello?")).body).toMatchObject({ turn: 1 });
  });

  it("answers a message that is sent again with its Idempotency-Key once", async () => {
    answer = hello;
    const before = chats.brain.turns.length;
    const token = await tokenFor();
    const headers = { "idempotency-key": "first" };
    const first = await say(token, "Hello?", headers);
    expect((await say(token, "Hello?", headers)).body).toEqual(first.body);
    expect(chats.brain.turns).toHaveLength(before + 1);
  });
});

describe("a visitor who has enough", () => {
  const end = (token: string, headers: Record<string, string> = {}) =>
    api.call("POST", "/api/public/chat/end", { token, headers });

  it("ends the chat of their token once and for good, from the pages it allows", async () => {
    answer = hello;
    const token = await tokenFor({ allowedOrigins: [SHOP] });
    const { sessionId } = (await say(token, "Hello?", { origin: SHOP })).body;
    expect((await end(token)).status).toBe(403);
    for (let time = 0; time < 2; time++) {
      const ended = await end(token, { origin: SHOP });
      expect([ended.status, ended.body]).toEqual([200, { sessionId, status: "ended" }]);
      expect(ended.headers.get("access-control-allow-origin")).toBe("*");
    }
    expect((await chats.messages(String(sessionId))).body.status).toBe("ended");
    expect((await say(token, "Still there?", { origin: SHOP })).status).toBe(410);
    const preflight = await api.call("OPTIONS", "/api/public/chat/end", {
      headers: { origin: SHOP, "access-control-request-method": "POST" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  });

  it("ends also the chat that they have not begun: a message that comes late does not begin it", async () => {
    answer = hello;
    const before = chats.brain.turns.length;
    const token = await tokenFor();
    for (let time = 0; time < 2; time++) {
      expect(await end(token)).toMatchObject({ status: 200, body: { status: "ended" } });
    }
    expect(await say(token, "Hello?")).toMatchObject({ status: 401, body: { code: "token_invalid" } });
    expect(chats.brain.turns).toHaveLength(before);
  });

  it("leaves no chat behind, whatever of their first message and the end comes first", async () => {
    answer = hello;
    const leave = async (): Promise<string> => {
      const token = await tokenFor();
      const [, { status, body }] = await Promise.all([say(token, "Hello?"), end(token)]);
      expect(status).toBe(200);
      return String(body.sessionId);
    };
    const left = await Promise.all(Array.from({ length: 20 }, leave));
    const open = () =>
      api.database.db
        .selectFrom("chats")
        .select("session_id")
        .where("session_id", "in", left)
        .where("settled_at", "is", null)
        .execute();
    await expect.poll(open, SOON).toEqual([]);
  });
});

describe("the limits of a client token for a chat", () => {
  it("are its lifetime to begin, and the chat's from then on", async () => {
    answer = hello;
    const [late, begun] = [await tokenFor({ expiresInSecs: 60 }), await tokenFor({ expiresInSecs: 60 })];
    expect((await say(begun, "Hello?")).status).toBe(200);
    clock.step(61_000);
    expect(await say(late, "Hello?")).toMatchObject({ status: 401, body: { code: "token_invalid" } });
    expect((await say(begun, "Still there?")).status).toBe(200);
    clock.step(31 * MINUTE_MS);
    const over = await say(begun, "And now?");
    expect(over).toMatchObject({ status: 410, body: { error: expect.stringContaining("new client token") } });
  });

  it("are its messages, and their pace", async () => {
    answer = hello;
    const short = await tokenFor({ maxMessages: 2 });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await say(short, "Hello?")).status);
    expect(statuses).toEqual([200, 200, 410]);
    const fast = await tokenFor();
    let refused = await say(fast, "Hello?");
    for (let i = 0; i < 30; i++) refused = await say(fast, "Hello?");
    expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("are the pages it allows", async () => {
    answer = hello;
    const token = await tokenFor({ allowedOrigins: [SHOP] });
    expect((await say(token, "Hello?")).status).toBe(403);
    const evil = await say(token, "Hello?", { origin: "https://evil.example" });
    expect([evil.status, evil.headers.get("access-control-allow-origin")]).toEqual([403, "*"]);
    expect((await say(token, "Hello?", { origin: SHOP })).status).toBe(200);
    const preflight = await api.call("OPTIONS", "/api/public/chat", {
      headers: { origin: SHOP, "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("idempotency-key");
  });

  it("are those of the key that minted it", async () => {
    const own = await TestChats.start(api, hello);
    onTestFinished(() => own.close());
    const token = await tokenFor({}, own);
    expect((await say(token, "Hello?")).status).toBe(200);
    await api.database.db
      .updateTable("api_keys")
      .set({ revoked_at: new Date() })
      .where("org_id", "=", own.organization.orgId)
      .execute();
    expect(await say(token, "Hello?")).toMatchObject({ status: 401, body: { code: "token_invalid" } });
  });

  it("are those of the agent: with its API access off it answers no visitor, in the middle of a chat, too", async () => {
    const own = await TestChats.start(api, hello);
    onTestFinished(() => own.close());
    const [begun, unused] = [await tokenFor({}, own), await tokenFor({}, own)];
    expect((await say(begun, "Hello?")).status).toBe(200);
    await own.change({ apiAccess: false });
    for (const token of [begun, unused]) {
      const refused = await say(token, "Are you there?");
      expect(refused).toMatchObject({ status: 403, body: { success: false, code: "api_access_off" } });
    }
    expect(own.brain.turns).toHaveLength(1);
    await own.change({ apiAccess: true });
    expect((await say(begun, "Are you there?")).body).toMatchObject({ turn: 2 });
    expect((await say(unused, "Hello?")).body).toMatchObject({ turn: 1 });
  });

  it.each([
    ["starts no calls", { mode: "chat" }, "/api/sessions/init-web-call", undefined],
    ["of calls holds no chats", { mode: "call" }, "/api/public/chat", { input: "Hello?" }],
  ])("one %s", async (_, extra, path, body) => {
    const token = await tokenFor(extra);
    const refused = await api.call("POST", path, { token, ...(body ? { body } : {}) });
    expect(refused).toMatchObject({ status: 401, body: { code: "token_invalid" } });
  });

  it.each([
    [{ maxUses: 2 }],
    [{ firstResponse: "Hi" }],
    [{ maxMessages: 0 }],
    [{ mode: "call", maxMessages: 3 }],
    [{ mode: "both" }],
  ])("are not minted with %j", async (extra) => {
    expect((await mint(extra)).status).toBe(400);
  });
});

// The last in this file: so many failures open the breaker of the brain.
describe("a client token whose brain fails", () => {
  it("counts messages that its brain fails, too", async () => {
    answer = (turn) => void turn.res.writeHead(500).end();
    const short = await tokenFor({ maxMessages: 1 });
    const statuses = [];
    for (let i = 0; i < 13; i++) statuses.push((await say(short, "Hello?")).status);
    expect(statuses).toEqual([...Array<number>(12).fill(502), 410]);
  });
});
