import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestMembers } from "../../../testkit/members.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import { INIT_MANUAL_CALL, TestSoftphones } from "../../../testkit/softphones.ts";

const OURS = "+12025550971";
const OWNERS = "+12025550972";

let softphones: TestSoftphones;
let members: TestMembers;
let receiver: TestReceiver;
beforeAll(async () => {
  softphones = await TestSoftphones.start();
  const { api } = softphones.telephony;
  members = await TestMembers.create(api);
  receiver = await TestReceiver.answering();
  const key = members.keys.owner;
  await api.call("POST", "/api/v1/hooks", { key, body: { target_url: receiver.url } });
  await api.call("POST", "/api/v1/numbers", { key, body: { number: OURS } });
  const { userId } = members.people.owner;
  await api.call("POST", "/api/v1/numbers", { key, body: { number: OWNERS, userId } });
});
afterAll(async () => {
  await softphones.close();
  await receiver.close();
});

type Who = "a key" | "the owner";

async function ask(who: Who, body: Record<string, unknown>) {
  const { api } = softphones.telephony;
  if (who === "a key") return api.call("POST", INIT_MANUAL_CALL, { key: members.keys.developer, body });
  return api.call("POST", INIT_MANUAL_CALL, {
    token: await members.token("owner"),
    orgId: members.orgId,
    body,
  });
}

/** The user ids of a call that was answered and is over: in its record, and in what webhooks tell of it. */
async function attributed(who: Who, about: Record<string, unknown>) {
  const placed = await ask(who, { to: softphones.phone([{ do: "hangUp" }]), from: OURS, ...about });
  expect(placed.status, placed.text).toBe(200);
  const { sessionId } = placed.body.data as { sessionId: string };
  const told = (name: string) =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      .find(({ event, sessionId: of }) => event === name && of === sessionId);
  const tellsAll = () => ["call.started", "call.ended"].map((name) => told(name)?.event);
  await expect.poll(tellsAll, { timeout: 90_000 }).toEqual(["call.started", "call.ended"]);
  const key = members.keys.viewer;
  const record = await softphones.telephony.api.call("GET", `/api/v1/calls/${sessionId}`, { key });
  return [record.body.userId, told("call.started")?.userId, told("call.ended")?.userId];
}

describe("a manual call is attributed", () => {
  it.each<[string, Who, () => Promise<Record<string, unknown>>, () => Promise<string>]>([
    [
      "to the member a key names, whatever their role",
      "a key",
      async () => ({ userId: members.people.viewer.userId }),
      async () => members.people.viewer.userId,
    ],
    ["to whom the key belongs when it names nobody", "a key", async () => ({}), keysOwner],
    [
      "to the member another one names",
      "the owner",
      async () => ({ userId: members.people.member.userId }),
      async () => members.people.member.userId,
    ],
    [
      "to who is signed in when they name nobody",
      "the owner",
      async () => ({}),
      async () => members.people.owner.userId,
    ],
  ])(
    "%s",
    async (_what, who, about, expected) => {
      const userId = await expected();
      expect(await attributed(who, await about())).toEqual([userId, userId, userId]);
    },
    30_000,
  );
});

/** Who made the organization's keys. */
async function keysOwner(): Promise<string> {
  const { created_by } = await softphones.telephony.api.database.db
    .selectFrom("api_keys")
    .select("created_by")
    .where("org_id", "=", members.orgId)
    .where("role", "=", "developer")
    .executeTakeFirstOrThrow();
  return created_by;
}

describe("the number of a manual call", () => {
  it.each<[string, Who, () => Record<string, unknown>, string]>([
    ["is the one that is asked for", "the owner", () => ({ from: OURS }), OURS],
    ["is their own for who is signed in and asks for none", "the owner", () => ({}), OWNERS],
    [
      "stays their own when they name another member",
      "the owner",
      () => ({ userId: members.people.member.userId }),
      OWNERS,
    ],
    ["may be a member's, for a key", "a key", () => ({ from: OWNERS }), OWNERS],
  ])("%s", async (_what, who, about, fromNumber) => {
    const to = softphones.phone([], { outcome: "busy" });
    const { body } = await ask(who, { to, ...about() });
    expect(body.data).toMatchObject({ callMode: "manual", fromNumber, toNumber: to });
  });
});

describe("a manual call", () => {
  it.each<[string, Who, () => Record<string, unknown>, number, string]>([
    ["no destination", "a key", () => ({ to: undefined }), 400, "to"],
    ["a destination without its plus", "a key", () => ({ to: "12025550150" }), 400, "to"],
    ["a number to call from that is not E.164", "a key", () => ({ from: "0612345678" }), 400, "from"],
    [
      "no number to call from and a member's userId",
      "a key",
      () => ({ from: undefined, userId: members.people.owner.userId }),
      400,
      "from",
    ],
    ["an empty userId", "a key", () => ({ userId: "" }), 400, "userId"],
    ["a member of others", "a key", () => ({ userId: members.stranger.person.userId }), 404, "member"],
    [
      "a member of others, by who is signed in",
      "the owner",
      () => ({ userId: members.stranger.person.userId }),
      404,
      "member",
    ],
    ["an agent", "a key", () => ({ agentId: members.agentId }), 400, "agentId"],
    ["machine detection", "a key", () => ({ machineDetection: "true" }), 400, "machineDetection"],
    ["an identifier", "a key", () => ({ identifier: "customer-7" }), 400, "identifier"],
  ])("with %s is refused with what is wrong, and nobody is rung", async (...[, who, over, status, named]) => {
    const to = softphones.phone([]);
    const refused = await ask(who, { to, from: OURS, ...over() });
    expect(refused).toMatchObject({ status, body: { success: false } });
    expect(refused.body.error).toContain(named);
    expect(await softphones.telephony.statusesOf(to)).toEqual([]);
  });
});
