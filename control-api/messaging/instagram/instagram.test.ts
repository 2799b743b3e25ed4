import type { Thread, ThreadMessage } from "@parley/shared/contracts/messaging.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type BrainTurn, TestBrain } from "../../../testkit/brain.ts";
import {
  type FakeAccount,
  FakeInstagram,
  instagramError,
} from "../../../testkit/fakes/messaging/instagram.ts";
import { type ConnectedAccount, connectInstagram, untilQuiet } from "../../../testkit/messaging.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";

const SOON = { timeout: 90_000, interval: 20 };
const DAY_MS = 86_400_000;

let instagram: FakeInstagram;
let webhooks: TestWebhooks;
let receiver: TestReceiver;
let brain: TestBrain;
let person: TestPerson;
let account: FakeAccount;
let channel: ConnectedAccount["channel"];
let answer: (turn: BrainTurn) => void;
let contacts = 0;

const echo = (turn: BrainTurn): void => {
  turn.token(`You said: ${turn.request.query}`);
  turn.done();
};
const call = (method: string, path: string, body?: unknown) =>
  person.call(method, `/api/orgs/${person.orgId}${path}`, body);
const newContact = (): string => {
  contacts += 1;
  return `90000000000${contacts}`;
};
const post = (body: unknown): Promise<number> => instagram.post(channel.webhook.callbackUrl, account, body);
const say = (from: string, message: object | string): Promise<number> =>
  post(instagram.inbound(account, from, typeof message === "string" ? { text: message } : { ...message }));

beforeAll(async () => {
  instagram = await FakeInstagram.start();
  webhooks = await TestWebhooks.start({ env: { INTEGRATION_URLS: `instagram=${instagram.url}` } });
  instagram.nowMs = () => webhooks.clock.wallMs();
  person = await TestPerson.register(webhooks.api);
  brain = await TestBrain.start((turn) => answer(turn));
  receiver = await TestReceiver.answering(200);
  await call("POST", "/webhooks", { url: receiver.url });
  const agent = await person.call("POST", "/api/agents", { name: "Anna", brain: { url: brain.url } });
  const { id: agentId } = agent.body.data as { id: string };
  ({ account, channel } = await connectInstagram(person, instagram, agentId));
});
afterAll(async () => {
  await receiver.close();
  brain.close();
  await webhooks.close();
  instagram.close();
});

async function textsTo(contact: string, count: number): Promise<string[]> {
  return vi.waitFor(() => {
    const texts = instagram.textsTo(contact);
    expect(texts.length).toBeGreaterThanOrEqual(count);
    return texts;
  }, SOON);
}

/** The conversation whose newest message begins so. */
async function threadWith(preview: string): Promise<Thread> {
  return vi.waitFor(async () => {
    const { body } = await call("GET", `/whatsapp-hub/threads?channelId=${channel.id}`);
    const found = (body.data as { threads: Thread[] }).threads.find((one) => one.preview === preview);
    if (!found) throw new Error(`there is no conversation whose newest message is ${preview}`);
    return found;
  }, SOON);
}

async function messagesOf(threadId: string): Promise<ThreadMessage[]> {
  const { body } = await call("GET", `/whatsapp-hub/threads/${threadId}/messages`);
  return (body.data as { messages: ThreadMessage[] }).messages;
}

