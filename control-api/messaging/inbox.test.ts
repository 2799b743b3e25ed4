import { EVENT_CATALOG } from "@parley/shared/contracts/event-catalog/catalog.ts";
import type { Thread, ThreadMessage } from "@parley/shared/contracts/messaging.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { BrainTurn } from "../../testkit/brain.ts";
import { FakeGraphApi, graphError } from "../../testkit/fakes/messaging/graph-api.ts";
import { graphEnv, newContact, TestWhatsApp } from "../../testkit/messaging.ts";
import { TestPerson } from "../../testkit/person.ts";
import { TestReceiver } from "../../testkit/receiver.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

const SOON = { timeout: 90_000, interval: 20 };
const HUB = "/whatsapp-hub/threads";
const DAY_MS = 86_400_000;

let graph: FakeGraphApi;
let webhooks: TestWebhooks;
let whatsApp: TestWhatsApp;
let receiver: TestReceiver;
let answer: (turn: BrainTurn) => void;

const echo = (turn: BrainTurn): void => {
  turn.token(`You said: ${turn.request.query}`);
  turn.done();
};

beforeAll(async () => {
  graph = await FakeGraphApi.start();
  webhooks = await TestWebhooks.start({ env: graphEnv(graph) });
  graph.nowMs = () => webhooks.clock.wallMs();
  whatsApp = await TestWhatsApp.start(webhooks.api, graph, (turn) => answer(turn));
  receiver = await TestReceiver.answering(200);
  await whatsApp.call("POST", "/webhooks", { url: receiver.url, events: ["whatsapp.message.received"] });
});
afterAll(async () => {
  await receiver.close();
  whatsApp.close();
  await webhooks.close();
  graph.close();
});

async function threadOf(contact: string): Promise<Thread> {
  return vi.waitFor(async () => {
    const { body } = await whatsApp.call("GET", HUB);
    const found = (body.data as { threads: Thread[] }).threads.find(
      (one) => one.contactPhone === `+${contact}`,
    );
    if (!found) throw new Error("there is no conversation yet");
    return found;
  }, SOON);
}

async function messagesOf(threadId: string, query = ""): Promise<ThreadMessage[]> {
  const { body } = await whatsApp.call("GET", `${HUB}/${threadId}/messages${query}`);
  return (body.data as { messages: ThreadMessage[] }).messages;
}

const urlIn = (media: unknown): string => String(Reflect.get(Object(media), "signedUrl"));

const eventsOf = (contact: string) =>
  receiver.received
    .map(({ body }) => EVENT_CATALOG["whatsapp.message.received"].schema.parse(JSON.parse(body)))
    .filter(({ from }) => from === `+${contact}`);

