import { rm } from "node:fs/promises";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { TestBrain } from "../testkit/brain.ts";
import { TestCaller } from "../testkit/caller.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import { TestGateway } from "../testkit/gateway.ts";
import type { TestOrganization } from "../testkit/organization.ts";
import { TestPerson } from "../testkit/person.ts";
import { TestReceiver } from "../testkit/receiver.ts";

/** The brain says the number itself, in pieces. */
const REPEAT = "Which card have you got?";
const CARD = /4111[\s\-.]*1111|1111[\s\-.]*1111/;

let api: TestControlApi;
let acme: TestOrganization;
let owner: TestPerson;
let gateway: TestGateway;
let brain: TestBrain;
let receiver: TestReceiver;

beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  gateway = await TestGateway.start({ bus: api.bus, keys: api.keys });
  brain = await TestBrain.start((turn) => {
    if (turn.request.query === REPEAT) {
      for (const token of ["It is ", "4111 11", "11 1111 ", "1111", ", is it not?"]) turn.token(token);
      turn.done();
      return;
    }
    turn.control({
      event: "tool",
      name: "charge",
      arguments: { card: "4111 1111 1111 1111", amount: 12 },
      result: ["paid with 4111111111111111"],
      status: "success",
      latencyMs: 3,
    });
    turn.token("Thank you.");
    turn.done();
  });
  receiver = await TestReceiver.answering(200);
  acme = await api.createOrganization({ brain: { url: brain.url }, firstResponse: undefined });
  owner = await TestPerson.registerVerified(api);
  await api.database.db
    .insertInto("memberships")
    .values({ org_id: acme.orgId, user_id: owner.userId, role: "owner" })
    .execute();
  const body = { url: receiver.url, includeTranscript: true };
  const path = `/api/orgs/${acme.orgId}/webhooks`;
  expect((await api.call("POST", path, { key: acme.keys.owner, body })).status).toBe(201);
});
afterAll(async () => {
  await gateway.gateway.close();
  await api.close();
  await rm(gateway.dataDir, { recursive: true, force: true });
  await receiver.close();
  brain.close();
});

interface Watched {
  readonly sessionId: string;
  readonly caller: TestCaller;
  readonly frames: string[];
}

async function startCall(): Promise<Watched> {
  const key = acme.keys.owner;
  const created = await api.call("POST", "/api/sessions/init-web-call", {
    key,
    body: { agentId: acme.agentId },
  });
  const { sessionId, websocketUrl } = created.body.data as { sessionId: string; websocketUrl: string };
  const opened = await api.call("POST", `/api/sessions/${sessionId}/stream`, { key });
  const frames: string[] = [];
  const watcher = new WebSocket((opened.body.data as { streamUrl: string }).streamUrl);
  watcher.on("message", (frame) => frames.push(String(frame)));
  await new Promise((resolve) => watcher.once("open", resolve));
  const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
  return { sessionId, caller, frames };
}

/** Everything that is kept of a call or was sent of it. */
async function traces({ sessionId, frames }: Watched): Promise<string> {
  const { db } = api.database;
  await expect
    .poll(() => receiver.received.map(({ body }) => body).join("\n"), { timeout: 90_000 })
    .toMatch(new RegExp(`"call.ended".*${sessionId}`));
  const kept = await Promise.all([
    db.selectFrom("call_events").selectAll().where("session_id", "=", sessionId).execute(),
    db.selectFrom("call_messages").selectAll().where("session_id", "=", sessionId).execute(),
    db.selectFrom("call_tools").selectAll().where("session_id", "=", sessionId).execute(),
    db.selectFrom("webhook_deliveries").select("body").execute(),
  ]);
  return JSON.stringify([kept, frames, receiver.received.map(({ body }) => body)]);
}

