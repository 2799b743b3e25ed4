import type { WhatsAppCampaign } from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { FakeGraphApi, graphError } from "../../../testkit/fakes/messaging/graph-api.ts";
import { graphEnv, newContact, TestWhatsApp, untilQuiet } from "../../../testkit/messaging.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";

const SOON = { timeout: 90_000, interval: 50 };
const PATH = "/whatsapp-campaigns";
const ALWAYS = { days: [0, 1, 2, 3, 4, 5, 6], from: "00:00", to: "23:59" };

let graph: FakeGraphApi;
let webhooks: TestWebhooks;
let whatsApp: TestWhatsApp;

beforeAll(async () => {
  graph = await FakeGraphApi.start();
  webhooks = await TestWebhooks.start({ env: graphEnv(graph) });
  graph.nowMs = () => webhooks.clock.wallMs();
  whatsApp = await TestWhatsApp.start(webhooks.api, graph, (turn) => turn.done());
  graph.templates.set("reminder", {
    name: "reminder",
    language: "en",
    status: "APPROVED",
    category: "UTILITY",
  });
});
afterAll(async () => {
  whatsApp.close();
  await webhooks.close();
  graph.close();
});

const sentTo = (phone: string) => graph.sent.filter(({ to }) => `+${to.replace("+", "")}` === phone);

async function create(settings: object = {}): Promise<string> {
  const made = await whatsApp.call("POST", PATH, {
    name: "Reminders",
    channelId: whatsApp.channelId,
    template: { name: "reminder", language: "en", parameters: ["name"] },
    hours: ALWAYS,
    messagesPerMinute: 600,
    ...settings,
  });
  expect(made.status).toBe(201);
  return (made.body.data as { id: string }).id;
}

async function read(id: string): Promise<WhatsAppCampaign> {
  return (await whatsApp.call("GET", `${PATH}/${id}`)).body.data as WhatsAppCampaign;
}

async function over(id: string): Promise<WhatsAppCampaign> {
  return vi.waitFor(async () => {
    const campaign = await read(id);
    if (campaign.status === "running" || campaign.status === "draft")
      throw new Error(`it is ${campaign.status}: ${JSON.stringify(campaign.targets)}`);
    return campaign;
  }, SOON);
}

it("sends each target the template once, filled in, and nothing to whoever is on the do-not-call list", async () => {
  const id = await create();
  const [first, second, blocked, bare] = [0, 1, 2, 3].map(() => `+${newContact()}`);
  await whatsApp.call("POST", "/dnc", { numbers: [blocked] });
  const rows = [
    { phone: first, name: "Ada", timezone: "Europe/Amsterdam" },
    { phone: second, name: "Bob", timezone: "Europe/Amsterdam" },
    { phone: blocked, name: "Eve", timezone: "Europe/Amsterdam" },
    { phone: bare, timezone: "Europe/Amsterdam" },
  ];
  const added = await whatsApp.call("POST", `${PATH}/${id}/targets`, { rows });
  expect(added.body.data).toMatchObject({ added: 4, doNotCall: 1 });
  expect((await whatsApp.call("POST", `${PATH}/${id}/start`)).status).toBe(200);
  const done = await over(id);
  expect(done).toMatchObject({
    status: "done",
    targets: { total: 4, done: 4, outcomes: { sent: 2, do_not_call: 1, failed: 1 } },
    messages: { sent: 2, failed: 0 },
  });
  expect(sentTo(first ?? "")).toMatchObject([
    {
      body: {
        type: "template",
        template: {
          name: "reminder",
          components: [{ type: "body", parameters: [{ type: "text", text: "Ada" }] }],
        },
      },
    },
  ]);
  expect([second, blocked, bare].map((phone) => sentTo(phone ?? "").length)).toEqual([1, 0, 0]);
});

it("pauses when WhatsApp refuses one message after the other, and says so", async () => {
  const id = await create({ pauseAfterFailures: 2, messagesPerMinute: 60 });
  // More than late rounds catch up with before the first refusals are told.
  const rows = Array.from({ length: 20 }, () => ({
    phone: `+${newContact()}`,
    name: "Ada",
    timezone: "Europe/Amsterdam",
  }));
  await whatsApp.call("POST", `${PATH}/${id}/targets`, { rows });
  await untilQuiet(webhooks.api);
  graph.faults.push(...rows.map(() => graphError(400, 131026, "Message undeliverable")));
  await whatsApp.call("POST", `${PATH}/${id}/start`);
  const paused = await over(id);
  graph.faults.length = 0;
  expect(paused).toMatchObject({
    status: "paused",
    statusReason: expect.stringContaining("in a row failed"),
  });
  expect(paused.targets.waiting).toBeGreaterThan(0);
  expect((await whatsApp.call("DELETE", `${PATH}/${id}`)).status).toBe(200);
});

