import { EVENT_CATALOG, type EventName } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { newId } from "@parley/shared/ids.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { BrainTurn } from "../../testkit/brain.ts";
import { FakeGraphApi, graphError } from "../../testkit/fakes/messaging/graph-api.ts";
import { graphEnv, newContact, TestWhatsApp, untilQuiet } from "../../testkit/messaging.ts";
import { TestPerson } from "../../testkit/person.ts";
import type { ReceivedHook } from "../../testkit/receiver.ts";
import { TestReceiver } from "../../testkit/receiver.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

const SOON = { timeout: 90_000, interval: 20 };

let graph: FakeGraphApi;
let webhooks: TestWebhooks;
let whatsApp: TestWhatsApp;
let receiver: TestReceiver;
let answer: (turn: BrainTurn) => void;

const saying =
  (...texts: string[]) =>
  (turn: BrainTurn): void => {
    for (const text of texts) turn.token(text);
    turn.done();
  };
const echo = (turn: BrainTurn): void => saying(`You said: ${turn.request.query}`)(turn);

beforeAll(async () => {
  graph = await FakeGraphApi.start();
  webhooks = await TestWebhooks.start({ env: graphEnv(graph) });
  graph.nowMs = () => webhooks.clock.wallMs();
  whatsApp = await TestWhatsApp.start(webhooks.api, graph, (turn) => answer(turn));
  receiver = await TestReceiver.answering(200);
  await whatsApp.call("POST", "/webhooks", { url: receiver.url });
});
afterAll(async () => {
  await receiver.close();
  whatsApp.close();
  await webhooks.close();
  graph.close();
});

/** The payloads of an event that were delivered, checked against the catalog. */
function raised(event: EventName): Record<string, unknown>[] {
  const hooks = receiver.received.filter(({ headers }: ReceivedHook) => headers["x-service-event"] === event);
  return hooks.map(
    ({ body }) => EVENT_CATALOG[event].schema.parse(JSON.parse(body)) as Record<string, unknown>,
  );
}

describe("connecting a number", () => {
  it("asks WhatsApp first, subscribes to its account, and shows where Meta is to post", async () => {
    expect(graph.subscribed).toContain(whatsApp.number.businessAccountId);
    const { body } = await whatsApp.call("GET", `/whatsapp-cloud/channels/${whatsApp.channelId}`);
    expect(body.data).toMatchObject({
      kind: "whatsapp",
      name: "Acme",
      phone: "+15550783881",
      status: "active",
      quality: "GREEN",
      webhook: { callbackUrl: whatsApp.callbackUrl, verifyToken: whatsApp.verifyToken },
    });
    expect(JSON.stringify(body)).not.toContain(whatsApp.number.accessToken);
    expect(JSON.stringify(body)).not.toContain(whatsApp.number.appSecret);
  });

  it("says why WhatsApp does not take the credentials, and refuses a number that is connected", async () => {
    const { phoneNumberId, businessAccountId, accessToken, appSecret } = whatsApp.number;
    const given = { phoneNumberId, businessAccountId, accessToken, appSecret };
    const path = "/whatsapp-cloud/channels";
    const wrong = await whatsApp.call("POST", path, { ...given, accessToken: "EAAG-nobody" });
    expect(wrong).toMatchObject({ status: 400, body: { error: expect.stringContaining("access token") } });
    const missing = await whatsApp.call("POST", path, { ...given, phoneNumberId: "10000000" });
    expect(missing).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("phone number ID") },
    });
    expect(await whatsApp.call("POST", path, given)).toMatchObject({ status: 409 });
  });

  it("is nobody's of another organization", async () => {
    const stranger = await TestPerson.register(webhooks.api);
    const path = `/api/orgs/${stranger.orgId}/whatsapp-cloud/channels/${whatsApp.channelId}`;
    for (const [method, tail, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { name: "Mine" }],
      ["POST", "/check", undefined],
      ["DELETE", "", undefined],
      ["PUT", "/credentials", { accessToken: "t" }],
    ] as const)
      expect(await stranger.call(method, path + tail, body)).toMatchObject({ status: 404 });
  });
});