describe("connecting an Instagram account", () => {
  it("asks Instagram whose token it is, subscribes to its messages, and shows where Meta is to post", async () => {
    expect(instagram.subscribed).toContain(account.accountId);
    const { body } = await call("GET", `/instagram/channels/${channel.id}`);
    expect(body.data).toMatchObject({
      kind: "instagram",
      name: "@acme",
      username: "@acme",
      accountId: account.accountId,
      status: "active",
    });
    expect(JSON.stringify(body)).not.toContain(account.accessToken);
    expect(JSON.stringify(body)).not.toContain(account.appSecret);
    const { accessToken, appSecret } = account;
    expect(await call("POST", "/instagram/channels", { accessToken, appSecret })).toMatchObject({
      status: 409,
    });
    const wrong = await call("POST", "/instagram/channels", { accessToken: "nobody's", appSecret });
    expect(wrong).toMatchObject({ status: 400, body: { error: expect.stringContaining("access token") } });
  });

  it("takes no token of another account, and is no number of WhatsApp", async () => {
    const other = instagram.addAccount("other");
    const path = `/instagram/channels/${channel.id}/credentials`;
    const refused = await call("PUT", path, { accessToken: other.accessToken });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("another Instagram") },
    });
    expect((await call("GET", `/whatsapp-cloud/channels/${channel.id}`)).status).toBe(404);
    expect((await call("GET", "/whatsapp-cloud/channels")).body.data).toEqual({ channels: [], total: 0 });
  });

  it("answers Meta's handshake, and takes nothing that is not signed", async () => {
    const query = new URLSearchParams({ "hub.mode": "subscribe", "hub.challenge": "77" });
    query.set("hub.verify_token", channel.webhook.verifyToken);
    expect(await (await fetch(`${channel.webhook.callbackUrl}?${query}`)).text()).toBe("77");
    const body = instagram.event(account, newContact(), { message: { mid: "m", text: "Hi" } });
    expect(await instagram.post(channel.webhook.callbackUrl, { appSecret: "0".repeat(32) }, body)).toBe(403);
    const elsewhere = channel.webhook.callbackUrl.replace("/instagram/", "/whatsapp/");
    expect(await instagram.post(elsewhere, account, body)).toBe(404);
  });
});

describe("a direct message", () => {
  it("is answered by the agent as a session of the channel, in which the contact is the participant's id", async () => {
    const contact = newContact();
    instagram.names.set(contact, "Ann");
    answer = echo;
    await say(contact, "Hello?");
    expect(await textsTo(contact, 1)).toEqual(["You said: Hello?"]);
    const { sessionId, channel: name } = (brain.turns.at(-1) as BrainTurn).request;
    expect(name).toBe("instagram");
    expect(instagram.actions).toContain(`typing_on ${contact}`);
    await vi.waitFor(() => {
      const events = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
      const started = events.find((one) => one.event === "call.started" && one.sessionId === sessionId);
      const about = { channel: "instagram", direction: "instagram", callSid: null, identifier: contact };
      expect(started).toMatchObject({ ...about, fromNumber: null, toNumber: null });
      expect(events.some((one) => one.event === "transcript.ready" && one.sessionId === sessionId)).toBe(
        true,
      );
      expect(events.some((one) => String(one.event).startsWith("whatsapp."))).toBe(false);
    }, SOON);
    await vi.waitFor(
      async () => expect((await threadWith("You said: Hello?")).contactName).toBe("Ann"),
      SOON,
    );
  });

  it("is kept and answered once, however often it is delivered, and shows when ours was read", async () => {
    const contact = newContact();
    answer = echo;
    const body = instagram.inbound(account, contact, { text: "Once" });
    expect(await Promise.all([1, 2, 3].map(() => post(body)))).toEqual([200, 200, 200]);
    expect(await textsTo(contact, 1)).toEqual(["You said: Once"]);
    expect(await post(body)).toBe(200);
    const { id } = await threadWith("You said: Once");
    const sent = instagram.sent.find(({ to }) => to === contact);
    await vi.waitFor(async () => expect((await messagesOf(id)).at(-1)?.status).toBe("sent"), SOON);
    await post(instagram.event(account, contact, { read: { mid: sent?.mid } }));
    expect((await messagesOf(id)).map(({ status }) => status)).toEqual(["received", "read"]);
    const { rows: used } = await sql<{ vendor: string; quantity: string }>`select u.vendor, u.quantity::text
      from usage_rows u join messaging_messages m on u.source = 'message ' || m.id where m.thread_id = ${id}`.execute(
      webhooks.api.database.db,
    );
    expect(used).toEqual([1, 2].map(() => ({ vendor: "instagram", quantity: "1" })));
  });

  it("says what story it replies to, and mentions and shares in words", async () => {
    const contact = newContact();
    answer = echo;
    await say(contact, { text: "Love it", reply_to: { story: { id: "7", url: "https://x/y" } } });
    expect(await textsTo(contact, 1)).toEqual([
      "You said: [The contact replies to a story of this account.] Love it",
    ]);
    await say(contact, { attachments: [{ type: "story_mention", payload: { url: "https://x/z" } }] });
    expect(await textsTo(contact, 2)).toContain(
      "You said: [The contact sent a story that mentions this account]",
    );
    const [first] = await messagesOf((await threadWith((await textsTo(contact, 2))[1] ?? "")).id);
    expect(first).toMatchObject({ body: "Love it", content: { replyTo: { story: { id: "7" } } } });
  });

  it("has its media pulled, a message for each of them, also when Instagram says no type", async () => {
    const contact = newContact();
    answer = echo;
    const picture = instagram.addMedia("image/png", Buffer.from("a picture"));
    await say(contact, {
      attachments: [
        { type: "image", payload: { url: picture } },
        { type: "audio", payload: { url: "https://elsewhere.example/x" } },
        { type: "image", payload: {} },
        7,
      ],
    });
    await say(contact, { attachments: [{ type: "file", payload: { url: "http://127.0.0.1:1/x" } }] });
    const answers = await vi.waitFor(() => {
      const texts = instagram.textsTo(contact);
      expect(texts.at(-1)).toContain("[The contact sent a document]");
      return texts;
    }, SOON);
    expect(answers[0]).toContain("[The contact sent an image]");
    const { id } = await threadWith(answers.at(-1) ?? "");
    const media = (await messagesOf(id)).flatMap((message) => message.media ?? []);
    expect(media.slice(0, 2)).toMatchObject([
      { mimeType: "image/png", error: null, sizeBytes: 9 },
      { isVoice: true, error: "The media are not at an address of Instagram." },
    ]);
    const bytes = await fetch(String(media[0]?.signedUrl));
    expect([bytes.headers.get("content-type"), await bytes.text()]).toEqual(["image/png", "a picture"]);
  });

  it("is emptied when its contact takes it back, and says what it says now when they edit it", async () => {
    const contact = newContact();
    answer = echo;
    await say(contact, { mid: "mid.edited", text: "Tomrrow" });
    await textsTo(contact, 1);
    await post(
      instagram.event(account, contact, {
        message_edit: { mid: "mid.edited", text: "Tomorrow", num_edit: 1 },
      }),
    );
    await say(contact, { mid: "mid.gone", text: "Forget this" });
    await textsTo(contact, 2);
    const { id } = await threadWith("You said: Forget this");
    await post(instagram.event(account, contact, { message: { mid: "mid.gone", is_deleted: true } }));
    const messages = await messagesOf(id);
    expect(messages.find(({ wamid }) => wamid === "mid.edited")?.body).toBe("Tomorrow");
    expect(messages.find(({ wamid }) => wamid === "mid.gone")?.body).toBeNull();
  });

  it("answers 200 to what it does not understand, and tells or answers nothing of it", async () => {
    const contact = newContact();
    answer = echo;
    for (const body of [
      {
        object: "instagram",
        entry: [null, { id: account.accountId }, { id: account.accountId, messaging: [7] }],
      },
      {
        object: "instagram",
        entry: [{ id: account.accountId, changes: [{ field: "comments", value: {} }] }],
      },
      { object: "instagram", entry: [{ id: account.accountId, standby: [{ message: { text: "x" } }] }] },
      instagram.event(account, contact, {}),
      instagram.event(account, contact, { reaction: { mid: "m", action: "react", emoji: "❤" } }),
      instagram.event({ accountId: "17841400000000000" }, contact, {
        message: { mid: "x", text: "not ours" },
      }),
    ])
      expect(await post(body)).toBe(200);
    // What waited for an answer would be answered together with this.
    await say(contact, "Hello");
    expect(await textsTo(contact, 1)).toEqual(["You said: Hello"]);
  });
});