it("counts who stopped marketing messages in WhatsApp as one who does not want to be reached, not as a failure", async () => {
  const id = await create({ pauseAfterFailures: 2 });
  const phones = [0, 1, 2].map(() => `+${newContact()}`);
  const rows = phones.map((phone) => ({ phone, name: "Ada", timezone: "Europe/Amsterdam" }));
  await whatsApp.call("POST", `${PATH}/${id}/targets`, { rows });
  await untilQuiet(webhooks.api);
  graph.faults.push(...rows.map(() => graphError(400, 131_050, "User opted out")));
  await whatsApp.call("POST", `${PATH}/${id}/start`);
  expect(await over(id)).toMatchObject({ status: "done", targets: { outcomes: { do_not_call: 3 } } });
  const checked = await whatsApp.call("POST", "/dnc/check", { numbers: phones });
  expect(JSON.stringify(checked.body.data)).toContain(phones[0]);
});

it("fills in blanks with names and that of the header, and tells how far each message came, and why one failed", async () => {
  const template = {
    ...{ name: "reminder", language: "en", header: "order" },
    parameters: [{ name: "customer_name", variable: "name" }],
  };
  const id = await create({ template });
  const [read_, undelivered] = [0, 1].map(() => newContact());
  const rows = [read_, undelivered].map((phone) => ({
    ...{ phone: `+${phone}`, name: "Ada\n  Lovelace", order: 1001, timezone: "Europe/Amsterdam" },
  }));
  await whatsApp.call("POST", `${PATH}/${id}/targets`, { rows });
  await whatsApp.call("POST", `${PATH}/${id}/start`);
  await over(id);
  const [sent] = sentTo(`+${read_}`);
  expect(sent?.body.template).toMatchObject({
    components: [
      { type: "header", parameters: [{ type: "text", text: "1001" }] },
      {
        type: "body",
        parameters: [{ type: "text", parameter_name: "customer_name", text: "Ada   Lovelace" }],
      },
    ],
  });
  const report = async (to: string | undefined, status: string, more: object = {}) => {
    const [message] = sentTo(`+${to}`);
    if (message) await whatsApp.post(graph.status(whatsApp.number, message, status, { ...more }));
  };
  await report(read_, "read");
  await report(undelivered, "failed", { errors: [{ code: 131026, title: "Message undeliverable" }] });
  const { body } = await whatsApp.call("GET", `${PATH}/${id}/targets`);
  expect((body.data as { targets: unknown }).targets).toMatchObject([
    { outcome: "sent", messageStatus: "read", error: null, threadId: expect.stringContaining("thr_") },
    { outcome: "sent", messageStatus: "failed", error: expect.stringMatching(/\w/) },
  ]);
  expect((await read(id)).messages).toEqual({ sent: 1, delivered: 1, read: 1, failed: 1 });
});

it("is changed while it waits, and keeps what was not named", async () => {
  const id = await create();
  const changed = await whatsApp.call("PATCH", `${PATH}/${id}`, { name: "Later", messagesPerMinute: 3 });
  expect(changed.body.data).toMatchObject({
    name: "Later",
    settings: { messagesPerMinute: 3, template: { name: "reminder", parameters: ["name"] }, hours: ALWAYS },
  });
  expect((await whatsApp.call("PATCH", `${PATH}/${id}`, { channelId: "chn_none" })).status).toBe(404);
  expect((await whatsApp.call("PATCH", `${PATH}/${id}`, { pace: 3 })).status).toBe(400);
});

it("that is paused still tells what came of the messages that were on their way", async () => {
  const id = await create({ messagesPerMinute: 1 });
  const phones = [0, 1].map(() => `+${newContact()}`);
  const rows = phones.map((phone) => ({ phone, name: "Ada", timezone: "Europe/Amsterdam" }));
  await whatsApp.call("POST", `${PATH}/${id}/targets`, { rows });
  await whatsApp.call("POST", `${PATH}/${id}/start`);
  await vi.waitFor(() => expect(sentTo(phones[0] ?? "")).toHaveLength(1), SOON);
  await whatsApp.call("POST", `${PATH}/${id}/pause`);
  await vi.waitFor(async () => {
    const { targets } = await read(id);
    expect(targets).toMatchObject({ waiting: 1, calling: 0, done: 1, outcomes: { sent: 1 } });
  }, SOON);
});

it("is not found among campaigns that call, and calls are not among it", async () => {
  const id = await create();
  expect((await whatsApp.call("GET", `/campaigns/${id}`)).status).toBe(404);
  expect((await whatsApp.call("POST", `/campaigns/${id}/start`)).status).toBe(404);
  const unknown = { channelId: "chn_none", template: { name: "x", language: "en" }, name: "x" };
  expect((await whatsApp.call("POST", PATH, unknown)).status).toBe(404);
});