describe("messages that are not text", () => {
  it.each([
    [
      "location",
      { location: { latitude: 52.1, longitude: 4.3, name: "The pier" } },
      "The pier",
      "[The contact sent a location: The pier]",
    ],
    [
      "contacts",
      { contacts: [{ name: { formatted_name: "Bo" }, phones: [] }] },
      "Bo",
      "[The contact sent contacts: Bo]",
    ],
    [
      "interactive",
      { interactive: { type: "button_reply", button_reply: { id: "1", title: "Yes" } } },
      "Yes",
      "Yes",
    ],
    ["button", { button: { payload: "P", text: "Stop it" } }, "Stop it", "Stop it"],
    [
      "order",
      { order: { catalog_id: "7", text: "Soon please", product_items: [] } },
      "Soon please",
      "[The contact sent an order: Soon please]",
    ],
    [
      "hologram",
      { hologram: { depth: 3 } },
      null,
      "[The contact sent a message that cannot be shown as text]",
    ],
  ])("%s is told as it came, and to the agent in words", async (type, message, body, words) => {
    const contact = newContact();
    answer = echo;
    await whatsApp.receive(contact, { type, ...message });
    expect(await whatsApp.textsTo(contact, 1)).toEqual([`You said: ${words}`]);
    await vi.waitFor(() => expect(eventsOf(contact)).toHaveLength(1), SOON);
    const content = Object.values(message)[0];
    expect(eventsOf(contact)[0]).toMatchObject({ type, body, content, media: null });
  });

  it.each([
    ["reaction", { reaction: { message_id: "wamid.x", emoji: "👍" } }],
    ["system", { system: { body: "Ann changed her number", type: "user_changed_number", wa_id: "1" } }],
    ["unsupported", { errors: [{ code: 131051, title: "Message type unknown" }] }],
  ])("%s is told and not answered", async (type, message) => {
    const contact = newContact();
    answer = echo;
    await whatsApp.receive(contact, { type, ...message });
    await vi.waitFor(() => expect(eventsOf(contact)).toHaveLength(1), SOON);
    // What waited for an answer would be answered together with this.
    await whatsApp.say(contact, "Hello");
    expect(await whatsApp.textsTo(contact, 1)).toEqual(["You said: Hello"]);
  });

  it("pulls media before anything is told, and serves them by a link that is good for an hour", async () => {
    const contact = newContact();
    answer = echo;
    const media = graph.addMedia("image/jpeg", Buffer.from("a picture"));
    const image = { id: media.id, mime_type: "image/jpeg", sha256: "0", caption: "Our garden" };
    await whatsApp.receive(contact, { type: "image", image });
    expect(await whatsApp.textsTo(contact, 1)).toEqual(["You said: [The contact sent an image: Our garden]"]);
    await vi.waitFor(() => expect(eventsOf(contact)).toHaveLength(1), SOON);
    const [told] = eventsOf(contact);
    expect(told).toMatchObject({
      type: "image",
      body: "Our garden",
      content: image,
      media: { mimeType: "image/jpeg", sizeBytes: 9, signedUrl: expect.any(String), error: null },
      raw: { image },
    });
    const signedUrl = urlIn(told?.media);
    const picture = await fetch(signedUrl);
    expect([picture.headers.get("content-type"), await picture.text()]).toEqual(["image/jpeg", "a picture"]);
    expect((await fetch(signedUrl.replace("expires=1", "expires=2"))).status).toBe(403);
  });

  it("downloads what a browser might run, whatever type its sender gives it", async () => {
    const contact = newContact();
    const media = graph.addMedia("text/html", Buffer.from("<script>alert(1)</script>"));
    const document = { id: media.id, mime_type: "text/html", filename: 'a"b.html' };
    await whatsApp.receive(contact, { type: "document", document });
    await vi.waitFor(() => expect(eventsOf(contact)).toHaveLength(1), SOON);
    const signedUrl = urlIn(eventsOf(contact)[0]?.media);
    const { headers } = await fetch(signedUrl);
    expect(headers.get("content-type")).toBe("application/octet-stream");
    expect(headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''a%22b.html");
  });

  it("says why media are missing when WhatsApp does not have them", async () => {
    const contact = newContact();
    answer = echo;
    await whatsApp.receive(contact, {
      type: "audio",
      audio: { id: "gone", mime_type: "audio/ogg", voice: true },
    });
    await vi.waitFor(() => expect(eventsOf(contact)).toHaveLength(1), SOON);
    const error = expect.stringContaining("no longer exists");
    expect(eventsOf(contact)[0]?.media).toMatchObject({ signedUrl: null, isVoice: true, error });
  });

  it("tells and answers a message without its media when each process that downloaded them was killed", async () => {
    const contact = newContact();
    answer = echo;
    graph.downloadFaults.push(graphError(500, 2, "Service temporarily unavailable"));
    await whatsApp.receive(contact, { type: "audio", audio: { id: "deadly", mime_type: "audio/ogg" } });
    const { db } = webhooks.api.database;
    const jobs = () => db.selectFrom("jobs").select("state").where("kind", "=", "pull_message_media");
    const failed = () => jobs().where("state", "=", "waiting").where("attempts", "=", 1);
    await expect.poll(async () => (await failed().execute()).length, SOON).toBe(1);
    // As if seven processes had died of it.
    await db
      .updateTable("jobs")
      .set({ attempts: 7, due_at: new Date(0) })
      .where("kind", "=", "pull_message_media")
      .where("state", "=", "waiting")
      .execute();
    await vi.waitFor(() => expect(eventsOf(contact)).toHaveLength(1), SOON);
    const error = expect.stringContaining("stopped each time");
    expect(eventsOf(contact)[0]?.media).toMatchObject({ signedUrl: null, error });
    await whatsApp.textsTo(contact, 1);
  });

  it("forgets what a contact takes back, and shows what they changed", async () => {
    const contact = newContact();
    answer = echo;
    await whatsApp.receive(contact, { id: `wamid.${contact}.1`, type: "text", text: { body: "My secret" } });
    await whatsApp.receive(contact, {
      id: `wamid.${contact}.2`,
      type: "text",
      text: { body: "At tne pier" },
    });
    await whatsApp.textsTo(contact, 1);
    const { id } = await threadOf(contact);
    await whatsApp.receive(contact, {
      type: "revoke",
      revoke: { original_message_id: `wamid.${contact}.1` },
    });
    const message = { type: "text", text: { body: "At the pier" } };
    await whatsApp.receive(contact, {
      type: "edit",
      edit: { original_message_id: `wamid.${contact}.2`, message },
    });
    const bodies = (await messagesOf(id)).filter(
      ({ type, direction }) => type === "text" && direction === "in",
    );
    expect(bodies.map(({ body }) => body)).toEqual([null, "At the pier"]);
  });
});

describe("the inbox", () => {
  it("masks what people write by the PII policy, though the agent is told it", async () => {
    const contact = newContact();
    answer = echo;
    await whatsApp.say(contact, "My card is 4111 1111 1111 1111.");
    await whatsApp.textsTo(contact, 1);
    expect(whatsApp.brain.queries.join()).toContain("4111 1111 1111 1111");
    const thread = await threadOf(contact);
    const shown = JSON.stringify([await messagesOf(thread.id), thread]);
    expect(shown).not.toMatch(/4111 ?1111/);
    const rows = await webhooks.api.database.db.selectFrom("messaging_messages").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/4111 ?1111/);
  });

  it("lets a person take a conversation over and hand it back", async () => {
    const contact = newContact();
    answer = echo;
    await whatsApp.say(contact, "Hello");
    await whatsApp.textsTo(contact, 1);
    const { id } = await threadOf(contact);
    const taken = await whatsApp.call("POST", `${HUB}/${id}/take-over`);
    expect(taken.body.data).toMatchObject({
      mode: "member",
      takenBy: whatsApp.person.userId,
      isWindowOpen: true,
    });
    await whatsApp.say(contact, "Is anybody there?");
    expect((await threadOf(contact)).unread).toBe(1);
    expect((await whatsApp.call("POST", `${HUB}/${id}/messages`, { text: "I am." })).status).toBe(202);
    expect(await whatsApp.textsTo(contact, 2)).toEqual(["You said: Hello", "I am."]);
    await whatsApp.call("POST", `${HUB}/${id}/hand-back`);
    await whatsApp.say(contact, "Thank you");
    expect(await whatsApp.textsTo(contact, 3)).toContain("You said: Thank you");
    const messages = await messagesOf(id);
    expect(messages.map(({ author }) => author)).toEqual([
      "contact",
      "agent",
      "contact",
      "member",
      "contact",
      "agent",
    ]);
    const oldest = await messagesOf(id, `?limit=2&before=${messages[2]?.id}`);
    expect(oldest.map(({ body }) => body)).toEqual(["Hello", "You said: Hello"]);
  });

  it("drops the agent's answer when a person takes over while it thinks", async () => {
    const contact = newContact();
    let think: () => void = () => undefined;
    const thinking = new Promise<void>((resolve) => {
      answer = (turn) => {
        think = () => echo(turn);
        resolve();
      };
    });
    await whatsApp.say(contact, "Hello");
    await thinking;
    const { id } = await threadOf(contact);
    await whatsApp.call("POST", `${HUB}/${id}/messages`, { text: "A person here." });
    think();
    await whatsApp.textsTo(contact, 1);
    answer = echo;
    await whatsApp.call("POST", `${HUB}/${id}/messages`, { text: "Still here." });
    expect(await whatsApp.textsTo(contact, 2)).toEqual(["A person here.", "Still here."]);
  });

  it("sends a day after the contact's last message nothing but templates", async () => {
    const contact = newContact();
    answer = echo;
    await whatsApp.say(contact, "Hello");
    await whatsApp.textsTo(contact, 1);
    const { id } = await threadOf(contact);
    webhooks.clock.pass(DAY_MS);
    await whatsApp.signInAgain();
    expect(await threadOf(contact)).toMatchObject({ isWindowOpen: false });
    const late = await whatsApp.call("POST", `${HUB}/${id}/messages`, { text: "Too late" });
    expect(late).toMatchObject({ status: 409, body: { error: expect.stringContaining("Only a template") } });
    graph.templates.set("reminder", {
      name: "reminder",
      language: "en",
      status: "APPROVED",
      category: "UTILITY",
    });
    const template = { name: "reminder", language: "en" };
    expect((await whatsApp.call("POST", `${HUB}/${id}/messages`, { template })).status).toBe(202);
    await whatsApp.textsTo(contact, 2);
    expect(graph.sent.findLast(({ to }) => to === contact)?.body).toMatchObject({
      type: "template",
      template: { name: "reminder", language: { code: "en" }, components: [] },
    });
    const listed = await whatsApp.call("GET", `/whatsapp-cloud/channels/${whatsApp.channelId}/templates`);
    expect(listed.body.data).toMatchObject({ templates: [{ name: "reminder", category: "UTILITY" }] });
  });

  it("begins a conversation with a template, and says in words what WhatsApp refused", async () => {
    const contact = newContact();
    const path = `/whatsapp-cloud/channels/${whatsApp.channelId}/messages`;
    const begun = await whatsApp.call("POST", path, {
      to: `+${contact}`,
      template: { name: "nobody_has", language: "en" },
    });
    const { threadId } = begun.body.data as { threadId: string };
    await vi.waitFor(async () => {
      const [message] = await messagesOf(threadId);
      expect(message).toMatchObject({
        status: "failed",
        errors: [{ code: 132001, message: expect.stringContaining("not approved yet") }],
      });
    }, SOON);
  });

  it("is nobody's of another organization", async () => {
    const stranger = await TestPerson.register(webhooks.api);
    const { id } = await threadOf((await anyContact()).slice(1));
    const path = `/api/orgs/${stranger.orgId}${HUB}/${id}`;
    for (const [method, tail, body] of [
      ["GET", "", undefined],
      ["GET", "/messages", undefined],
      ["POST", "/messages", { text: "Hello" }],
      ["POST", "/take-over", undefined],
      ["POST", "/hand-back", undefined],
      ["POST", "/read", undefined],
    ] as const)
      expect(await stranger.call(method, path + tail, body)).toMatchObject({ status: 404 });
    const listed = await stranger.call("GET", `/api/orgs/${stranger.orgId}${HUB}`);
    expect(listed.body.data).toEqual({ threads: [] });
  });
});

async function anyContact(): Promise<string> {
  const { body } = await whatsApp.call("GET", HUB);
  return (body.data as { threads: Thread[] }).threads[0]?.contactPhone ?? "";
}