describe("the webhook of a number", () => {
  const verify = (token: string): Promise<Response> => {
    const query = new URLSearchParams({ "hub.mode": "subscribe", "hub.challenge": "1158201444" });
    query.set("hub.verify_token", token);
    return fetch(`${whatsApp.callbackUrl}?${query}`);
  };

  it("answers Meta's handshake with the challenge as plain text, and nobody else's", async () => {
    const good = await verify(whatsApp.verifyToken);
    expect([good.status, await good.text()]).toEqual([200, "1158201444"]);
    expect(good.headers.get("content-type")).toContain("text/plain");
    expect((await verify("guessed")).status).toBe(403);
  });

  it("takes nothing that is not signed by the app over the very bytes", async () => {
    const contact = newContact();
    answer = echo;
    const body = graph.inbound(whatsApp.number, contact, { type: "text", text: { body: "Hi" } });
    expect(await graph.post(whatsApp.callbackUrl, { appSecret: "0".repeat(32) }, body)).toBe(403);
    const unsigned = await fetch(whatsApp.callbackUrl, { method: "POST", body: JSON.stringify(body) });
    expect(unsigned.status).toBe(403);
    const elsewhere = whatsApp.callbackUrl.replace(whatsApp.channelId, newId("chn"));
    expect(await graph.post(elsewhere, whatsApp.number, body)).toBe(404);
    // What waited for an answer would be answered together with this.
    await whatsApp.say(contact, "Hello");
    expect(await whatsApp.textsTo(contact, 1)).toEqual(["You said: Hello"]);
  });

  it("takes what is signed with the secret before, after that was replaced", async () => {
    const path = `/whatsapp-cloud/channels/${whatsApp.channelId}/credentials`;
    const next = "f".repeat(32);
    expect((await whatsApp.call("PUT", path, { appSecret: next })).status).toBe(200);
    const nothing = graph.change(whatsApp.number, {});
    expect(await graph.post(whatsApp.callbackUrl, { appSecret: next }, nothing)).toBe(200);
    expect(await whatsApp.post(nothing)).toBe(200);
  });

  it("answers 200 to what it does not understand, or it would come again for a week", async () => {
    for (const body of [
      { object: "page", entry: [] },
      {
        object: "whatsapp_business_account",
        entry: [null, { id: "1" }, { id: "2", changes: [{ field: 7 }] }],
      },
      graph.change(whatsApp.number, {
        messages: [null, 7],
        statuses: [{ id: 7, status: "read" }, { id: "x" }],
      }),
    ])
      expect(await whatsApp.post(body)).toBe(200);
  });
});

