import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { FakeGraphApi } from "../../../testkit/fakes/messaging/graph-api.ts";
import { graphEnv, TestWhatsApp } from "../../../testkit/messaging.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";

type Json = Record<string, unknown>;
interface Delivery {
  readonly atSecs: number;
  readonly change: Json;
}

const SOON = { timeout: 90_000, interval: 50 };
const DAY_START_SECS = 1_795_132_800;
const DAY_SECS = 86_400;
const CONTACTS = 120;
/** Of the messages of a day, by type; the rest are texts. */
const KINDS: readonly [share: number, message: Json][] = [
  [0.06, { type: "reaction", reaction: { message_id: "wamid.x", emoji: "👍" } }],
  [0.05, { type: "button", button: { payload: "yes", text: "Yes" } }],
  [
    0.05,
    {
      type: "interactive",
      interactive: { type: "button_reply", button_reply: { id: "1", title: "Monday" } },
    },
  ],
  [0.04, { type: "location", location: { latitude: 52.37, longitude: 4.9 } }],
  [0.03, { type: "unsupported", errors: [{ code: 131_051, title: "Message type unknown" }] }],
  [0.02, { type: "order", order: { catalog_id: "1", product_items: [] } }],
];
/** How statuses of a message come: `delivered` may be missing, and some fail. */
const PATHS = [
  ...[
    ["sent", "delivered", "read"],
    ["sent", "delivered", "read"],
    ["sent", "delivered"],
  ],
  ...[["sent", "read"], ["delivered", "read"], ["sent", "failed"], ["failed"]],
];
const RANK: Readonly<Record<string, number>> = { sent: 0, delivered: 1, read: 2, failed: 3 };

let graph: FakeGraphApi;
let webhooks: TestWebhooks;
let whatsApp: TestWhatsApp;
let receiver: TestReceiver;

