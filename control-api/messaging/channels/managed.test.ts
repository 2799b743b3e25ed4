import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { Agent } from "undici";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { TestBrain } from "../../../testkit/brain.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { FakeGraphApi, type FakeNumber } from "../../../testkit/fakes/messaging/graph-api.ts";
import { graphEnv, newContact } from "../../../testkit/messaging.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import { lendNumber, takeBackNumber } from "./managed.ts";

const SOON = { timeout: 90_000, interval: 20 };
const SECRETS_KEY = `test:${Buffer.alloc(32, 9).toString("base64")}`;

let graph: FakeGraphApi;
let api: TestControlApi;
let receiver: TestReceiver;

beforeAll(async () => {
  graph = await FakeGraphApi.start();
  receiver = await TestReceiver.answering(200);
  api = await TestControlApi.start({
    isEmbedded: true,
    ...{ env: graphEnv(graph), secretsKey: SECRETS_KEY },
    allowPrivateTargets: ["127.0.0.0/8"],
  });
});
afterAll(async () => {
  await api.close();
  await receiver.close();
  graph.close();
});

/** The operator's numbers have one business account and one app. */
function numbersOfOperator(count: number): FakeNumber[] {
  const [first, ...others] = Array.from({ length: count }, (_, i) => graph.addNumber(`+1 555-078-900${i}`));
  if (!first) return [];
  const { businessAccountId, appSecret } = first;
  for (const other of others) Object.assign(other, { businessAccountId, appSecret });
  return [first, ...others];
}

const dispatcher = new Agent();
function lend(orgId: string, { phoneNumberId, businessAccountId, accessToken, appSecret }: FakeNumber) {
  return lendNumber(
    { orgId, phoneNumberId, businessAccountId, accessToken, appSecret },
    {
      database: api.database,
      secrets: new SecretBox(SECRETS_KEY),
      reach: { dispatchers: { of: () => dispatcher }, vendorUrls: { whatsapp: graph.url } } as never,
      nowMs: Date.now,
    },
  );
}

const channels = ({ orgId }: TestPerson, path = "") => `/api/orgs/${orgId}/whatsapp-cloud/channels${path}`;
/** The bodies of an organization's webhook deliveries, oldest first. */
const events = async ({ orgId }: TestPerson) => {
  const rows = api.database.db.selectFrom("webhook_deliveries").select("body").where("org_id", "=", orgId);
  return (await rows.orderBy("id").execute()).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
};

it("a number of the operator is used by whom it is lent to, who neither see nor change its credentials", async () => {
  const [number] = numbersOfOperator(1) as [FakeNumber];
  const person = await TestPerson.register(api);
  const { channelId, phone } = await lend(person.orgId, number);
  const read = await person.call("GET", channels(person, `/${channelId}`));
  expect(read.body.data).toMatchObject({ id: channelId, managed: true, phone, webhook: null });
  expect(read.text).not.toContain(number.accessToken);
  const put = await person.call("PUT", channels(person, `/${channelId}/credentials`), { accessToken: "x" });
  expect([put.status, put.body.error]).toEqual([403, expect.stringContaining("operator")]);
  const named = await person.call("PATCH", channels(person, `/${channelId}`), { name: "Front desk" });
  expect(named.body.data).toMatchObject({ name: "Front desk" });
  const other = await TestPerson.register(api);
  await expect(lend(other.orgId, number)).rejects.toMatchObject({ code: "conflict" });
  expect((await person.call("DELETE", channels(person, `/${channelId}`))).status).toBe(200);
  expect((await lend(other.orgId, number)).channelId).not.toBe(channelId);
});

