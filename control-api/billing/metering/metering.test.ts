import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lentDatabase } from "../../../testkit/lent-database.ts";
import { createOrganization, type TestOrganization } from "../../../testkit/organization.ts";
import { startSubscriptions, type TestSubscriptions } from "../../../testkit/subscriptions.ts";
import type { Databases } from "../../database/open.ts";
import { metersCalls } from "./meter-calls.ts";

const AT = "2026-11-22T23:59:30.000Z";
const LATER = "2026-11-23T00:01:31.000Z";

let database: Databases;
let metering: TestSubscriptions;
let org: TestOrganization;
let nr = 0;
const clock = new ManualClock();
beforeAll(async () => {
  database = await lentDatabase();
  metering = await startSubscriptions([metersCalls({ isOn: false, clock })], { database, clock });
});
afterAll(async () => {
  await metering.stop();
  await database.close();
});
beforeEach(async () => {
  org = await createOrganization(database, {
    stt: [{ vendor: "client" }, { vendor: "deepgram" }],
    tts: [{ vendor: "elevenlabs" }],
  });
});

const price = (line: {
  metric: string;
  micros: number;
  per: number;
  vendor?: string;
  orgId?: string;
  from?: string;
}) =>
  database.db
    .insertInto("prices")
    .values({
      id: `prc_${++nr}`,
      org_id: line.orgId ?? org.orgId,
      metric: line.metric,
      vendor: line.vendor ?? "",
      micros: BigInt(line.micros),
      per: BigInt(line.per),
      from_at: line.from ?? "2026-01-01T00:00:00Z",
      created_at: "2026-01-01T00:00:00Z",
    })
    .execute();

async function startCall(
  of: { channel?: string; carrier?: string; agentId?: string | null } = {},
): Promise<string> {
  const sessionId = `ses_${++nr}`;
  const { channel = "telephony", carrier = null, agentId = org.agentId } = of;
  await database.db
    .insertInto("calls")
    .values({
      id: `cal_${nr}`,
      session_id: sessionId,
      org_id: org.orgId,
      agent_id: agentId,
      agent_version: null,
      user_id: org.userId,
      identifier: null,
      variables: "{}",
      node_id: "nod_1",
      channel,
      direction: "outbound",
      from_number: null,
      to_number: null,
      carrier,
      call_sid: null,
      answered_by: null,
      machine_detection: null,
      transfer_id: null,
      transfer: null,
      end_reason: null,
      created_at: AT,
      started_at: AT,
      ended_at: null,
      duration_secs: null,
      content_deleted_at: null,
    })
    .execute();
  return sessionId;
}

const event = (sessionId: string, body: object): CallEvent =>
  ({ id: `evt_${++nr}`, sessionId, orgId: org.orgId, seq: nr, at: AT, ...body }) as CallEvent;
const said = (sessionId: string, role: string, text: string) =>
  event(sessionId, { type: "call.message", turn: 1, role, text, interrupted: false, source: "speech" });
const ended = (sessionId: string, more: object = {}) =>
  event(sessionId, { type: "call.ended", reason: "hangup", status: "completed", at: LATER, ...more });

const used = async () => {
  const rows = await database.db
    .selectFrom("usage_rows")
    .select(["metric", "vendor", "quantity", "amount"])
    .where("org_id", "=", org.orgId)
    .orderBy("at")
    .orderBy("metric")
    .orderBy("vendor")
    .execute();
  return rows.map(({ metric, vendor, quantity, amount }) => `${metric} ${vendor} ${quantity} ${amount}`);
};