beforeAll(async () => {
  graph = await FakeGraphApi.start();
  webhooks = await TestWebhooks.start({ env: graphEnv(graph) });
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

/** The same numbers in each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** People write by day, in bursts, with a peak in the evening. */
function secondOfDay(random: () => number): number {
  const around = random() < 0.6 ? 19 : 11;
  const hour = around + (random() + random() + random() - 1.5) * 5;
  return Math.floor(Math.min(23.9, Math.max(6, hour)) * 3_600);
}

function messageOf(random: () => number): Json {
  let left = random();
  for (const [share, message] of KINDS) {
    left -= share;
    if (left < 0) return message;
  }
  return { type: "text", text: { body: `Question ${Math.floor(random() * 1_000)}` } };
}

/** A day of one number: what contacts write, and the statuses of what was sent to them. */
function dayOf(random: () => number) {
  const messages: Delivery[] = [];
  const statuses: Delivery[] = [];
  for (let contact = 0; contact < CONTACTS; contact++) {
    const from = `316${String(10_000_000 + contact)}`;
    let atSecs = DAY_START_SECS + secondOfDay(random);
    const burst = 1 + Math.floor(random() * 6);
    for (let nr = 0; nr < burst; nr++) {
      atSecs += 1 + Math.floor(random() * 90);
      const id = `wamid.${contact}.${nr}`;
      const contacts = [{ profile: { name: `Contact ${contact}` }, wa_id: from, user_id: `NL.${contact}` }];
      const message = { from, id, timestamp: String(atSecs), ...messageOf(random) };
      messages.push({ atSecs, change: { contacts, messages: [message] } });
    }
    const path = PATHS[contact % PATHS.length] ?? [];
    for (const status of path) {
      atSecs += 1 + Math.floor(random() * 600);
      const errors = status === "failed" ? { errors: [{ code: 131_026, title: "Undeliverable" }] } : {};
      const one = {
        id: `wamid.out.${contact}`,
        status,
        timestamp: String(atSecs),
        recipient_id: from,
        ...errors,
      };
      statuses.push({ atSecs, change: { statuses: [one] } });
    }
  }
  return { messages, statuses };
}

/** As Meta delivers it: about in time, some minutes late, a tenth twice or more, several in one request. */
function requestsOf(all: readonly Delivery[], random: () => number): Json[] {
  const often = all.flatMap((one) => (random() < 0.1 ? [one, one, one] : [one]));
  const late = often.map((one) => ({
    ...one,
    atSecs: one.atSecs + random() * (random() < 0.1 ? 3_600 : 60),
  }));
  const inTime = late.toSorted((a, b) => a.atSecs - b.atSecs);
  const { businessAccountId, phoneNumberId } = whatsApp.number;
  const metadata = { display_phone_number: "15550783881", phone_number_id: phoneNumberId };
  const requests: Json[] = [];
  while (inTime.length > 0) {
    const changes = inTime.splice(0, 1 + Math.floor(random() * 4)).map(({ change }) => ({
      field: "messages",
      value: { messaging_product: "whatsapp", metadata, ...change },
    }));
    requests.push({ object: "whatsapp_business_account", entry: [{ id: businessAccountId, changes }] });
  }
  return requests;
}

it("a day of a number's traffic, late, repeated and in batches, raises each message once and no status backwards", async () => {
  const random = seeded(20_261_127);
  const { messages, statuses } = dayOf(random);
  const requests = requestsOf([...messages, ...statuses], random);
  expect(requests.length).toBeGreaterThan(200);
  webhooks.clock.step((DAY_START_SECS + DAY_SECS) * 1_000 - webhooks.clock.wallMs());
  await whatsApp.signInAgain();
  // Meta has several requests under way at once.
  const next = requests.values();
  const send = async (): Promise<void> => {
    for (const request of next) expect(await whatsApp.post(request)).toBe(200);
  };
  await Promise.all([send(), send(), send(), send()]);

  const told = (event: string) =>
    receiver.received
      .filter(({ headers }) => headers["x-service-event"] === event)
      .map(({ body }) => JSON.parse(body) as Json);
  await vi.waitFor(
    () => expect(told("whatsapp.message.received").length).toBeGreaterThanOrEqual(messages.length),
    SOON,
  );
  const wamids = told("whatsapp.message.received").map(({ wamid }) => wamid);
  expect(wamids.toSorted()).toEqual(
    messages.map(({ change }) => (change.messages as { id: string }[])[0]?.id).toSorted(),
  );
  const { rows } = await storedThreads();
  expect(rows).toHaveLength(CONTACTS);
  // Each conversation in the order in which its contact wrote.
  for (const { sent } of rows) expect(sent).toEqual(sent.toSorted((a, b) => a - b));
  const stored = await webhooks.api.database.db
    .selectFrom("messaging_statuses")
    .select(["wamid", "status"])
    .execute();
  const last = new Map(stored.map(({ wamid, status }) => [wamid, status]));
  for (let contact = 0; contact < CONTACTS; contact++) {
    const path = PATHS[contact % PATHS.length] ?? [];
    expect(path.at(-1), `message ${contact}`).toBe(last.get(`wamid.out.${contact}`));
  }
  const raised = Map.groupBy(told("whatsapp.message.status"), ({ wamid }) => wamid);
  for (const [wamid, all] of raised) {
    const ranks = all.map(({ status }) => RANK[String(status)] ?? -1);
    expect(new Set(ranks).size, String(wamid)).toBe(ranks.length);
  }
});

/** When what contacts wrote was sent, as the inbox lists it. */
async function storedThreads() {
  const { db } = webhooks.api.database;
  const threads = await db.selectFrom("messaging_threads").select("id").execute();
  const rows: { sent: number[] }[] = [];
  for (const { id } of threads) {
    const { status, text, body } = await whatsApp.call("GET", `/whatsapp-hub/threads/${id}/messages`);
    if (status !== 200) throw new Error(`the inbox answered ${status}: ${text}`);
    const { messages } = body.data as { messages: { sentAt: string }[] };
    rows.push({ sent: messages.map(({ sentAt }) => Date.parse(sentAt)) });
  }
  return { rows };
}
