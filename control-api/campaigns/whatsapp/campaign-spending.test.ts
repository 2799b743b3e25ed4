import type { WhatsAppCampaign } from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { newContact, TestWhatsApp } from "../../../testkit/messaging.ts";
import { CENT, type PaidTemplates, startPaidTemplates, TEMPLATE } from "../../../testkit/paid-templates.ts";
import { rebuildSums } from "../../billing/ledger/rebuild.ts";
import { giveCredit } from "../../billing/wallet/credit.ts";

const SOON = { timeout: 90_000, interval: 20 };
const ALWAYS = { days: [0, 1, 2, 3, 4, 5, 6], from: "00:00", to: "23:59" };

let paid: PaidTemplates;
let graph: PaidTemplates["graph"];
let webhooks: PaidTemplates["webhooks"];
let whatsApp: TestWhatsApp;

/** Messages at 10 cents each, and an organization with a WhatsApp number. */
function runsWith(env: Record<string, string>): void {
  beforeAll(async () => {
    paid = await startPaidTemplates(env);
    ({ graph, webhooks } = paid);
  });
  afterAll(() => paid.close());
  beforeEach(async () => {
    whatsApp = await TestWhatsApp.start(webhooks.api, graph, (turn) => turn.done());
    const { orgId } = whatsApp.person;
    await giveCredit(webhooks.api.database, {
      ...{ orgId, amount: 10_000n * CENT, source: "welcome", at: new Date() },
    });
    return () => whatsApp.close();
  });
}

/** A campaign to that many people, not yet started. */
async function create(people: number, settings: object = {}): Promise<string> {
  const about = { name: "Spring", channelId: whatsApp.channelId, template: TEMPLATE, hours: ALWAYS };
  const body = { ...about, messagesPerMinute: 600, ...settings };
  const made = await whatsApp.call("POST", "/whatsapp-campaigns", body);
  expect(made.status).toBe(201);
  const { id } = made.body.data as { id: string };
  if (people > 0) await addPeople(id, people);
  return id;
}

async function addPeople(id: string, people: number): Promise<string[]> {
  const contacts = Array.from({ length: people }, newContact);
  const rows = contacts.map((contact) => ({ phone: `+${contact}`, timezone: "Europe/Amsterdam" }));
  const added = await whatsApp.call("POST", `/whatsapp-campaigns/${id}/targets`, { rows });
  expect(added.status).toBeLessThan(300);
  return contacts;
}

async function start(id: string): Promise<void> {
  expect((await whatsApp.call("POST", `/whatsapp-campaigns/${id}/start`)).status).toBe(200);
}

async function read(id: string): Promise<WhatsAppCampaign> {
  return (await whatsApp.call("GET", `/whatsapp-campaigns/${id}`)).body.data as WhatsAppCampaign;
}

/** The campaign, once it is no longer running and all that it sent is counted. */
function stopped(id: string, sent: number): Promise<WhatsAppCampaign> {
  return vi.waitFor(async () => {
    const campaign = await read(id);
    expect(campaign).toMatchObject({ messages: { sent }, targets: { calling: 0 } });
    expect(["paused", "done"]).toContain(campaign.status);
    return campaign;
  }, SOON);
}

const limit = (scopeId: string, amount: string, more: object = {}) =>
  whatsApp.call("PUT", "/billing/limits", {
    ...{ scope: "campaign", scopeId, period: "day", kind: "hard", amount },
    ...more,
  });