describe("a phone call of an agent", () => {
  it("uses call seconds, recognized seconds and the characters that were spoken, each at its vendor's price", async () => {
    await price({ metric: "call_seconds", micros: 10_000, per: 60 });
    await price({ metric: "call_seconds", vendor: "telnyx", micros: 6_000, per: 60 });
    await price({ metric: "tts_characters", micros: 15_000, per: 1_000 });
    const sessionId = await startCall({ carrier: "telnyx" });
    await metering.record([
      said(sessionId, "assistant", "Grüße 👋!"),
      said(sessionId, "user", "Hello, is anybody there?"),
      ended(sessionId),
    ]);
    await expect
      .poll(used)
      .toEqual([
        "tts_characters elevenlabs 8 120",
        "call_seconds telnyx 121 12100",
        "stt_seconds deepgram 121 0",
      ]);
  });

  it("is counted once, when its end is told by two and each event twice", async () => {
    const sessionId = await startCall();
    const events = [said(sessionId, "assistant", "Hello"), ended(sessionId, { durationSecs: 30 })];
    await metering.record(events);
    await metering.record([ended(sessionId, { durationSecs: 31 })]);
    const { handle } = metersCalls({ isOn: false, clock });
    const recorded = events.map((one) => ({ event: one, recordedAt: new Date() }));
    await database.db.transaction().execute((trx) => handle(trx, recorded));
    await metering.record([said(sessionId, "assistant", "Bye")]);
    await expect
      .poll(used)
      .toEqual([
        "tts_characters elevenlabs 5 0",
        "tts_characters elevenlabs 3 0",
        "call_seconds telephony 30 0",
        "stt_seconds deepgram 30 0",
      ]);
    const days = await database.db
      .selectFrom("usage_days")
      .select(["metric", "quantity"])
      .where("org_id", "=", org.orgId)
      .orderBy("metric")
      .execute();
    expect(days).toEqual([
      { metric: "call_seconds", quantity: "30" },
      { metric: "stt_seconds", quantity: "30" },
      { metric: "tts_characters", quantity: "8" },
    ]);
  });

  it("costs what was in force when it happened, and its organization's own price before the general one", async () => {
    await price({ metric: "call_seconds", orgId: "", micros: 99, per: 1, from: "2026-10-01T00:00:00Z" });
    await price({ metric: "call_seconds", micros: 2, per: 1, from: "2026-01-01T00:00:00Z" });
    await price({ metric: "call_seconds", micros: 3, per: 1, from: "2026-11-23T00:00:00Z" });
    await price({ metric: "call_seconds", micros: 4, per: 1, from: "2026-11-23T00:02:00Z" });
    const sessionId = await startCall({ channel: "softphone", agentId: null });
    await metering.record([ended(sessionId, { durationSecs: 10 })]);
    await expect.poll(used).toEqual(["call_seconds softphone 10 30"]);
  });
});

it("a model's tokens cost what its vendor's do; those of a service that the organization pays cost nothing", async () => {
  await price({ metric: "llm_input_tokens", micros: 150, per: 1_000 });
  await price({ metric: "llm_output_tokens", vendor: "large", micros: 600, per: 1_000 });
  const sessionId = await startCall();
  const asked = (model: string, isOwn: boolean) =>
    event(sessionId, {
      ...{ type: "call.tokens_used", turn: 1, model, isOwn },
      ...{ inputTokens: 2_000, outputTokens: 100 },
    });
  await metering.record([asked("large", false), asked("large", false), asked("large", true)]);
  await expect
    .poll(used)
    .toEqual([
      ...Array.from({ length: 2 }, () => "llm_input_tokens large 2000 300"),
      "llm_input_tokens own 2000 0",
      ...Array.from({ length: 2 }, () => "llm_output_tokens large 100 60"),
      "llm_output_tokens own 100 0",
    ]);
});

it("a chat uses messages, a call that nobody answered nothing", async () => {
  const [chat, missed] = [await startCall({ channel: "chat" }), await startCall()];
  await database.db.updateTable("calls").set({ started_at: null }).where("session_id", "=", missed).execute();
  await metering.record([
    ended(missed, { status: "no-answer" }),
    said(chat, "user", "Hi"),
    said(chat, "assistant", "Hello"),
    ended(chat, { durationSecs: 600 }),
  ]);
  await expect.poll(used).toEqual(["messages chat 1 0", "messages chat 1 0"]);
});

it("what was used and what it costs is never changed", async () => {
  await price({ metric: "call_seconds", micros: 2, per: 1 });
  const sessionId = await startCall();
  await metering.record([ended(sessionId, { durationSecs: 1 })]);
  await expect.poll(used).toHaveLength(2);
  await expect(database.db.updateTable("usage_rows").set({ amount: 0n }).execute()).rejects.toThrow(
    "never changed",
  );
  await expect(database.db.deleteFrom("usage_rows").execute()).rejects.toThrow("never changed");
  await expect(database.db.updateTable("prices").set({ micros: 0n }).execute()).rejects.toThrow(
    "never changed",
  );
});
