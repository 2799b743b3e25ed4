import { EVENT_CATALOG, isEventName } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrganization } from "../../testkit/organization.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

/** Other processes have this machine, too. */
const SOON = { timeout: 90_000 };

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await TestWebhooks.start();
});
afterAll(() => webhooks.close());

describe("a call", () => {
  it("is told of from its start to its end, each payload as the catalog has it", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { receiver } = await webhooks.endpoint(organization, {
      includeTranscript: true,
      includeRecording: true,
    });
    const { orgId } = organization;
    const sessionId = await webhooks.startCall(organization);
    await webhooks.happen(sessionId, orgId, { type: "call.started", nodeId: "nod_1", audio: "pcm_s16le" });
    await webhooks.happen(sessionId, orgId, {
      type: "call.message",
      turn: 1,
      role: "user",
      text: "Hello?",
      interrupted: false,
      source: "speech",
    });
    await webhooks.press(sessionId, orgId);
    await webhooks.happen(sessionId, orgId, {
      type: "call.tool_invoked",
      turn: 1,
      name: "book",
      arguments: { people: 2 },
      result: "x".repeat(1_048_577),
      status: "success",
      latencyMs: 3,
    });
    await webhooks.happen(sessionId, orgId, {
      type: "recording.ready",
      recordingId: "rec_1",
      key: "k",
      durationMs: 2_900,
      sizeBytes: 10,
    });
    await webhooks.happen(sessionId, orgId, {
      type: "call.ended",
      reason: "hangup",
      status: "completed",
      durationSecs: 3,
    });
    await expect.poll(() => receiver.received.length, SOON).toBe(6);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    for (const body of bodies) {
      const name = String(body.event);
      if (!isEventName(name)) throw new Error(`${name} is not in the catalog`);
      expect(EVENT_CATALOG[name].schema.parse(body)).toEqual(body);
      expect(body).toMatchObject({
        orgId,
        sessionId,
        agentId: organization.agentId,
        identifier: "customer-7",
      });
    }
    const of = (name: string) => bodies.find(({ event }) => event === name);
    expect(of("call.started")).toMatchObject({
      channel: "web_chat",
      direction: "web",
      userId: organization.userId,
    });
    expect(Object.keys(of("call.started")?.variables as object)).toEqual(
      expect.arrayContaining([
        "current_date",
        "current_datetime",
        "today_date",
        "current_weekday",
        "identifier",
      ]),
    );
    expect(of("transcript.ready")).toMatchObject({ role: "user", text: "Hello?" });
    expect(of("call.dtmf")).toMatchObject({ digit: "5" });
    expect(of("recording.ready")).toMatchObject({
      recordingId: "rec_1",
      durationSecs: 2,
      recording: {
        id: "rec_1",
        url: expect.stringContaining("/api/public/recordings/rec_1?expires="),
        expiresAt: expect.any(String),
      },
    });
    expect(of("tool.invoked")).toMatchObject({
      name: "book",
      arguments: { people: 2 },
      latencyMs: 3,
      status: "error",
      result: { error: expect.stringContaining("1048576") },
    });
    expect(of("call.ended")).toMatchObject({
      endReason: null,
      messageCount: 1,
      durationSecs: 3,
      recording: { id: "rec_1", url: expect.stringContaining("/api/public/recordings/rec_1?expires=") },
      transcript: [{ role: "user", text: "Hello?" }],
    });
  });

  it("is told of with neither recording nor transcript to who did not ask for them", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { receiver } = await webhooks.endpoint(organization, { events: ["call.ended"] });
    const sessionId = await webhooks.startCall(organization);
    await webhooks.happen(sessionId, organization.orgId, {
      type: "call.message",
      turn: 1,
      role: "user",
      text: "é".repeat(9_000),
      interrupted: false,
      source: "text",
    });
    await webhooks.happen(sessionId, organization.orgId, {
      type: "recording.ready",
      recordingId: "rec_2",
      key: "k2",
      durationMs: 2_900,
      sizeBytes: 10,
    });
    await webhooks.happen(sessionId, organization.orgId, {
      type: "call.ended",
      reason: "max_duration",
      status: "completed",
    });
    await expect.poll(() => receiver.received.length, SOON).toBe(1);
    const body = JSON.parse(receiver.received[0]?.body ?? "{}") as object;
    expect(body).toMatchObject({ event: "call.ended", endReason: "max_duration" });
    expect(body).not.toHaveProperty("transcript");
    expect(body).not.toHaveProperty("recording");
  });

  it("has texts of at most 8,000 bytes in its transcript, and never half a character", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { receiver } = await webhooks.endpoint(organization, {
      events: ["call.ended"],
      includeTranscript: true,
    });
    const sessionId = await webhooks.startCall(organization);
    const text = `x${"é".repeat(9_000)}`;
    await webhooks.happen(sessionId, organization.orgId, {
      type: "call.message",
      turn: 1,
      role: "user",
      text,
      interrupted: false,
      source: "text",
    });
    await webhooks.happen(sessionId, organization.orgId, {
      type: "call.ended",
      reason: "hangup",
      status: "completed",
    });
    await expect.poll(() => receiver.received.length, SOON).toBe(1);
    const { transcript } = JSON.parse(receiver.received[0]?.body ?? "{}") as {
      transcript: { text: string }[];
    };
    expect(transcript[0]?.text).toBe(`x${"é".repeat(3_999)}`);
  });

  it("has the last 500 texts in its transcript, and counts all of them", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { orgId } = organization;
    const { receiver } = await webhooks.endpoint(organization, {
      events: ["call.ended"],
      includeTranscript: true,
    });
    const sessionId = await webhooks.startCall(organization);
    const message = { session_id: sessionId, org_id: orgId, turn: 1, interrupted: false, source: "text" };
    const said = Array.from({ length: 502 }, (_, seq) => ({
      ...message,
      event_id: `evt_${sessionId}_${seq}`,
      seq,
      role: seq % 2 === 0 ? ("user" as const) : ("assistant" as const),
      text: `line ${seq}`,
      at: new Date(),
    }));
    await webhooks.api.database.db.insertInto("call_messages").values(said).execute();
    await webhooks.happen(sessionId, orgId, { type: "call.ended", reason: "hangup", status: "completed" });
    await expect.poll(() => receiver.received.length, SOON).toBe(1);
    const { transcript, messageCount } = JSON.parse(receiver.received[0]?.body ?? "{}") as {
      transcript: { role: string; text: string }[];
      messageCount: number;
    };
    expect(transcript.map(({ role, text }) => [role, text])).toEqual(
      said.slice(2).map(({ role, text }) => [role, text]),
    );
    expect(messageCount).toBe(502);
  });

  it("is told to those who subscribed, and of their agent only", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { agentId, keys, orgId } = organization;
    const made = await webhooks.api.call("POST", "/api/agents", {
      key: keys.owner,
      body: { name: "Berta", brain: { url: "https://brain.example/" } },
    });
    const { id: anotherId } = made.body.data as { id: string };
    const all = await webhooks.endpoint(organization);
    const own = await webhooks.endpoint(organization, { events: ["call.dtmf"], agentId });
    const started = await webhooks.endpoint(organization, { events: ["call.started"] });
    const anothers = await webhooks.endpoint(organization, { agentId: anotherId });
    const sessionId = await webhooks.startCall(organization);
    await webhooks.press(sessionId, orgId);
    const ofAnother = await webhooks.startCall({ ...organization, agentId: anotherId });
    await webhooks.press(ofAnother, orgId);
    const told = ({ receiver }: { receiver: { received: readonly { body: string }[] } }) =>
      receiver.received.map(({ body }) => (JSON.parse(body) as { sessionId: string }).sessionId);
    await expect.poll(() => told(all).toSorted(), SOON).toEqual([sessionId, ofAnother].toSorted());
    await expect.poll(() => [told(own), told(anothers)], SOON).toEqual([[sessionId], [ofAnother]]);
    expect(told(started)).toEqual([]);
  });
});