describe("a WhatsApp campaign's spending limit", () => {
  runsWith({ BILLING: "on" });

  it("lets it write to exactly as many people as it covers, then pauses it and says why", async () => {
    const id = await create(30);
    expect(await limit(id, "0.70")).toMatchObject({
      status: 200,
      body: { data: { scope: "campaign", scopeId: id, amount: "0.70", spent: "0.00" } },
    });
    await start(id);
    expect(await stopped(id, 7)).toMatchObject({
      ...{ status: "paused", cost: "0.70", targets: { waiting: 23, done: 7 } },
      statusReason: expect.stringContaining("The campaign's spending limit of 0.70 USD a day is reached"),
    });
    const billing = await whatsApp.call("GET", "/billing");
    expect(billing.body.data).toMatchObject({ limits: [{ scopeId: id, spent: "0.70" }] });

    await limit(id, "0.89");
    await start(id);
    expect(await stopped(id, 8)).toMatchObject({ status: "paused", cost: "0.80" });
  });

  it("is its own: other campaigns, and messages of no campaign, go on", async () => {
    const [id, other] = [await create(2), await create(2)];
    await limit(id, "0");
    await start(id);
    await start(other);
    expect(await stopped(id, 0)).toMatchObject({ status: "paused", cost: "0.00" });
    expect(await stopped(other, 2)).toMatchObject({ status: "done", cost: "0.20" });
    const path = `/whatsapp-cloud/channels/${whatsApp.channelId}/messages`;
    const sent = await whatsApp.call("POST", path, { to: `+${newContact()}`, template: TEMPLATE });
    expect(sent.status).toBe(202);
    await vi.waitFor(async () => {
      const { body } = await whatsApp.call("GET", "/billing");
      expect(body.data).toMatchObject({ spent: { month: "0.30" }, limits: [{ spent: "0.00" }] });
    }, SOON);
    expect(await rebuildSums(webhooks.api.database.db)).toEqual({ balances: 0, days: 0 });
    await webhooks.api.database.db.deleteFrom("campaign_days").where("campaign_id", "=", other).execute();
    expect(await rebuildSums(webhooks.api.database.db)).toEqual({ balances: 0, days: 1 });
  });

  it("that is soft mails the owners once, and stops nothing", async () => {
    const id = await create(4);
    await limit(id, "0.25", { kind: "soft" });
    await start(id);
    expect(await stopped(id, 4)).toMatchObject({ status: "done", cost: "0.40" });
    const warnings = async () => {
      const { body } = await webhooks.api.call("GET", "/dev/outbox.json");
      const texts = JSON.stringify(body).match(
        /The campaign reached its spending limit of 0\.25 USD per day/g,
      );
      return texts?.length;
    };
    await expect.poll(warnings, SOON).toBe(1);
  });

  it("counts a message whose fate is unknown, which WhatsApp may still report as sent", async () => {
    const id = await create(3);
    await limit(id, "0.20");
    graph.faults.push("lost", "lost");
    await start(id);
    expect(await stopped(id, 0)).toMatchObject({
      ...{ status: "paused", targets: { waiting: 1, outcomes: { failed: 2 } } },
      statusReason: expect.stringContaining("0.20 USD a day"),
    });
  });

  it("is not taken up by people who are not written to", async () => {
    const id = await create(0);
    const blocked = await addPeople(id, 20);
    await whatsApp.call("POST", "/dnc", { numbers: blocked.map((contact) => `+${contact}`) });
    await addPeople(id, 2);
    await limit(id, "0.20");
    await start(id);
    expect(await stopped(id, 2)).toMatchObject({
      ...{ status: "done", cost: "0.20", targets: { outcomes: { do_not_call: 20, sent: 2 } } },
    });
  });

  it("of the key that created it holds it, too", async () => {
    const id = await create(3);
    const created = await whatsApp.call("POST", "/api-keys", { name: "CRM", role: "developer" });
    expect(created.status).toBe(201);
    const { id: keyId } = (created.body.data as { key: { id: string } }).key;
    await webhooks.api.database.db
      .updateTable("campaigns")
      .set({ created_by: keyId })
      .where("id", "=", id)
      .execute();
    expect((await limit(keyId, "0.20", { scope: "key" })).status).toBe(200);
    await start(id);
    expect(await stopped(id, 2)).toMatchObject({
      statusReason: expect.stringContaining("The key's spending limit of 0.20 USD a day is reached"),
    });
  });

  it("of a day is over with the day", async () => {
    const id = await create(3);
    await limit(id, "0.20");
    await start(id);
    expect(await stopped(id, 2)).toMatchObject({ status: "paused" });
    webhooks.clock.pass(86_400_000);
    await whatsApp.signInAgain();
    await start(id);
    expect(await stopped(id, 3)).toMatchObject({ status: "done", cost: "0.30" });
    const billing = await whatsApp.call("GET", "/billing");
    expect(billing.body.data).toMatchObject({ limits: [{ scopeId: id, spent: "0.10" }] });
  });
});

describe("a WhatsApp campaign's budget, with billing off", () => {
  runsWith({ BILLING: "off" });

  it("is for all of its time: it pauses before its messages exceed it, and goes on when it is raised", async () => {
    const id = await create(5, { budgetUsd: "0.25" });
    await start(id);
    expect(await stopped(id, 2)).toMatchObject({
      ...{ status: "paused", cost: "0.20", statusReason: "Its budget of $0.25 is used up." },
    });
    await whatsApp.call("PATCH", `/whatsapp-campaigns/${id}`, { budgetUsd: "0.40" });
    await start(id);
    expect(await stopped(id, 4)).toMatchObject({ status: "paused", cost: "0.40" });
    await whatsApp.call("PATCH", `/whatsapp-campaigns/${id}`, { budgetUsd: null });
    await start(id);
    expect(await stopped(id, 5)).toMatchObject({ status: "done", cost: "0.50" });
  });
});