describe("a card number in a call", () => {
  it("reaches the brain, and no row, webhook or watcher, said at once, in two turns or pressed", async () => {
    const call = await startCall();
    const { caller } = call;
    caller.send({ type: "text", text: "My card is 4111 1111 1111 1111." });
    await caller.said("assistant");
    caller.send({ type: "text", text: "Again, 4111 1111" });
    await caller.said("assistant");
    caller.send({ type: "text", text: "1111 1111 it was" });
    await caller.said("assistant");
    for (const digit of "4111111111111111#") caller.send({ type: "dtmf", digit });
    await caller.said("assistant");
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    expect(brain.queries).toEqual([
      "My card is 4111 1111 1111 1111.",
      "Again, 4111 1111",
      "1111 1111 it was",
      "DTMF: 4111111111111111#",
    ]);
    const all = await traces(call);
    expect(all).toContain("My card is [card_number].");
    expect(all).toContain("Again, [card_number]");
    expect(all).toContain("[card_number] it was");
    expect(all).toContain("DTMF: [card_number]");
    expect(all).toContain("paid with [card_number]");
    expect(CARD.exec(all)).toBeNull();
    // Digits are told one by one as they are.
    expect(all).toContain("call.dtmf");
  });

  it("that the brain says piece by piece is in no row, webhook or watcher's frame", async () => {
    const call = await startCall();
    call.caller.send({ type: "text", text: REPEAT });
    await call.caller.said("assistant");
    call.caller.send({ type: "hangup" });
    await call.caller.untilClosed();
    const all = await traces(call);
    expect(all).toContain("It is [card_number], is it not?");
    expect(CARD.exec(all)).toBeNull();
    // Nor a piece of it, on the way to the whole.
    for (const piece of ["is 4111", "4111 11", "11 1111"])
      expect(call.frames.join("\n")).not.toContain(piece);
  });

  it("keeps what is told in the order in which it happened", async () => {
    const call = await startCall();
    call.caller.send({ type: "text", text: "It begins with 4111 1111" });
    await call.caller.said("assistant");
    call.caller.send({ type: "text", text: "No, forget it." });
    await call.caller.said("assistant");
    call.caller.send({ type: "hangup" });
    await call.caller.untilClosed();
    await traces(call);
    const rows = await api.database.db
      .selectFrom("call_events")
      .select(["type", "body"])
      .where("session_id", "=", call.sessionId)
      .orderBy("seq")
      .execute();
    const events = rows.map(({ body }) => body as unknown as CallEvent);
    const times = events.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    const said = events.filter((event) => event.type === "call.message");
    expect(said.map(({ role, text }) => [role, text])).toEqual([
      ["user", "It begins with 4111 1111"],
      ["assistant", "Thank you."],
      ["user", "No, forget it."],
      ["assistant", "Thank you."],
    ]);
  });
});

describe("the policy of an organization", () => {
  it("counts for the calls that are made after it was set", async () => {
    const token = owner.accessToken;
    const path = `/api/orgs/${acme.orgId}/pii-policy`;
    const policy = {
      rules: [{ rule: "email", mask: "<address>" }],
      patterns: [{ name: "case", pattern: "AC-####" }],
    };
    const before = await api.call("GET", path, { token, orgId: acme.orgId });
    expect(before.body.data).toEqual({ country: "US", rules: [{ rule: "card_number" }], patterns: [] });
    const put = await api.call("PUT", path, { token, orgId: acme.orgId, body: policy });
    expect(put.body.data).toEqual({ country: "US", ...policy });
    const call = await startCall();
    call.caller.send({ type: "text", text: "I am ada@example.com, case AC 1234, card 5555 5555 5555 4444" });
    await call.caller.said("assistant");
    call.caller.send({ type: "hangup" });
    await call.caller.untilClosed();
    const all = await traces(call);
    expect(all).toContain("I am <address>, case [case], card 5555 5555 5555 4444");
    expect(all).not.toContain("ada@example.com");
    const { body } = await api.call("GET", `/api/orgs/${acme.orgId}/audit?action=pii_policy.changed`, {
      token,
      orgId: acme.orgId,
    });
    expect(body.data).toMatchObject({ events: [{ details: { rules: ["email"], patterns: ["case"] } }] });
  });

  it.each([
    { rules: [{ rule: "shoe_size" }] },
    { rules: [{ rule: "email" }, { rule: "email" }] },
    { rules: [{ rule: "email", mask: "4111" }] },
    { rules: [], patterns: [{ name: "x", pattern: "ab" }] },
    { rules: [], patterns: [{ name: "x", pattern: "-- --" }] },
    { rules: [], country: "us" },
  ])("is refused when it is wrong: %j", async (body) => {
    const token = owner.accessToken;
    const path = `/api/orgs/${acme.orgId}/pii-policy`;
    const answer = await api.call("PUT", path, { token, orgId: acme.orgId, body });
    expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  });
});