describe("what the account itself sent", () => {
  it("changes nothing when it was ours, also where the answer to the request was lost", async () => {
    const contact = newContact();
    answer = echo;
    await untilQuiet(webhooks.api);
    instagram.faults.push("lost");
    await say(contact, "Lost?");
    await textsTo(contact, 1);
    const { id } = await threadWith("You said: Lost?");
    await vi.waitFor(async () => expect((await messagesOf(id)).at(-1)?.status).toBe("unknown"), SOON);
    const sent = instagram.sent.find(({ to }) => to === contact);
    const told = instagram.echo(account, contact, { mid: sent?.mid, text: sent?.text });
    await post(told);
    await post(told);
    const messages = await messagesOf(id);
    expect(messages).toHaveLength(2);
    expect(messages.at(-1)).toMatchObject({ status: "sent", wamid: sent?.mid });
    expect((await threadWith("You said: Lost?")).mode).toBe("agent");
  });

  it("by a person in Instagram's own app takes the conversation over, until it is handed back", async () => {
    const contact = newContact();
    answer = echo;
    await say(contact, "Anybody?");
    await textsTo(contact, 1);
    await post(instagram.echo(account, contact, { mid: "mid.human", text: "This is Bo." }));
    const thread = await threadWith("This is Bo.");
    expect(thread).toMatchObject({ mode: "member", takenBy: null, channelKind: "instagram" });
    const turns = brain.turns.length;
    await say(contact, "Thanks, Bo");
    expect((await messagesOf(thread.id)).map(({ author }) => author)).toEqual([
      "contact",
      "agent",
      "member",
      "contact",
    ]);
    expect(brain.turns).toHaveLength(turns);
    await call("POST", `/whatsapp-hub/threads/${thread.id}/hand-back`);
    await say(contact, "And now?");
    expect((await textsTo(contact, 2)).at(-1)).toContain("And now?");
  });
});

