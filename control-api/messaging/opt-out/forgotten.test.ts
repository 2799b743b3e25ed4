import type { Thread } from "@parley/shared/contracts/messaging.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { FakeGraphApi } from "../../../testkit/fakes/messaging/graph-api.ts";
import { graphEnv, newContact, TestWhatsApp } from "../../../testkit/messaging.ts";

const SOON = { timeout: 30_000, interval: 20 };
const REMINDER = { name: "reminder", language: "en" };

let api: TestControlApi;
let graph: FakeGraphApi;
let whatsApp: TestWhatsApp;

beforeAll(async () => {
  graph = await FakeGraphApi.start();
  graph.templates.set("reminder", { ...REMINDER, status: "APPROVED", category: "MARKETING" });
  api = await TestControlApi.start({ env: graphEnv(graph), allowPrivateTargets: ["127.0.0.0/8"] });
  whatsApp = await TestWhatsApp.start(api, graph, (turn) => turn.done());
  // Nobody answers, so conversations belong to no session and can be erased at once.
  const path = `/whatsapp-cloud/channels/${whatsApp.channelId}`;
  expect((await whatsApp.call("PATCH", path, { agentId: null })).status).toBe(200);
});
afterAll(async () => {
  whatsApp.close();
  await api.close();
  graph.close();
});

/** What a contact chooses about marketing messages in WhatsApp itself. */
const choose = (value: string, whom: object, seconds = Math.floor(Date.now() / 1_000)) =>
  whatsApp.post(
    graph.event(whatsApp.number, "user_preferences", {
      messaging_product: "whatsapp",
      metadata: { phone_number_id: whatsApp.number.phoneNumberId },
      user_preferences: [
        { ...whom, detail: "", category: "marketing_messages", value, timestamp: String(seconds) },
      ],
    }),
  );
/** A message of somebody who shows only a name. */
const sayAs = (userId: string, text: string) =>
  whatsApp.post(
    graph.change(whatsApp.number, {
      contacts: [{ profile: { name: userId }, user_id: userId }],
      messages: [
        {
          ...{ from_user_id: userId, id: `wamid.${userId}.${text}`, type: "text", text: { body: text } },
          timestamp: String(Math.floor(Date.now() / 1_000)),
        },
      ],
    }),
  );
const threadOf = (name: string): Promise<Thread> =>
  vi.waitFor(async () => {
    const { body } = await whatsApp.call("GET", "/whatsapp-hub/threads?limit=100");
    const { threads } = body.data as { threads: Thread[] };
    const found = threads.find(({ contactName, contactPhone }) => [contactName, contactPhone].includes(name));
    if (!found) throw new Error("there is no conversation yet");
    return found;
  }, SOON);
const onList = async (contact: string) => {
  const { body } = await whatsApp.call("GET", `/dnc?search=${contact}`);
  return (body.data as { numbers: { source: string }[] }).numbers.map(({ source }) => source);
};
const personal = (identifier: string) => `/personal-data?identifier=${encodeURIComponent(identifier)}`;
const kindsOf = async (identifier: string) => (await whatsApp.call("GET", personal(identifier))).body.data;
const erase = async (identifier: string) =>
  (await whatsApp.call("POST", "/personal-data/erase", { identifier })).body.data;
const sendTo = async (contact: string) =>
  (
    await whatsApp.call("POST", `/whatsapp-cloud/channels/${whatsApp.channelId}/messages`, {
      to: `+${contact}`,
      template: REMINDER,
    })
  ).status;
const templateTo = async (thread: Thread) =>
  (await whatsApp.call("POST", `/whatsapp-hub/threads/${thread.id}/messages`, { template: REMINDER })).status;
const everythingStored = async () => {
  const rows = await api.database.db.selectFrom("messaging_choices").select(["address", "wish"]).execute();
  return JSON.stringify(rows);
};

describe("what a contact chose about messages", () => {
  it("is listed and handed out, and after the erasure still counts without a trace of who they are", async () => {
    const contact = newContact();
    await choose("stop", { wa_id: contact, user_id: `US.${contact}` });
    for (const identifier of [`+${contact}`, `US.${contact}`])
      expect(await kindsOf(identifier)).toMatchObject({ kinds: [{ name: "message-choices", count: 1 }] });
    expect(await erase(`+${contact}`)).toMatchObject({ entries: 1 });
    expect(await erase(`US.${contact}`)).toMatchObject({ entries: 1 });
    expect((await whatsApp.call("GET", personal(`US.${contact}`))).status).toBe(404);
    expect(await everythingStored()).not.toContain(contact);
    await sayAs(`US.${contact}`, "Hello again");
    const thread = await threadOf(`US.${contact}`);
    expect(thread).toMatchObject({ isOptedOut: true, mayReply: true });
    expect(await templateTo(thread)).toBe(403);
  });

  it("is forgotten with their conversation, but for a STOP of somebody who shows only a name", async () => {
    const [stopped, resumed] = [`US.${newContact()}`, `US.${newContact()}`];
    await sayAs(stopped, "STOP");
    await choose("resume", { user_id: resumed });
    await sayAs(resumed, "Hello");
    for (const userId of [stopped, resumed]) {
      await threadOf(userId);
      expect(await erase(userId)).toMatchObject({ entries: 1 });
      expect((await whatsApp.call("GET", personal(userId))).status).toBe(404);
      expect(await everythingStored()).not.toContain(userId);
      await sayAs(userId, "Me again");
    }
    expect(await templateTo(await threadOf(stopped))).toBe(403);
    expect(await templateTo(await threadOf(resumed))).toBe(202);
  });

  it("is dropped for good once a member takes the erased number off the list", async () => {
    const contact = newContact();
    await whatsApp.say(contact, "STOP");
    await threadOf(`+${contact}`);
    expect(await erase(`+${contact}`)).toMatchObject({ entries: 1 });
    expect(await everythingStored()).not.toContain(contact);
    expect(await sendTo(contact)).toBe(403);
    expect((await whatsApp.call("DELETE", `/dnc/%2B${contact}`)).status).toBe(200);
    await whatsApp.say(contact, "Hello again");
    expect(await threadOf(`+${contact}`)).toMatchObject({ isOptedOut: false });
    expect(await sendTo(contact)).toBe(202);
  });
});

describe("a number that becomes known after its owner opted out by user id", () => {
  it("joins the list with the message that shows it, as what they did", async () => {
    const [chose, wrote] = [newContact(), newContact()];
    await choose("stop", { user_id: `US.${chose}` });
    await sayAs(`US.${wrote}`, "STOP");
    for (const contact of [chose, wrote]) {
      expect(await onList(contact)).toEqual([]);
      await whatsApp.say(contact, "My number is new to you");
    }
    expect(await onList(chose)).toEqual(["whatsapp"]);
    expect(await onList(wrote)).toEqual(["message"]);
  });

  it("stays off the list once a member took it off, whatever they write", async () => {
    const contact = newContact();
    await choose("stop", { user_id: `US.${contact}` });
    await whatsApp.say(contact, "Hello");
    expect(await onList(contact)).toEqual(["whatsapp"]);
    await whatsApp.call("DELETE", `/dnc/%2B${contact}`);
    await whatsApp.say(contact, "Hello once more");
    expect(await onList(contact)).toEqual([]);
  });
});
