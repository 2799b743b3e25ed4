import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { newContact, TestWhatsApp } from "../../testkit/messaging.ts";
import { CENT, type PaidTemplates, startPaidTemplates, TEMPLATE } from "../../testkit/paid-templates.ts";
import { putLimit } from "../billing/limits/store.ts";
import { giveCredit } from "../billing/wallet/credit.ts";

const SOON = { timeout: 90_000, interval: 20 };

let paid: PaidTemplates;
let graph: PaidTemplates["graph"];
let webhooks: PaidTemplates["webhooks"];
let whatsApp: TestWhatsApp;
beforeAll(async () => {
  paid = await startPaidTemplates({ BILLING: "on" });
  ({ graph, webhooks } = paid);
});
afterAll(() => paid.close());
beforeEach(async () => {
  whatsApp = await TestWhatsApp.start(webhooks.api, graph, (turn) => {
    turn.token("Good morning!");
    turn.done();
  });
  return () => whatsApp.close();
});

const begin = (to = newContact()) =>
  whatsApp.call("POST", `/whatsapp-cloud/channels/${whatsApp.channelId}/messages`, {
    to: `+${to}`,
    template: TEMPLATE,
  });
const credit = (cents: bigint) =>
  giveCredit(webhooks.api.database, {
    orgId: whatsApp.person.orgId,
    amount: cents * CENT,
    source: "welcome",
    at: new Date(),
  });
const suspend = () =>
  webhooks.api.database.db
    .updateTable("billing_accounts")
    .set({ state: "suspended", suspended_at: new Date() })
    .where("org_id", "=", whatsApp.person.orgId)
    .execute();

describe("a template", () => {
  it("is not sent when the balance does not cover it, and says what it costs", async () => {
    const refused = await begin();
    expect(refused).toMatchObject({
      status: 402,
      body: {
        code: "payment_required",
        error: expect.stringContaining("does not cover 0.10 USD, which this message costs"),
        details: { reason: "balance", available: "0.00", needed: "0.10" },
      },
    });
    await credit(10n);
    expect((await begin()).status).toBe(202);
  });

  it("is not sent beyond a hard limit, nor for an account that is suspended", async () => {
    await credit(100n);
    const { orgId } = whatsApp.person;
    const limit = { id: `lim_${orgId}`, orgId, scope: "organization", scopeId: "" } as const;
    await putLimit(webhooks.api.database.db, {
      ...{ ...limit, period: "day", kind: "hard", amount: 5n * CENT, at: new Date() },
    });
    expect(await begin()).toMatchObject({ status: 402, body: { code: "spending_limit_reached" } });
    await putLimit(webhooks.api.database.db, {
      ...{ ...limit, period: "day", kind: "hard", amount: 50n * CENT, at: new Date() },
    });
    expect((await begin()).status).toBe(202);
    await suspend();
    expect(await begin()).toMatchObject({ status: 402, body: { details: { reason: "suspended" } } });
  });
});

it("of two templates asked for at once, as many are sent as the balance covers", async () => {
  await credit(10n);
  const answers = await Promise.all([begin(), begin()]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 402]);
});

it("people may answer in a conversation that goes on, whatever the balance is", async () => {
  const contact = newContact();
  await credit(1n);
  await whatsApp.say(contact, "A person, please");
  await whatsApp.textsTo(contact, 1);
  await suspend();
  const { id } = await webhooks.api.database.db
    .selectFrom("messaging_threads")
    .select("id")
    .where("contact_phone", "=", `+${contact}`)
    .executeTakeFirstOrThrow();
  const path = `/whatsapp-hub/threads/${id}/messages`;
  expect((await whatsApp.call("POST", path, { text: "Here I am." })).status).toBe(202);
  await whatsApp.textsTo(contact, 2);
});

/** A campaign to these people that runs; returns its id. */
async function startCampaign(contacts: readonly string[]): Promise<string> {
  const hours = { days: [0, 1, 2, 3, 4, 5, 6], from: "00:00", to: "23:59" };
  const about = { name: "Spring", channelId: whatsApp.channelId, template: TEMPLATE, hours };
  const made = await whatsApp.call("POST", "/whatsapp-campaigns", { ...about, messagesPerMinute: 600 });
  expect(made.status).toBe(201);
  const { id } = made.body.data as { id: string };
  const people = {
    rows: contacts.map((contact) => ({ phone: `+${contact}`, timezone: "Europe/Amsterdam" })),
  };
  expect((await whatsApp.call("POST", `/whatsapp-campaigns/${id}/targets`, people)).status).toBeLessThan(300);
  expect((await whatsApp.call("POST", `/whatsapp-campaigns/${id}/start`)).status).toBe(200);
  return id;
}

it("a campaign writes to as many people as a hard limit allows, then pauses and says why", async () => {
  await credit(1_000n);
  const { orgId } = whatsApp.person;
  await putLimit(webhooks.api.database.db, {
    ...{ id: `lim_${orgId}`, orgId, scope: "organization", scopeId: "", period: "day" },
    ...{ kind: "hard", amount: 25n * CENT, at: new Date() },
  });
  const contacts = Array.from({ length: 30 }, () => newContact());
  const id = await startCampaign(contacts);
  await vi.waitFor(async () => {
    const { body } = await whatsApp.call("GET", `/whatsapp-campaigns/${id}`);
    expect(body.data).toMatchObject({
      ...{ status: "paused", statusReason: expect.stringContaining("spending limit of 0.25 USD a day") },
      ...{ targets: { waiting: 28 }, messages: { sent: 2 } },
    });
  }, SOON);
  expect(graph.sent.filter(({ to }) => contacts.includes(to))).toHaveLength(2);
});

it("a campaign that cannot be paid for pauses and says why, before anybody is written to", async () => {
  const contact = newContact();
  const id = await startCampaign([contact]);
  await vi.waitFor(async () => {
    const { body } = await whatsApp.call("GET", `/whatsapp-campaigns/${id}`);
    expect(body.data).toMatchObject({ status: "paused" });
    expect(JSON.stringify(body.data)).toContain("which this message costs");
  }, SOON);
  expect(graph.sent.filter(({ to }) => to === contact)).toEqual([]);
});