describe("sending on Instagram", () => {
  it("is not given to who wrote STOP, until they write again", async () => {
    const contact = newContact();
    await say(contact, "Stop");
    const thread = await threadWith("Stop");
    expect(thread).toMatchObject({ isOptedOut: true, mayReply: false });
    const refused = await call("POST", `/whatsapp-hub/threads/${thread.id}/messages`, { text: "Hi" });
    expect(refused.status).toBe(403);
    webhooks.clock.step(2_000);
    await say(contact, "Are you there?");
    expect(await textsTo(contact, 1)).toEqual(["You said: Are you there?"]);
  });

  it("splits long answers to a thousand bytes, at sentences", async () => {
    const contact = newContact();
    const sentence = `${"wörd ".repeat(30)}end. `;
    answer = (turn) => {
      turn.token(sentence.repeat(12));
      turn.done();
    };
    await say(contact, "Tell me everything");
    const texts = await textsTo(contact, 3);
    expect(texts.join(" ")).toBe(sentence.repeat(12).trim());
    expect(texts.every((text) => Buffer.byteLength(text) <= 1_000 && text.endsWith("end."))).toBe(true);
  });

  it("says in words what Instagram refuses, and when the token is over", async () => {
    const contact = newContact();
    answer = echo;
    await untilQuiet(webhooks.api);
    instagram.faults.push(instagramError(403, 10, "outside of allowed window", 2_534_022));
    await say(contact, "Refused?");
    const { id } = await threadWith("You said: Refused?");
    await vi.waitFor(async () => expect((await messagesOf(id)).at(-1)?.status).toBe("failed"), SOON);
    expect((await messagesOf(id)).at(-1)?.errors).toEqual([
      { code: 10, message: expect.stringContaining("more than 24 hours ago") },
    ]);
    const template = { name: "hello", language: "en" };
    const path = `/whatsapp-hub/threads/${id}/messages`;
    expect((await call("POST", path, { template })).status).toBe(400);
    expect((await call("POST", path, { text: "ö".repeat(501) })).status).toBe(400);
    instagram.faults.push(instagramError(401, 190, "Session has expired"));
    await call("POST", path, { text: "Hello" });
    const state = async () => (await call("GET", `/instagram/channels/${channel.id}`)).body.data;
    await vi.waitFor(async () => expect(await state()).toMatchObject({ status: "error" }), SOON);
    await call("POST", `/instagram/channels/${channel.id}/check`);
    expect(await state()).toMatchObject({ status: "active", lastError: null });
  });

  it("closes the window a day after the contact wrote, and exchanges the token long before it is over", async () => {
    const contact = newContact();
    answer = echo;
    await say(contact, "A day ago");
    await textsTo(contact, 1);
    const { id } = await threadWith("You said: A day ago");
    webhooks.clock.pass(DAY_MS);
    const { body } = await person.logIn();
    person.accessToken = (body.data as { tokens: { accessToken: string } }).tokens.accessToken;
    const closed = await call("POST", `/whatsapp-hub/threads/${id}/messages`, { text: "Late" });
    expect(closed).toMatchObject({ status: 409, body: { error: expect.stringContaining("On Instagram") } });

    const tokenNow = async () =>
      (
        await webhooks.api.database.db
          .selectFrom("messaging_channels")
          .select("version")
          .where("id", "=", channel.id)
          .executeTakeFirst()
      )?.version;
    const before = await tokenNow();
    webhooks.clock.pass(21 * DAY_MS);
    await vi.waitFor(async () => expect(await tokenNow()).toBe(Number(before) + 1), SOON);
    await say(contact, "Still there?");
    expect((await textsTo(contact, 2)).at(-1)).toContain("Still there?");
  });
});
