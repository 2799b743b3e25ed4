import { EVENT_CATALOG } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { verifyBody } from "@parley/shared/security/signatures.ts";
import { expect, it, onTestFinished, vi } from "vitest";
import { COLLEAGUE, SOON_MS, TestCarriers } from "../testkit/carriers.ts";
import { type ChatModel, startFakeChat } from "../testkit/fakes/chat-completions.ts";
import { joined } from "../testkit/fakes/speech/fake-speech.ts";
import { flowOf } from "../testkit/flows.ts";
import { TestReceiver } from "../testkit/receiver.ts";
import { keysIn } from "../testkit/softphones.ts";

/** Presses keys when it is told one, and hands over when it is told two. */
const model: ChatModel = ({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === "tool") return { text: "Done." };
  if (last?.content === "DTMF: 1#") return { calls: [{ name: "play_keys", arguments: '{"digits":"42"}' }] };
  return { text: "Bye.", calls: [{ name: "transfer", arguments: '{"destination":"sales"}' }] };
};

async function startCarriers(): Promise<TestCarriers> {
  const fake = await startFakeChat({ model });
  onTestFinished(() => fake.close());
  const sales = { kind: "transfer", destinations: [{ name: "sales", number: COLLEAGUE }] };
  const tools = [{ kind: "play_keys" }, sales];
  const brain = { kind: "model", model: "m", prompt: "Be kind.", url: fake.url, tools };
  const carriers = await TestCarriers.start({ settings: { brain } });
  onTestFinished(() => carriers.close());
  return carriers;
}

/** Somebody who is told of an organization's tools. */
async function listenTo({ telephony: { api, organization } }: TestCarriers) {
  const receiver = await TestReceiver.answering();
  onTestFinished(() => receiver.close());
  const registered = await api.call("POST", `/api/orgs/${organization.orgId}/webhooks`, {
    key: organization.keys.owner,
    body: { url: receiver.url, events: ["tool.invoked"] },
  });
  expect(registered.status, registered.text).toBe(201);
  const { signing_secret: secret } = registered.body.data as { signing_secret: string };
  return { receiver, secret };
}

it("A model that presses keys and transfers on the phone does both, and webhooks tell of its tools", async () => {
  const carriers = await startCarriers();
  const { receiver, secret } = await listenTo(carriers);
  const row = carriers.row("twilio");
  const { sessionId, call, phone } = await carriers.talking(row);

  phone.press("1#");
  await vi.waitFor(() => expect(keysIn(joined(phone.heard))).toBe("42"), SOON_MS);
  await carriers.said(sessionId, "Done.");
  phone.press("2#");
  await row.company.handsOver(call, COLLEAGUE);
  const record = await carriers.telephony.untilStatus(sessionId, "completed");
  expect(record.endReason).toBe("transferred");

  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), SOON_MS);
  for (const { headers, body } of receiver.received)
    expect(verifyBody(secret, body, String(headers["x-service-signature"]))).toBe(true);
  const { orgId, agentId } = carriers.telephony.organization;
  const told = receiver.received.map(({ body }) =>
    EVENT_CATALOG["tool.invoked"].schema.parse(JSON.parse(body)),
  );
  const common = {
    event: "tool.invoked",
    orgId,
    agentId,
    sessionId,
    identifier: null,
    occurredAt: expect.any(String),
    result: { ok: true },
    status: "success",
    latencyMs: expect.any(Number),
  };
  expect(told).toEqual([
    { ...common, name: "play_keys", arguments: { digits: "42" } },
    { ...common, name: "transfer", arguments: { destination: "sales" } },
  ]);
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual(told);
});

it("A flow that transfers on the phone goes on at another node when nobody takes the call, and ends when somebody does", async () => {
  const anotherDesk = "+12025550191";
  const key = { type: "collect", save: "key", minDigits: 1, maxDigits: 1, no_answer: "bye" };
  const flow = flowOf({
    choose: { ...key, text: "Press one for a person.", next: "desk" },
    desk: { type: "transfer", text: "One moment.", to: COLLEAGUE, failed: "again" },
    again: { ...key, text: "They are busy. Press one for another desk.", next: "other" },
    other: { type: "transfer", text: "One moment.", to: anotherDesk, failed: "bye" },
    bye: { type: "end", text: "Bye." },
  });
  const carriers = await TestCarriers.start({ settings: { brain: { kind: "flow", flow } } });
  onTestFinished(() => carriers.close());
  const row = carriers.row("twilio");
  const { sessionId, call, phone } = await carriers.talking(row);

  phone.press("1");
  const back = await row.company.comesBack(call, COLLEAGUE, "busy");
  await carriers.said(sessionId, "They are busy. Press one for another desk.");
  back.press("1");
  await row.company.handsOver(call, anotherDesk);
  const record = await carriers.telephony.untilStatus(sessionId, "completed");
  expect(record.endReason).toBe("transferred");
  expect(record.path).toMatchObject([
    ...[{ node: "choose" }, { node: "desk" }, { node: "again" }, { node: "other" }],
  ]);
  expect([...phone.faults, ...back.faults]).toEqual([]);
});