describe("a conversation", () => {
  it("is answered by the agent as a session of the channel, and webhooks tell of it", async () => {
    const contact = newContact();
    answer = saying("Hello", ", I am Anna.");
    await whatsApp.say(contact, "Hello?");
    expect(await whatsApp.textsTo(contact, 1)).toEqual(["Hello, I am Anna."]);
    const { request } = whatsApp.brain.turns.at(-1) as BrainTurn;
    expect(request).toMatchObject({ query: "Hello?", channel: "whatsapp", contact_name: "Ann", turn: 1 });
    expect(graph.typingAt.length).toBeGreaterThan(0);

    const received = () => raised("whatsapp.message.received").find(({ from }) => from === `+${contact}`);
    await expect.poll(received, SOON).toEqual({
      event: "whatsapp.message.received",
      orgId: whatsApp.person.orgId,
      occurredAt: expect.stringMatching(/\.\d{3}Z$/),
      channelId: whatsApp.channelId,
      channelPhone: null,
      threadId: expect.stringMatching(/^thr_/),
      messageId: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      wamid: expect.stringMatching(/^wamid\./),
      from: `+${contact}`,
      contactName: "Ann",
      type: "text",
      body: "Hello?",
      content: null,
      media: null,
      timestamp: expect.stringMatching(/Z$/),
      raw: expect.objectContaining({ from: contact, text: { body: "Hello?" } }),
    });

    answer = echo;
    await whatsApp.say(contact, "A table for two");
    expect(await whatsApp.textsTo(contact, 2)).toContain("You said: A table for two");
    const second = whatsApp.brain.turns.at(-1)?.request;
    expect(second).toMatchObject({ turn: 2, sessionId: request.sessionId });
    const call = await vi.waitFor(async () => {
      const { body } = await whatsApp.call("GET", `/calls?sessionId=${request.sessionId}`);
      const [found] = (body.data as { calls: Record<string, unknown>[] }).calls;
      expect(found).toMatchObject({ channel: "whatsapp", direction: "whatsapp" });
      return found;
    }, SOON);
    expect(call).toMatchObject({
      identifier: `+${contact}`,
      fromNumber: `+${contact}`,
      toNumber: "+15550783881",
    });
    await vi.waitFor(() => {
      const started = raised("call.started").find(({ sessionId }) => sessionId === request.sessionId);
      expect(started).toMatchObject({
        channel: "whatsapp",
        direction: "whatsapp",
        callSid: null,
        identifier: `+${contact}`,
        fromNumber: `+${contact}`,
        from: "+15550783881",
      });
    }, SOON);
  });

  it("keeps and answers a message once, however often it is delivered", async () => {
    const contact = newContact();
    answer = echo;
    const body = graph.inbound(whatsApp.number, contact, { type: "text", text: { body: "Once" } });
    expect(await Promise.all([1, 2, 3].map(() => whatsApp.post(body)))).toEqual([200, 200, 200]);
    expect(await whatsApp.textsTo(contact, 1)).toEqual(["You said: Once"]);
    expect(await whatsApp.post(body)).toBe(200);
    await whatsApp.say(contact, "Twice");
    expect(await whatsApp.textsTo(contact, 2)).toEqual(["You said: Once", "You said: Twice"]);
    await vi.waitFor(() => {
      const events = raised("whatsapp.message.received").filter(({ from }) => from === `+${contact}`);
      expect(events.map((event) => event.body).sort()).toEqual(["Once", "Twice"]);
    }, SOON);
  });

  it("answers what is written in one breath with one answer, also what comes while the agent thinks", async () => {
    const contact = newContact();
    let think: () => void = () => undefined;
    const thinking = new Promise<BrainTurn>((resolve) => {
      answer = (turn) => {
        resolve(turn);
        think = () => echo(turn);
        answer = echo;
      };
    });
    // In one delivery: between two, a busy machine may take longer than the agent waits.
    const [one, other] = ["I would like", "a table"].map((body) =>
      graph.inbound(whatsApp.number, contact, { type: "text", text: { body } }),
    );
    await whatsApp.post({ ...one, entry: [one?.entry, other?.entry].flat() });
    expect((await thinking).request.query).toBe("I would like\na table");
    await whatsApp.say(contact, "for two");
    think();
    expect(await whatsApp.textsTo(contact, 1)).toEqual(["You said: I would like\na table\nfor two"]);
  });

  it("tries again when the brain fails, and the answer comes once", async () => {
    const contact = newContact();
    answer = (turn) => {
      turn.res.writeHead(500).end();
      answer = echo;
    };
    await whatsApp.say(contact, "Are you there?");
    expect(await whatsApp.textsTo(contact, 1)).toEqual(["You said: Are you there?"]);
  });

  it("sends a long answer in parts that end with sentences, in their order", async () => {
    const contact = newContact();
    const sentence = `${"word ".repeat(99)}end. `;
    answer = saying(sentence.repeat(20));
    await whatsApp.say(contact, "Tell me everything");
    const texts = await whatsApp.textsTo(contact, 3);
    expect(texts.join(" ")).toBe(sentence.repeat(20).trim());
    expect(texts.every((text) => text.length <= 4_096 && text.endsWith("end."))).toBe(true);
  });
});