it("the operator takes a number back, with its conversations, and the organization's audit log says so", async () => {
  const [number] = numbersOfOperator(1) as [FakeNumber];
  const [person, next] = [await TestPerson.register(api), await TestPerson.register(api)];
  const { channelId, phone } = await lend(person.orgId, number);
  await lend(person.orgId, number);
  const message = graph.inbound(number, newContact(), { type: "text", text: { body: "Hi" } });
  await graph.post(`${api.api.baseUrl}/api/public/whatsapp/${channelId}`, number, message);
  const deps = { database: api.database, queue: { add: async () => undefined }, nowMs: Date.now } as never;
  expect(await takeBackNumber(number.phoneNumberId, deps)).toEqual({ orgId: person.orgId, channelId, phone });
  expect((await person.call("GET", channels(person, `/${channelId}`))).status).toBe(404);
  const { threads } = (await person.call("GET", `/api/orgs/${person.orgId}/whatsapp-hub/threads`)).body
    .data as { threads: object[] };
  expect(threads).toEqual([]);
  const audit = await person.call("GET", `/api/orgs/${person.orgId}/audit`);
  const { events: written } = audit.body.data as { events: { action: string; details: object }[] };
  const about = written.filter(({ action }) => action.startsWith("channel."));
  expect(about.map(({ action }) => action)).toEqual([
    "channel.taken_back",
    "channel.credentials_replaced",
    "channel.lent",
  ]);
  expect(about[0]?.details).toEqual({ channelId, phone, by: "operator" });
  await expect(takeBackNumber(number.phoneNumberId, deps)).rejects.toMatchObject({ code: "not_found" });
  expect((await lend(next.orgId, number)).channelId).not.toBe(channelId);
});

it("whoever has a number keeps it with other credentials when the operator's are replaced", async () => {
  const [number] = numbersOfOperator(1) as [FakeNumber];
  const person = await TestPerson.register(api);
  const { channelId, verifyToken } = await lend(person.orgId, number);
  const before = { ...number };
  Object.assign(number, { appSecret: "e".repeat(32), accessToken: `${number.accessToken}-next` });
  await expect(lend(person.orgId, before)).rejects.toMatchObject({
    code: "bad_request",
    message: expect.stringContaining("access token"),
  });
  expect(await lend(person.orgId, number)).toMatchObject({ channelId, verifyToken });
  const url = `${api.api.baseUrl}/api/public/whatsapp/${channelId}`;
  const nothing = graph.change(number, {});
  for (const { appSecret } of [number, before])
    expect(await graph.post(url, { appSecret }, nothing)).toBe(200);
  expect(await graph.post(url, { appSecret: "f".repeat(32) }, nothing)).toBe(403);
});

it("each organization gets the messages of its own number, wherever the operator's app reports them", async () => {
  const [one, two] = numbersOfOperator(2) as [FakeNumber, FakeNumber];
  const [first, second] = [await TestPerson.register(api), await TestPerson.register(api)];
  const { channelId } = await lend(first.orgId, one);
  const { phone } = await lend(second.orgId, two);
  const callbackUrl = `${api.api.baseUrl}/api/public/whatsapp/${channelId}`;
  for (const person of [first, second])
    await person.call("POST", `/api/orgs/${person.orgId}/webhooks`, { url: receiver.url });
  const contact = newContact();
  expect(
    await graph.post(callbackUrl, one, graph.inbound(two, contact, { type: "text", text: { body: "Hi" } })),
  ).toBe(200);
  const threads = async (person: TestPerson) =>
    (
      (await person.call("GET", `/api/orgs/${person.orgId}/whatsapp-hub/threads`)).body.data as {
        threads: object[];
      }
    ).threads;
  await vi.waitFor(
    async () => expect(await threads(second)).toMatchObject([{ contactPhone: `+${contact}` }]),
    SOON,
  );
  expect(await threads(first)).toEqual([]);
  expect(await events(second)).toMatchObject([
    { event: "whatsapp.message.received", channelPhone: phone, from: `+${contact}` },
  ]);
  const quality = { display_phone_number: two.display, event: "FLAGGED", current_limit: "TIER_1K" };
  await graph.post(callbackUrl, one, graph.event(one, "phone_number_quality_update", quality));
  await graph.post(callbackUrl, one, graph.event(one, "account_update", { event: "ACCOUNT_RESTRICTION" }));
  const fields = async (person: TestPerson) =>
    (await events(person)).flatMap(({ event, field }) =>
      event === "whatsapp.account.health" ? [field] : [],
    );
  expect(await fields(second)).toEqual(["phone_number_quality_update", "account_update"]);
  expect(await fields(first)).toEqual(["account_update"]);
});

