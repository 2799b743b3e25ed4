import { createHmac } from "node:crypto";
import { EVENT_CATALOG, type EventName } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type FakeGraphApi as Fake, FakeGraphApi } from "../../../testkit/fakes/messaging/graph-api.ts";
import { graphEnv, newContact, TestWhatsApp } from "../../../testkit/messaging.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";
import { INBOUND_CASES, type InboundCase } from "./inbound.cases.ts";
import { HEALTH_CASES, STATUS_CASES } from "./statuses.cases.ts";

type Json = Record<string, unknown>;
const SOON = { timeout: 90_000, interval: 20 };
const SENT_AT = "1795173000";
const AT = "2026-11-20T11:10:00.000Z";

let graph: Fake;
let webhooks: TestWebhooks;
let whatsApp: TestWhatsApp;
let receiver: TestReceiver;

beforeAll(async () => {
  graph = await FakeGraphApi.start();
  webhooks = await TestWebhooks.start({ env: graphEnv(graph) });
  graph.nowMs = () => webhooks.clock.wallMs();
  whatsApp = await TestWhatsApp.start(webhooks.api, graph, (turn) => turn.done());
  await whatsApp.call("PATCH", `/whatsapp-cloud/channels/${whatsApp.channelId}`, { agentId: null });
  receiver = await TestReceiver.answering(200);
  await whatsApp.call("POST", "/webhooks", { url: receiver.url });
});
afterAll(async () => {
  await receiver.close();
  whatsApp.close();
  await webhooks.close();
  graph.close();
});

/** The event's payloads that were delivered, each as its catalog wants it. */
function raised(event: EventName): Json[] {
  const hooks = receiver.received.filter(({ headers }) => headers["x-service-event"] === event);
  return hooks.map(({ body }) => EVENT_CATALOG[event].schema.parse(JSON.parse(body)) as Json);
}

/** How many events of a kind were written down, delivered or not. */
async function written(event: EventName): Promise<number> {
  const rows = await webhooks.api.database.db
    .selectFrom("webhook_deliveries")
    .select("id")
    .where("event", "=", event)
    .execute();
  return rows.length;
}

/** As `JSON.stringify` sends it: without what is undefined. */
const sent = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json;

/** The cases name patterns without vitest's matchers. */
function pattern(value: unknown): unknown {
  const matches: unknown = Reflect.get(Object(value), "matches");
  return matches instanceof RegExp ? expect.stringMatching(matches) : value;
}

const common = (event: string) => ({
  event,
  orgId: whatsApp.person.orgId,
  occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
});

describe("the event of a message", () => {
  interface Posted {
    readonly raw: Json;
    readonly from: string;
  }
  const posted = new Map<InboundCase, Posted>();
  beforeAll(async () => {
    const mediaId = graph.addMedia("application/octet-stream", Buffer.from("bytes")).id;
    for (const one of INBOUND_CASES) {
      const from = newContact();
      const usual = { from, id: `wamid.${from}`, timestamp: SENT_AT };
      const raw = JSON.parse(JSON.stringify({ ...usual, ...one.message }).replace('"MEDIA"', `"${mediaId}"`));
      const contact = { profile: { name: "Ann" }, wa_id: from, ...one.contact };
      const contacts = one.contact === null ? {} : { contacts: [contact] };
      expect(await whatsApp.post(graph.change(whatsApp.number, { ...contacts, messages: [raw] }))).toBe(200);
      posted.set(one, { raw, from });
    }
    const event = "whatsapp.message.received";
    await vi.waitFor(() => expect(raised(event)).toHaveLength(INBOUND_CASES.length), SOON);
  });

  it.each(INBOUND_CASES.map((one) => [one.name, one] as const))("%s", (_, one) => {
    const { raw, from } = posted.get(one) as Posted;
    const { told, message } = one;
    const event = raised("whatsapp.message.received").find(
      (found) => JSON.stringify(found.raw) === JSON.stringify(raw),
    );
    const type = told.type ?? String(message.type);
    const media = told.media && {
      ...told.media,
      error: pattern(told.media.error),
      sizeBytes: told.media.error === null ? 5 : null,
      signedUrl: told.media.error === null ? expect.stringMatching(/^http.*\/media\?expires=/) : null,
      expiresAt: told.media.error === null ? expect.stringMatching(/Z$/) : null,
    };
    expect(event).toEqual({
      ...common("whatsapp.message.received"),
      channelId: whatsApp.channelId,
      channelPhone: null,
      threadId: expect.stringMatching(/^thr_/),
      messageId: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      wamid: pattern(told.wamid ?? `wamid.${from}`),
      from: told.from ?? `+${from}`,
      contactName: told.contactName === undefined ? "Ann" : told.contactName,
      type,
      body: told.body,
      content: told.content === undefined ? raw[type] : told.content,
      media: media ?? null,
      timestamp: pattern(told.timestamp ?? AT),
      raw,
    });
  });
});

