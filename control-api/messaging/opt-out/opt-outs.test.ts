import type { Thread, ThreadMessage } from "@parley/shared/contracts/messaging.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { TestAnswer } from "../../../testkit/control-api.ts";
import { FakeGraphApi, graphError } from "../../../testkit/fakes/messaging/graph-api.ts";
import { graphEnv, newContact, TestWhatsApp, untilQuiet } from "../../../testkit/messaging.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";
import { wishIn } from "./words.ts";

const SOON = { timeout: 90_000, interval: 20 };
/** Between two steps of the clock, work that holds a lease must have the time to renew it. */
const STEPPING = { timeout: 60_000, interval: 500 };
const REMINDER = { name: "reminder", language: "en" };
const REFUSED = { status: 403, reason: "do_not_call" };

let graph: FakeGraphApi;
let webhooks: TestWebhooks;
let whatsApp: TestWhatsApp;

beforeAll(async () => {
  graph = await FakeGraphApi.start();
  graph.templates.set("reminder", { ...REMINDER, status: "APPROVED", category: "MARKETING" });
  webhooks = await TestWebhooks.start({ env: graphEnv(graph) });
  graph.nowMs = () => webhooks.clock.wallMs();
  whatsApp = await TestWhatsApp.start(webhooks.api, graph, (turn) => {
    turn.token(`You said: ${turn.request.query}`);
    turn.done();
  });
});
afterAll(async () => {
  whatsApp.close();
  await webhooks.close();
  graph.close();
});

const threadOf = (contact: string): Promise<Thread> =>
  vi.waitFor(async () => {
    const { body } = await whatsApp.call("GET", "/whatsapp-hub/threads?limit=100");
    const { threads } = body.data as { threads: Thread[] };
    const found = threads.find(({ contactPhone }) => contactPhone === `+${contact}`);
    if (!found) throw new Error("there is no conversation yet");
    return found;
  }, SOON);
const onList = async (contact: string): Promise<boolean> => {
  const { body } = await whatsApp.call("GET", `/dnc?search=${contact}`);
  return (body.data as { total: number }).total > 0;
};
const refusal = ({ status, body }: TestAnswer) => ({
  status,
  reason: Reflect.get(body.details ?? {}, "reason") as unknown,
});
const sendTo = (contact: string) =>
  whatsApp.call("POST", `/whatsapp-cloud/channels/${whatsApp.channelId}/messages`, {
    to: `+${contact}`,
    template: REMINDER,
  });
/** Waits until it is there: what is still to be sent gets the next test's faults. */
const expectTemplate = async (contact: string): Promise<void> => {
  expect((await sendTo(contact)).status).toBe(202);
  await vi.waitFor(() => {
    const types = graph.sent.filter(({ to }) => to === contact).map(({ body }) => body.type);
    expect(types).toContain("template");
  }, SOON);
};
const write = async (contact: string, body: object) =>
  whatsApp.call("POST", `/whatsapp-hub/threads/${(await threadOf(contact)).id}/messages`, body);
/** By the provider's clock. */
const secondsNow = (): number => Math.floor(webhooks.clock.wallMs() / 1_000);
/** The next message comes in a later second, by the provider's clock. */
const laterSay = async (contact: string, text: string): Promise<void> => {
  webhooks.clock.step(2_000);
  await whatsApp.say(contact, text);
};