it("an agent answers on a managed number", async () => {
  const [number] = numbersOfOperator(1) as [FakeNumber];
  const person = await TestPerson.register(api);
  const brain = await TestBrain.start((turn) => {
    turn.token("Good morning!");
    turn.done();
  });
  onTestFinished(() => brain.close());
  const agent = await person.call("POST", "/api/agents", { name: "Anna", brain: { url: brain.url } });
  const { channelId } = await lend(person.orgId, number);
  const { id: agentId } = agent.body.data as { id: string };
  expect((await person.call("PATCH", channels(person, `/${channelId}`), { agentId })).status).toBe(200);
  const contact = newContact();
  const message = graph.inbound(number, contact, { type: "text", text: { body: "Hi" } });
  await graph.post(`${api.api.baseUrl}/api/public/whatsapp/${channelId}`, number, message);
  await vi.waitFor(() => expect(graph.textsTo(contact)).toEqual(["Good morning!"]), SOON);
});

it("a report reaches neither who has another number, nor who has one in another of the operator's accounts", async () => {
  const [one, two] = numbersOfOperator(2) as [FakeNumber, FakeNumber];
  const [elsewhere] = numbersOfOperator(1) as [FakeNumber];
  Object.assign(elsewhere, { appSecret: one.appSecret });
  const [first, second, third] = [
    await TestPerson.register(api),
    await TestPerson.register(api),
    await TestPerson.register(api),
  ];
  const { channelId } = await lend(first.orgId, one);
  await lend(second.orgId, two);
  await lend(third.orgId, elsewhere);
  for (const person of [first, second, third])
    await person.call("POST", `/api/orgs/${person.orgId}/webhooks`, { url: receiver.url });
  const report = (number: FakeNumber, field: string, value: object) =>
    graph.post(`${api.api.baseUrl}/api/public/whatsapp/${channelId}`, one, graph.event(number, field, value));
  const metadata = { phone_number_id: two.phoneNumberId };
  await report(one, "automatic_events", { metadata, automatic_events: [{ id: "wamid.1" }] });
  await report(one, "account_alerts", { entity_type: "PHONE_NUMBER", entity_id: two.phoneNumberId });
  await report(one, "account_settings_update", { phone_number_settings: metadata });
  await report(one, "account_update", { event: "VERIFIED_ACCOUNT", phone_number: one.display });
  await report(elsewhere, "account_update", { event: "ACCOUNT_RESTRICTION" });
  const fields = async (person: TestPerson) => (await events(person)).map(({ field }) => field);
  expect(await fields(first)).toEqual(["account_update"]);
  expect(await fields(second)).toEqual(["automatic_events", "account_alerts", "account_settings_update"]);
  expect(await fields(third)).toEqual(["account_update"]);
});

it("a number that an organization brought along is nobody else's, though another has it, too", async () => {
  const [number] = numbersOfOperator(1) as [FakeNumber];
  const [own, lent] = [await TestPerson.register(api), await TestPerson.register(api)];
  const { phoneNumberId, businessAccountId, accessToken, appSecret } = number;
  const given = { phoneNumberId, businessAccountId, accessToken, appSecret };
  const connected = await own.call("POST", channels(own), given);
  const { webhook } = connected.body.data as { webhook: { callbackUrl: string } };
  await lend(lent.orgId, number);
  const message = graph.inbound(number, newContact(), { type: "text", text: { body: "Hi" } });
  await graph.post(webhook.callbackUrl, number, message);
  const threads = async ({ orgId }: TestPerson) =>
    (await api.database.db.selectFrom("messaging_threads").select("id").where("org_id", "=", orgId).execute())
      .length;
  expect([await threads(own), await threads(lent)]).toEqual([1, 0]);
});
