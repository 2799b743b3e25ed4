import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestMembers } from "../../../testkit/members.ts";
import { answering, chat, lookTool, serve } from "../../../testkit/model-brain.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import { OUR_NUMBER, TestTelephony } from "../../../testkit/telephony.ts";
import type { PhoneStep } from "../carriers/loopback/script.ts";

const INITIATE = "/api/sessions/initiate-call";
/** Longer than the voice ever falls silent between two clauses, also where the machine is busy. */
const LISTEN: PhoneStep = { do: "listen", quietMs: 2_000, withinMs: 20_000 };

let phones: TestTelephony;
let lastNumber = 500;
beforeAll(async () => {
  phones = await TestTelephony.start();
});
afterAll(() => phones.close());

/** A phone with a number of its own, which hangs up after these steps. */
function phone(steps: readonly PhoneStep[] = []): string {
  lastNumber += 1;
  return phones.phone(`+12025550${lastNumber}`, { ringMs: 50, outcome: "answers", steps });
}

const initiate = (body: Record<string, unknown>) => phones.request("POST", INITIATE, body);

describe("the identifier of an outbound call", () => {
  /** The identities that two tools were told in a call: one that asked for it, and one that did not. */
  async function identitiesIn(about: Record<string, unknown>): Promise<Record<string, unknown>> {
    const seen: Record<string, unknown> = {};
    const api = await serve(({ url = "", headers }, response) => {
      seen[url] = headers["x-service-identifier"];
      response.end("{}");
    });
    const calls = [
      { name: "trusting", arguments: "{}" },
      { name: "plain", arguments: "{}" },
    ];
    const { url } = await chat(answering({ calls }, { text: "Done." }));
    const tools = [
      lookTool({ name: "trusting", url: `${api}/trusting`, sendIdentifier: true }),
      lookTool({ name: "plain", url: `${api}/plain` }),
    ];
    const agentId = await phones.agent({ brain: { kind: "model", model: "m", prompt: "p", url, tools } });
    const to = phone([{ do: "say", text: "Look." }, LISTEN, { do: "hangUp" }]);
    const { sessionId } = await phones.dial(to, { agentId, ...about });
    const { tools: used } = await phones.untilStatus(sessionId, "completed");
    expect(used.map(({ status }) => status)).toEqual(["success", "success"]);
    return seen;
  }

  it("is told to the tool that asked for it, and to no other", async () => {
    expect(await identitiesIn({ identifier: "customer-7" })).toEqual({
      "/trusting": "customer-7",
      "/plain": undefined,
    });
  });

  it("is not what somebody calls a variable of their own", async () => {
    expect(await identitiesIn({ variables: { identifier: "customer-8" } })).toEqual({
      "/trusting": undefined,
      "/plain": undefined,
    });
  });

  it("is in the call's record, its variables and all of its webhooks", async () => {
    const receiver = await TestReceiver.answering();
    onTestFinished(() => receiver.close());
    const agentId = await phones.agent({ firstResponse: "Hello." });
    await phones.request("POST", "/api/v1/hooks", { target_url: receiver.url, agent_id: agentId });
    const { sessionId } = await phones.dial(phone([LISTEN, { do: "hangUp" }]), {
      agentId,
      identifier: "customer-9",
    });
    const record = await phones.untilStatus(sessionId, "completed");
    expect(record).toMatchObject({ identifier: "customer-9", variables: { identifier: "customer-9" } });
    const told = () => receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    const names = ["call.ended", "call.started", "recording.ready", "transcript.ready"];
    await expect
      .poll(
        () =>
          told()
            .map(({ event }) => event)
            .toSorted(),
        { timeout: 90_000 },
      )
      .toEqual(names);
    for (const event of told()) expect(event).toMatchObject({ identifier: "customer-9" });
    expect(told().find(({ event }) => event === "call.started")).toMatchObject({
      variables: { identifier: "customer-9" },
    });
  });
});

describe("the first response of an outbound call", () => {
  it("takes the place of the agent's own, with its variables filled in, and is what the phone hears first", async () => {
    const to = phone([LISTEN, { do: "hangUp" }]);
    const about = { firstResponse: "Good evening {name}, this is Parley.", variables: { name: "Ada" } };
    const { sessionId } = await phones.dial(to, about);
    const { transcript } = await phones.untilStatus(sessionId, "completed");
    expect(transcript.map(({ role, text }) => [role, text])).toEqual([
      ["assistant", "Good evening Ada, this is Parley."],
    ]);
    const heard = phones.heard.get(sessionId) ?? [];
    expect(heard.some((frame) => frame.some((sample) => Math.abs(sample) > 1_000))).toBe(true);
    expect(phones.brain.turns.filter(({ request }) => request.sessionId === sessionId)).toEqual([]);
  });
});