describe("a contact who asks for no more messages", () => {
  it("is on the list, is not answered, and gets nothing in any way until they write again", async () => {
    const contact = newContact();
    await whatsApp.say(contact, "Hello");
    await whatsApp.textsTo(contact, 1);
    await laterSay(contact, "STOP");
    expect(await onList(contact)).toBe(true);
    expect(await threadOf(contact)).toMatchObject({ isOptedOut: true, mayReply: false, isWindowOpen: true });
    expect(refusal(await write(contact, { text: "Sorry to see you go" }))).toEqual(REFUSED);
    expect(refusal(await write(contact, { template: REMINDER }))).toEqual(REFUSED);
    expect(refusal(await sendTo(contact))).toEqual(REFUSED);
    expect(await threadOf(contact)).toMatchObject({ mode: "agent", unread: 1 });

    await laterSay(contact, "When are you open?");
    expect(await whatsApp.textsTo(contact, 2)).toEqual(["You said: Hello", "You said: When are you open?"]);
    expect((await write(contact, { text: "This is Bo." })).status).toBe(202);
    expect(refusal(await sendTo(contact))).toEqual(REFUSED);
  });

  it("gets everything again once they write START, unless a member put them on the list", async () => {
    const [asked, listed] = [newContact(), newContact()];
    for (const contact of [asked, listed]) await whatsApp.say(contact, "Unsubscribe");
    await whatsApp.call("DELETE", `/dnc/%2B${listed}`);
    await whatsApp.call("POST", "/dnc", { numbers: [`+${listed}`] });
    for (const contact of [asked, listed]) await laterSay(contact, "Start!");
    expect((await sendTo(asked)).status).toBe(202);
    expect(await onList(asked)).toBe(false);
    expect(refusal(await sendTo(listed))).toEqual(REFUSED);
  });

  it("gets everything again once a member takes them off the list", async () => {
    const contact = newContact();
    await whatsApp.say(contact, "stop");
    expect((await whatsApp.call("DELETE", `/dnc/%2B${contact}`)).status).toBe(200);
    expect(await threadOf(contact)).toMatchObject({ isOptedOut: false, mayReply: true });
    expect((await sendTo(contact)).status).toBe(202);
  });

  it("does not get what was waiting to be sent when they asked", async () => {
    const contact = newContact();
    await whatsApp.say(contact, "Hello");
    await whatsApp.textsTo(contact, 1);
    await untilQuiet(webhooks.api);
    graph.pairLimit = 0;
    const [template, text] = [
      await write(contact, { template: REMINDER }),
      await write(contact, { text: "One more thing" }),
    ];
    expect([template.status, text.status]).toEqual([202, 202]);
    await laterSay(contact, "Stop");
    graph.pairLimit = Number.POSITIVE_INFINITY;
    const { id } = await threadOf(contact);
    await vi.waitFor(async () => {
      webhooks.clock.step(60_000);
      const { body } = await whatsApp.call("GET", `/whatsapp-hub/threads/${id}/messages`);
      const { messages } = body.data as { messages: Pick<ThreadMessage, "status" | "errors">[] };
      const last = messages.flatMap(({ status, errors }) => errors.map((error) => ({ status, ...error })));
      const message = expect.stringContaining("asked for no more messages") as string;
      // Only templates are what WhatsApp's code is about.
      expect(last).toEqual([131_050, null].map((code) => ({ status: "failed", code, message })));
    }, STEPPING);
    expect(graph.sent.filter(({ to }) => to === contact)).toHaveLength(1);
  });

  it("and shows only a name is known by it, without a number for the list", async () => {
    const userId = "US.13491208655302741918";
    const from = { from_user_id: userId };
    const inbound = (nr: number, text: string) =>
      whatsApp.graph.change(whatsApp.number, {
        contacts: [{ profile: { name: "Kim" }, user_id: userId }],
        messages: [
          { ...from, id: `wamid.kim${nr}`, timestamp: "1780000000", type: "text", text: { body: text } },
        ],
      });
    await whatsApp.post(inbound(1, "STOP"));
    const thread = await vi.waitFor(async () => {
      const { body } = await whatsApp.call("GET", "/whatsapp-hub/threads?limit=100");
      const { threads } = body.data as { threads: Thread[] };
      const found = threads.find(({ contactName }) => contactName === "Kim");
      if (!found) throw new Error("there is no conversation yet");
      return found;
    }, SOON);
    expect(thread).toMatchObject({ contactPhone: null, isOptedOut: true, mayReply: false });
    const path = `/whatsapp-hub/threads/${thread.id}/messages`;
    expect(refusal(await whatsApp.call("POST", path, { template: REMINDER }))).toEqual(REFUSED);
  });
});

