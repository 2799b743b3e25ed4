import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeGraphApi } from "../../testkit/fakes/messaging/graph-api.ts";
import { graphEnv, newContact, TestWhatsApp } from "../../testkit/messaging.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

const SOON = { timeout: 90_000, interval: 20 };

let graph: FakeGraphApi;
let webhooks: TestWebhooks;
let whatsApp: TestWhatsApp;
/** The agent answers once it resolves. */
let mayAnswer = Promise.resolve();
beforeAll(async () => {
  graph = await FakeGraphApi.start();
  webhooks = await TestWebhooks.start({ env: graphEnv(graph) });
  graph.nowMs = () => webhooks.clock.wallMs();
  whatsApp = await TestWhatsApp.start(webhooks.api, graph, (turn) => {
    void mayAnswer.then(() => {
      turn.token("Good morning!");
      turn.done();
    });
  });
});
afterAll(async () => {
  whatsApp.close();
  await webhooks.close();
  graph.close();
});

/** Rows before the test, of which it sees nothing. */
let before: string[] = [];
const rows = () =>
  webhooks.api.database.db
    .selectFrom("usage_rows")
    .selectAll()
    .where("metric", "=", "messages")
    .where("source", "not in", ["", ...before])
    .execute();
beforeEach(async () => {
  before = [];
  before = (await rows()).map(({ source }) => source);
});

const threadOf = (contact: string) =>
  webhooks.api.database.db
    .selectFrom("messaging_threads")
    .selectAll()
    .where("contact_phone", "=", `+${contact}`)
    .executeTakeFirstOrThrow();

describe("messages of a channel", () => {
  it("each count once, also those that the agent answers together, and are on their conversation's bill", async () => {
    const contact = newContact();
    const { promise, resolve: letAnswer } = Promise.withResolvers<void>();
    mayAnswer = promise;
    for (const text of ["Hello", "are you", "there?"]) await whatsApp.say(contact, text);
    letAnswer();
    await whatsApp.textsTo(contact, 1);
    await vi.waitFor(async () => expect(await rows()).toHaveLength(4), SOON);
    const [sent] = graph.sent.filter(({ to }) => to === contact);
    if (!sent) throw new Error("nothing was sent");
    for (const status of ["sent", "delivered", "read", "delivered"])
      await whatsApp.post(graph.status(whatsApp.number, sent, status));

    const counted = await rows();
    expect(counted).toHaveLength(4);
    for (const row of counted)
      expect(row).toMatchObject({
        ...{ channel: "whatsapp", vendor: "whatsapp", quantity: "1", agent_id: whatsApp.agentId },
        source: expect.stringMatching(/^message msg_/),
      });
    const { session_id } = await threadOf(contact);
    const bill = await whatsApp.call("GET", `/usage/calls/${session_id}`);
    expect(bill.body.data).toMatchObject({
      lines: [{ metric: "messages", vendor: "whatsapp", quantity: 4, amount: "0.00" }],
    });
  });

  it("count for nobody's agent where people write, and templates by a vendor of their own", async () => {
    const contact = newContact();
    await whatsApp.say(contact, "A person, please");
    await whatsApp.textsTo(contact, 1);
    const { id } = await threadOf(contact);
    const text = { text: "Here I am." };
    expect((await whatsApp.call("POST", `/whatsapp-hub/threads/${id}/messages`, text)).status).toBe(202);
    await whatsApp.textsTo(contact, 2);
    graph.templates.set("reminder", {
      name: "reminder",
      language: "en",
      status: "APPROVED",
      category: "UTILITY",
    });
    const template = { name: "reminder", language: "en" };
    const asked = await whatsApp.call("POST", `/whatsapp-hub/threads/${id}/messages`, { template });
    expect(asked.status).toBe(202);
    await vi.waitFor(async () => {
      const counted = (await rows()).map((row) => `${row.vendor} ${row.agent_id === "" ? "-" : "agent"}`);
      expect(counted.toSorted()).toEqual([
        "whatsapp -",
        "whatsapp agent",
        "whatsapp agent",
        "whatsapp-template -",
      ]);
    }, SOON);
  });

  it("that WhatsApp refuses are not counted", async () => {
    const contact = newContact();
    await whatsApp.say(contact, "Hello");
    await whatsApp.textsTo(contact, 1);
    const { id } = await threadOf(contact);
    await vi.waitFor(async () => expect(await rows()).toHaveLength(2), SOON);
    const template = { name: "never-made", language: "en" };
    await whatsApp.call("POST", `/whatsapp-hub/threads/${id}/messages`, { template });
    await vi.waitFor(async () => {
      const failed = await webhooks.api.database.db
        .selectFrom("messaging_messages")
        .select("id")
        .where("thread_id", "=", id)
        .where("status", "=", "failed")
        .execute();
      expect(failed).toHaveLength(1);
    }, SOON);
    expect(await rows()).toHaveLength(2);
  });
});