describe("sending", () => {
  it("waits where WhatsApp limits the rate, and sends then, in order", async () => {
    const contact = newContact();
    answer = echo;
    await untilQuiet(webhooks.api);
    graph.faults.push(graphError(400, 131056, "pair rate limit hit"));
    await whatsApp.say(contact, "First");
    await vi.waitFor(() => expect(graph.faults).toEqual([]), SOON);
    expect(graph.textsTo(contact)).toEqual([]);
    webhooks.clock.pass(7_000);
    await whatsApp.say(contact, "Second");
    expect(await whatsApp.textsTo(contact, 2)).toEqual(["You said: First", "You said: Second"]);
  });

  it("never sends again what may have been sent, and a status tells what became of it", async () => {
    const contact = newContact();
    answer = echo;
    await untilQuiet(webhooks.api);
    graph.faults.push("lost");
    await whatsApp.say(contact, "Lost?");
    await whatsApp.textsTo(contact, 1);
    const state = () =>
      webhooks.api.database.db
        .selectFrom("messaging_messages")
        .select(["status", "wamid"])
        .where("body", "=", "You said: Lost?")
        .executeTakeFirst();
    await vi.waitFor(
      async () => expect(await state()).toMatchObject({ status: "unknown", wamid: null }),
      SOON,
    );
    const sent = graph.sent.filter(({ to }) => to === contact);
    expect(sent).toHaveLength(1);
    const [lost] = sent;
    if (!lost) throw new Error("nothing was sent");
    await whatsApp.post(graph.status(whatsApp.number, lost, "delivered"));
    expect(await state()).toEqual({ status: "delivered", wamid: lost.wamid });
  });
});

describe("statuses", () => {
  it("only advance, in the record and in events, which pass on what WhatsApp said", async () => {
    const contact = newContact();
    answer = echo;
    await whatsApp.say(contact, "How far?");
    await whatsApp.textsTo(contact, 1);
    const sent = graph.sent.find(({ to }) => to === contact);
    if (!sent) throw new Error("nothing was sent");
    const pricing = {
      billable: false,
      pricing_model: "PMP",
      type: "free_customer_service",
      category: "service",
    };
    for (const status of ["delivered", "sent", "read", "delivered", "read", "failed", "gone"])
      await whatsApp.post(graph.status(whatsApp.number, sent, status, { pricing }));
    await vi.waitFor(() => {
      const events = raised("whatsapp.message.status").filter(({ wamid }) => wamid === sent.wamid);
      expect(events.map(({ status }) => status).sort()).toEqual(["delivered", "read"]);
      expect(events[0]).toEqual({
        event: "whatsapp.message.status",
        orgId: whatsApp.person.orgId,
        occurredAt: expect.any(String),
        channelId: whatsApp.channelId,
        channelPhone: null,
        wamid: sent.wamid,
        status: expect.any(String),
        recipient: `+${contact}`,
        timestamp: expect.stringMatching(/\.000Z$/),
        errors: null,
        pricing,
        conversation: null,
      });
    }, SOON);
  });
});

describe("the account's health", () => {
  it("is raised as WhatsApp sent it, each time, and shown at the number", async () => {
    const value = {
      event: "DISABLED_UPDATE",
      ban_info: { waba_ban_state: "SCHEDULE_FOR_DISABLE" },
      time: 1_795_173_330,
    };
    const body = graph.event(whatsApp.number, "account_update", value);
    await whatsApp.post(body);
    await whatsApp.post(body);
    await vi.waitFor(() => {
      const events = raised("whatsapp.account.health");
      expect(events).toHaveLength(2);
      expect(events[0]).toEqual({
        event: "whatsapp.account.health",
        orgId: whatsApp.person.orgId,
        occurredAt: expect.any(String),
        wabaId: whatsApp.number.businessAccountId,
        field: "account_update",
        value,
      });
    }, SOON);
    const { body: shown } = await whatsApp.call("GET", `/whatsapp-cloud/channels/${whatsApp.channelId}`);
    expect(shown.data).toMatchObject({ health: { account_update: { value } } });
  });
});