describe("the events of a message's statuses", () => {
  const posted = new Map<string, { readonly wamid: string; readonly recipient: string }>();
  beforeAll(async () => {
    for (const { name, statuses } of STATUS_CASES) {
      const recipient = newContact();
      const wamid = `wamid.status-${recipient}`;
      for (const status of statuses) {
        const full = { id: wamid, timestamp: SENT_AT, recipient_id: recipient, ...status };
        expect(await whatsApp.post(graph.change(whatsApp.number, { statuses: [full] }))).toBe(200);
      }
      posted.set(name, { wamid, recipient });
    }
    const count = STATUS_CASES.reduce((sum, { told }) => sum + told.length, 0);
    expect(await written("whatsapp.message.status")).toBe(count);
    await vi.waitFor(() => expect(raised("whatsapp.message.status")).toHaveLength(count), SOON);
  });

  it.each(STATUS_CASES.map((one) => [one.name, one.told] as const))("%s", (name, told) => {
    const { wamid, recipient } = posted.get(name) as { wamid: string; recipient: string };
    const events = raised("whatsapp.message.status").filter((event) => event.wamid === wamid);
    const usual = {
      ...common("whatsapp.message.status"),
      channelId: whatsApp.channelId,
      channelPhone: null,
      wamid,
      recipient: `+${recipient}`,
      timestamp: AT,
      errors: null,
      pricing: null,
      conversation: null,
    };
    const expected = told.map((one) => ({ ...usual, ...one }));
    expect(events).toHaveLength(expected.length);
    // Deliveries of one moment overtake one another.
    expect(events).toEqual(expect.arrayContaining(expected));
  });
});

describe("the events of an account's health", () => {
  it("have what WhatsApp said, of whatever shape, and the number of the account as text", async () => {
    for (const { field, value } of HEALTH_CASES)
      expect(await whatsApp.post(graph.event(whatsApp.number, field, value))).toBe(200);
    const expected = HEALTH_CASES.map(({ field, value = null }) => ({
      ...common("whatsapp.account.health"),
      wabaId: whatsApp.number.businessAccountId,
      field,
      value,
    }));
    await vi.waitFor(() => expect(raised("whatsapp.account.health")).toHaveLength(expected.length), SOON);
    expect(raised("whatsapp.account.health")).toEqual(expect.arrayContaining(expected));
  });
});

describe("a delivery of WhatsApp", () => {
  const textOf = (body: string, id: string): Json =>
    sent({ from: newContact(), id, timestamp: SENT_AT, type: "text", text: { body } });
  const bodies = (): unknown[] => raised("whatsapp.message.received").map(({ body }) => body);

  it("may hold several entries with several changes each, and what is not understood among them", async () => {
    const [one] = (graph.change(whatsApp.number, { messages: [textOf("First entry", "wamid.e1")] }).entry ??
      []) as Json[];
    const changes = [null, { field: 3 }, ...((one?.changes as unknown[]) ?? [])];
    const other = graph.change(whatsApp.number, {
      messages: [7, textOf("Second entry", "wamid.e2"), textOf("And its neighbor", "wamid.e3")],
      statuses: [null, { id: "wamid.e0", status: "sent", timestamp: SENT_AT, recipient_id: "31600000001" }],
    });
    const entry = ["odd", { ...one, changes }, { id: null }, ...(other.entry as Json[])];
    expect(await whatsApp.post({ object: "whatsapp_business_account", entry })).toBe(200);
    await vi.waitFor(
      () =>
        expect(bodies()).toEqual(expect.arrayContaining(["First entry", "Second entry", "And its neighbor"])),
      SOON,
    );
  });

  it("is signed over the bytes as they came: escaped or not, and with spaces", async () => {
    const escaped = (text: string): string =>
      text.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const spaced = (body: unknown): string => JSON.stringify(body, null, 2);
    for (const [words, write] of [
      ["Grüße 😀", (body: unknown) => escaped(JSON.stringify(body))],
      ["Grüße 🎉", (body: unknown) => escaped(spaced(body)).replaceAll("/", "\\/")],
      ["Grüße 🌍", spaced],
    ] as const) {
      const message = textOf(words, `wamid.signed-${words.length}-${words.codePointAt(6)}`);
      const bytes = Buffer.from(write(graph.change(whatsApp.number, { messages: [message] })));
      const signature = createHmac("sha256", whatsApp.number.appSecret).update(bytes).digest("hex");
      const headers = { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` };
      const answer = await fetch(whatsApp.callbackUrl, { method: "POST", headers, body: bytes });
      expect(answer.status).toBe(200);
      await vi.waitFor(() => expect(bodies()).toContain(words), SOON);
    }
  });
});