describe("an outbound call that its agent cannot make", () => {
  it("for want of a required variable is a 400 that names it, and nobody is rung", async () => {
    const agentId = await phones.agent({
      variables: [{ name: "order_id", required: true }, { name: "name" }],
    });
    const to = phone([{ do: "hangUp" }]);
    const refused = await initiate({ agentId, to, variables: { name: "Ada" } });
    expect(refused).toMatchObject({
      status: 400,
      body: { success: false, code: "validation_failed", details: { missingVariables: ["order_id"] } },
    });
    expect(refused.body.error).toContain("variables.order_id");
    expect(await phones.statusesOf(to)).toEqual([]);
    expect((await initiate({ agentId, to, variables: { order_id: "7" } })).status).toBe(200);
  });

  it.each([
    ["is nobody's", async () => "agt_none"],
    ["is another organization's", async () => (await phones.api.createOrganization()).agentId],
  ])("because it %s is a 404, and nobody is rung", async (_, agent) => {
    const to = phone();
    const agentId = await agent();
    const refused = await initiate({ agentId, to });
    expect(refused).toMatchObject({ status: 404, body: { success: false, code: "not_found" } });
    expect(refused.body.error).toContain(agentId);
    expect(await phones.statusesOf(to)).toEqual([]);
  });

  it("because its API access is off is a 403 for keys of every role, and a call for who is signed in", async () => {
    const members = await TestMembers.create(phones.api);
    const { orgId, agentId, keys } = members;
    const { db } = phones.api.database;
    await db
      .updateTable("agents")
      .set({ settings: JSON.stringify({ brain: { url: phones.brain.url }, apiAccess: false }) })
      .where("id", "=", agentId)
      .execute();
    const number = "+12025550998";
    await phones.api.call("POST", "/api/v1/numbers", { key: keys.owner, body: { number } });
    const to = phone([{ do: "hangUp" }]);
    for (const key of Object.values(keys)) {
      const refused = await phones.api.call("POST", INITIATE, { key, body: { agentId, to } });
      expect(refused).toMatchObject({ status: 403, body: { success: false, code: "api_access_off" } });
    }
    expect(await phones.statusesOf(to)).toEqual([]);
    const token = await members.token("developer");
    const placed = await phones.api.call("POST", INITIATE, { token, orgId, body: { agentId, to } });
    expect(placed).toMatchObject({ status: 200, body: { data: { fromNumber: number } } });
  });
});

describe("the number an outbound call comes from", () => {
  it("is the one that was asked for, by number or by id, else the agent's, else the first", async () => {
    const other = "+12025550901";
    const agents = "+12025550902";
    const agentId = await phones.agent({});
    const add = async (body: object): Promise<string> =>
      String((await phones.request("POST", "/api/v1/numbers", body)).body.id);
    const fromNumberId = await add({ number: other });
    await add({ number: agents, agentId });
    const from = async (about: object) =>
      (await initiate({ agentId: phones.organization.agentId, to: phone(), ...about })).body.data;
    expect(await from({ fromNumber: other })).toMatchObject({ fromNumber: other });
    expect(await from({ fromNumberId })).toMatchObject({ fromNumber: other });
    expect(await from({ agentId })).toMatchObject({ fromNumber: agents });
    expect(await from({ agentId, fromNumber: other })).toMatchObject({ fromNumber: other });
    expect(await from({})).toMatchObject({ fromNumber: OUR_NUMBER });
  });

  it("has to be there: an organization without one is told to add it", async () => {
    const { agentId, keys } = await phones.api.createOrganization();
    const refused = await phones.api.call("POST", INITIATE, {
      key: keys.owner,
      body: { agentId, to: phone() },
    });
    expect(refused).toMatchObject({ status: 400, body: { code: "bad_request" } });
    expect(refused.body.error).toContain("POST /api/v1/numbers");
  });
});

describe("an outbound call", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["no agent", { agentId: undefined }, "agentId"],
    ["no destination", { to: undefined }, "to"],
    ["a destination without its plus", { to: "12025550150" }, "to"],
    ["a destination of 16 digits", { to: "+1202555015012345" }, "to"],
    ["a destination that begins with 0", { to: "+0202555015" }, "to"],
    ["a caller number that is not E.164", { fromNumber: "0612345678" }, "fromNumber"],
    ["an empty caller id", { fromNumberId: "" }, "fromNumberId"],
    ["a detection that is no text", { machineDetection: true }, "machineDetection"],
    ["a detection to switch off", { machineDetection: "false" }, "machineDetection"],
    ["an empty identifier", { identifier: "" }, "identifier"],
    ["an identifier of 129 characters", { identifier: "x".repeat(129) }, "identifier"],
    ["an empty first response", { firstResponse: "" }, "firstResponse"],
    ["a first response of 4,001 characters", { firstResponse: "x".repeat(4_001) }, "firstResponse"],
    ["a variable that is no text", { variables: { n: 1 } }, "variables.n"],
    ["a variable with a wrong name", { variables: { "a-b": "1" } }, "variables"],
    ["a variable of 4,001 characters", { variables: { n: "x".repeat(4_001) } }, "variables.n"],
    [
      "101 variables",
      { variables: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`v${i}`, "x"])) },
      "variables",
    ],
    ["a field nobody knows", { first_response: "Hi" }, "first_response"],
  ])("with %s is refused with the field named, and nobody is rung", async (_what, over, field) => {
    const to = phone();
    const refused = await initiate({ agentId: phones.organization.agentId, to, ...over });
    expect(refused).toMatchObject({ status: 400, body: { success: false, code: "validation_failed" } });
    expect(refused.body.error).toContain(field);
    expect(await phones.statusesOf(to)).toEqual([]);
  });

  it("with all of its fields as long as they may be is placed", async () => {
    const variables = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`v${i}`, "x".repeat(40)]));
    const about = { identifier: "x".repeat(128), firstResponse: "x".repeat(4_000), variables };
    const to = phone([{ do: "hangUp" }]);
    expect(await phones.dial(to, { ...about, machineDetection: "true" })).toMatchObject({ status: "queued" });
  });

  it("of a wrong agent is refused for that, also where there is no number to call from", async () => {
    const { keys } = await phones.api.createOrganization();
    const body = { agentId: "agt_none", to: phone() };
    const refused = await phones.api.call("POST", INITIATE, { key: keys.owner, body });
    expect(refused).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it("is placed by a key of any role", async () => {
    const { agentId, keys } = phones.organization;
    for (const key of Object.values(keys)) {
      const body = { agentId, to: phone([{ do: "hangUp" }]) };
      expect((await phones.api.call("POST", INITIATE, { key, body })).status).toBe(200);
    }
  });
});
