import type { Thread } from "@parley/shared/contracts/messaging.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { FakeGraphApi } from "../../../testkit/fakes/messaging/graph-api.ts";
import { graphEnv, newContact, TestWhatsApp } from "../../../testkit/messaging.ts";

const SOON = { timeout: 90_000, interval: 20 };
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
const sayAs = (userId: string, text: string, seconds = Math.floor(Date.now() / 1_000)) =>
  whatsApp.post(
    graph.change(whatsApp.number, {
      contacts: [{ profile: { name: userId }, user_id: userId }],
      messages: [
        {
          ...{ from_user_id: userId, id: `wamid.${userId}.${text}`, type: "text", text: { body: text } },
          timestamp: String(seconds),
        },
      ],
    }),
  );
/** A message that shows a contact's number and user id. */
const sayAsBoth = (contact: string, text: string) =>
  whatsApp.post(
    graph.change(whatsApp.number, {
      contacts: [{ profile: { name: "Both" }, wa_id: contact, user_id: `US.${contact}` }],
      messages: [
        {
          ...{ from: contact, from_user_id: `US.${contact}`, type: "text", text: { body: text } },
          ...{ id: `wamid.both.${contact}.${text}`, timestamp: String(Math.floor(Date.now() / 1_000)) },
        },
      ],
    }),
  );
/** A message of somebody whose user id is not told. */
const sayByNumber = (contact: string, text: string) =>
  whatsApp.post(
    graph.change(whatsApp.number, {
      contacts: [{ profile: { name: "By number" }, wa_id: contact }],
      messages: [
        {
          ...{ from: contact, type: "text", text: { body: text }, id: `wamid.number.${contact}.${text}` },
          timestamp: String(Math.floor(Date.now() / 1_000)),
        },
      ],
    }),
  );
/** Somebody who wrote under their number and under their user id, each in a conversation of its own. */
async function writeApart(contact: string): Promise<void> {
  await sayByNumber(contact, "Hello");
  await sayAs(`US.${contact}`, "Hello");
}
const conversationsOf = async (contact: string) => {
  const rows = await api.database.db
    .selectFrom("messaging_threads")
    .select(["contact_phone", "opted_out_at"])
    .where((is) =>
      is.or([is("contact_phone", "=", `+${contact}`), is("contact_user_id", "=", `US.${contact}`)]),
    )
    .orderBy("created_at")
    .execute();
  return rows.map(({ opted_out_at: at }) => (at === null ? "open" : "out"));
};
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
  const choices = await api.database.db.selectFrom("messaging_choices").select(["address", "wish"]).execute();
  const stops = await api.database.db.selectFrom("forgotten_stops").selectAll().execute();
  return JSON.stringify([choices, stops]);
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

describe("a STOP that was written before an erasure", () => {
  it("is still one after it: what is resumed in WhatsApp does not undo it, and START does", async () => {
    const contact = newContact();
    await sayAs(`US.${contact}`, "STOP");
    await choose("resume", { user_id: `US.${contact}` }, Math.floor(Date.now() / 1_000) + 5);
    await threadOf(`US.${contact}`);
    expect(await erase(`US.${contact}`)).toMatchObject({ entries: 1 });
    expect(await everythingStored()).not.toContain(contact);
    await choose("resume", { user_id: `US.${contact}` }, Math.floor(Date.now() / 1_000) + 10);
    await sayAs(`US.${contact}`, "Hello again", Math.floor(Date.now() / 1_000) + 2);
    const thread = await threadOf(`US.${contact}`);
    expect(thread).toMatchObject({ isOptedOut: true, mayReply: true });
    expect(await templateTo(thread)).toBe(403);
    await sayAs(`US.${contact}`, "START");
    expect(await templateTo(thread)).toBe(202);
  });

  it("is known by the number, too, and START under one address is for both", async () => {
    const contact = newContact();
    await sayAsBoth(contact, "STOP");
    await threadOf(`+${contact}`);
    expect(await erase(`+${contact}`)).toMatchObject({ entries: 1 });
    await sayAs(`US.${contact}`, "Hello again");
    expect(await threadOf(`US.${contact}`)).toMatchObject({ isOptedOut: true });
    await sayAs(`US.${contact}`, "START");
    await whatsApp.say(contact, "Hello from my number");
    expect(await threadOf(`+${contact}`)).toMatchObject({ isOptedOut: false });
  });
});

describe("a contact with two conversations", () => {
  it("wants no more messages in both, once it is known that they are one", async () => {
    const contact = newContact();
    await writeApart(contact);
    await sayAs(`US.${contact}`, "STOP");
    expect(await conversationsOf(contact)).toEqual(["open", "out"]);
    expect(await onList(contact)).toEqual([]);
    await sayAsBoth(contact, "It is me");
    expect(await conversationsOf(contact)).toEqual(["out", "out"]);
    expect(await onList(contact)).toEqual(["message"]);
    expect(await sendTo(contact)).toBe(403);
  });

  it("is heard under either address from then on: STOP by one, START by the other", async () => {
    const contact = newContact();
    await writeApart(contact);
    await sayAsBoth(contact, "It is me");
    await sayAs(`US.${contact}`, "STOP");
    expect(await conversationsOf(contact)).toEqual(["out", "out"]);
    expect(await onList(contact)).toEqual(["message"]);
    await sayByNumber(contact, "START");
    expect(await conversationsOf(contact)).toEqual(["open", "open"]);
    expect(await onList(contact)).toEqual([]);
    await sayByNumber(contact, "Stop!");
    expect(await conversationsOf(contact)).toEqual(["out", "out"]);
    expect(await templateTo(await threadOf(`US.${contact}`))).toBe(403);
    expect((await whatsApp.call("DELETE", `/dnc/%2B${contact}`)).status).toBe(200);
    expect(await conversationsOf(contact)).toEqual(["open", "open"]);
  });

  it("stops marketing messages of both by what they choose in WhatsApp under one", async () => {
    const contact = newContact();
    await writeApart(contact);
    await choose("stop", { user_id: `US.${contact}` });
    expect(await onList(contact)).toEqual([]);
    await sayAsBoth(contact, "It is me");
    expect(await onList(contact)).toEqual(["whatsapp"]);
    expect(await sendTo(contact)).toBe(403);
    await choose("resume", { user_id: `US.${contact}` }, Math.floor(Date.now() / 1_000) + 5);
    expect(await onList(contact)).toEqual([]);
    expect(await sendTo(contact)).toBe(202);
  });
});