describe("a contact who stops marketing messages in WhatsApp itself", () => {
  const choose = (value: string, whom: object, seconds = secondsNow()) =>
    whatsApp.post(
      graph.event(whatsApp.number, "user_preferences", {
        messaging_product: "whatsapp",
        metadata: { phone_number_id: whatsApp.number.phoneNumberId },
        user_preferences: [
          { ...whom, detail: "", category: "marketing_messages", value, timestamp: String(seconds) },
          { ...whom, category: "something_new", value: "stop" },
          "odd",
        ],
      }),
    );

  it("gets answers only, until they resume them there", async () => {
    const contact = newContact();
    await whatsApp.say(contact, "Hello");
    await whatsApp.textsTo(contact, 1);
    expect(await choose("stop", { wa_id: contact })).toBe(200);
    expect(await onList(contact)).toBe(true);
    expect(await threadOf(contact)).toMatchObject({ isOptedOut: true, mayReply: true });
    expect(refusal(await sendTo(contact))).toEqual(REFUSED);
    expect((await write(contact, { text: "This is Bo." })).status).toBe(202);
    await choose("resume", { wa_id: contact }, secondsNow() + 1);
    expect(await onList(contact)).toBe(false);
    expect(await threadOf(contact)).toMatchObject({ isOptedOut: false });
    await expectTemplate(contact);
  });

  it("is on the list before any conversation, and by their user id where the number is known", async () => {
    const [stranger, known] = [newContact(), newContact()];
    await choose("stop", { wa_id: stranger });
    expect(refusal(await sendTo(stranger))).toEqual(REFUSED);
    await whatsApp.say(known, "Hello");
    await choose("stop", { user_id: `US.${known}` });
    expect(await onList(known)).toBe(true);
  });

  it("is known by their last choice, however late or often each is told", async () => {
    const [contact, now] = [newContact(), secondsNow()];
    await whatsApp.say(contact, "Hello");
    await choose("stop", { wa_id: contact }, now + 2);
    await choose("resume", { user_id: `US.${contact}` }, now + 1);
    expect(await onList(contact)).toBe(true);
    expect(refusal(await sendTo(contact))).toEqual(REFUSED);
    await choose("resume", { user_id: `US.${contact}` }, now + 3);
    await choose("stop", { wa_id: contact }, now + 2);
    const refused = { wamid: "wamid.old", to: contact, body: {} };
    const errors = [{ code: 131_050, title: "User opted out" }];
    await whatsApp.post(
      graph.status(whatsApp.number, refused as never, "failed", { errors, timestamp: String(now) }),
    );
    expect(await onList(contact)).toBe(false);
    await expectTemplate(contact);
  });

  it("gets them again once a member takes them off the list, though the same choice is told again", async () => {
    const [contact, now] = [newContact(), secondsNow()];
    await whatsApp.say(contact, "Hello");
    await choose("stop", { wa_id: contact }, now);
    await whatsApp.call("DELETE", `/dnc/%2B${contact}`);
    await choose("stop", { wa_id: contact }, now);
    expect(await threadOf(contact)).toMatchObject({ isOptedOut: false });
    await expectTemplate(contact);
  });

  it("counts as stopped from the first message on, where only their user id was known", async () => {
    const contact = newContact();
    await choose("stop", { user_id: `US.${contact}` });
    await whatsApp.say(contact, "Hello");
    expect(await whatsApp.textsTo(contact, 1)).toEqual(["You said: Hello"]);
    expect(await threadOf(contact)).toMatchObject({ isOptedOut: true, mayReply: true });
    expect(refusal(await sendTo(contact))).toEqual(REFUSED);
    await laterSay(contact, "Start");
    await expectTemplate(contact);
  });

  it.each([
    ["before", ["choose", "say"]],
    ["after", ["say", "choose"]],
  ])("does not undo a STOP by resuming them, having stopped them %s it", async (_when, steps) => {
    const contact = newContact();
    for (const step of steps)
      await (step === "say" ? whatsApp.say(contact, "STOP") : choose("stop", { wa_id: contact }));
    await choose("resume", { wa_id: contact }, secondsNow() + 1);
    expect(await onList(contact)).toBe(true);
    expect(await threadOf(contact)).toMatchObject({ isOptedOut: true, mayReply: false });
    expect(refusal(await sendTo(contact))).toEqual(REFUSED);
    await laterSay(contact, "Start");
    expect(await onList(contact)).toBe(false);
    await expectTemplate(contact);
  });

  it("stays silent to who had asked for no messages at all", async () => {
    const contact = newContact();
    await whatsApp.say(contact, "STOP");
    await choose("stop", { wa_id: contact });
    expect(await threadOf(contact)).toMatchObject({ isOptedOut: true, mayReply: false });
  });

  it("is on the list once a message to them is refused for it, at once or later", async () => {
    const [atOnce, later] = [newContact(), newContact()];
    await untilQuiet(webhooks.api);
    graph.faults.push(graphError(400, 131_050, "User opted out"));
    await sendTo(atOnce);
    await vi.waitFor(async () => expect(await onList(atOnce)).toBe(true), SOON);
    await sendTo(later);
    const sent = await vi.waitFor(() => {
      const found = graph.sent.find(({ to }) => to === later);
      if (!found) throw new Error("nothing was sent yet");
      return found;
    }, SOON);
    const errors = [{ code: 131_050, title: "User opted out" }];
    await whatsApp.post(graph.status(whatsApp.number, sent, "failed", { errors }));
    for (const contact of [atOnce, later]) {
      expect(await onList(contact)).toBe(true);
      expect(refusal(await sendTo(contact))).toEqual(REFUSED);
    }
  });
});

describe("the words for it", () => {
  it.each(["stop", "STOP.", "Unsubscribe", "Abmelden", "opt-out", "Stop promotions"])(
    "are a message: %s",
    (text) => {
      expect(wishIn(text)).toBe("out");
    },
  );

  it.each(["Start", "UNSTOP"])("in the other direction: %s", (text) => {
    expect(wishIn(text)).toBe("in");
  });

  it.each(["stop by later", "please do not unsubscribe me", "Where is the bus stop?", "start with A", ""])(
    "are not in: %s",
    (text) => {
      expect(wishIn(text)).toBeUndefined();
    },
  );
});
