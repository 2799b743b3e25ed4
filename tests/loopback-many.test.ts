// Real time: two hundred calls run at once and are paced frame by frame.
import { readWav } from "@parley/media/wav/wav-reader.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestReceiver } from "../testkit/receiver.ts";
import { TestTelephony } from "../testkit/telephony.ts";

const CALLS = 200;

let telephony: TestTelephony;
let receiver: TestReceiver;
beforeAll(async () => {
  telephony = await TestTelephony.start({
    answer: "Yes.",
    env: { MAX_CALLS: "300", FLITE_THREADS: "2" },
    settings: { firstResponse: "Hello.", recording: true },
  });
  receiver = await TestReceiver.answering();
  const { api, organization } = telephony;
  const endpoint = { key: organization.keys.owner, body: { url: receiver.url, events: ["call.ended"] } };
  const added = await api.call("POST", `/api/orgs/${organization.orgId}/webhooks`, endpoint);
  expect(added.status, added.text).toBe(201);
});
afterAll(async () => {
  await telephony.close();
  await receiver.close();
});

/** Somebody who has one question, and does not wait long. */
function callee(index: number): string {
  return telephony.phone(`+1202557${String(index).padStart(4, "0")}`, {
    ringMs: 200,
    outcome: "answers",
    steps: [
      { do: "listen", quietMs: 200, withinMs: 30_000 },
      { do: "say", text: "Are you open?" },
      { do: "listen", quietMs: 200, withinMs: 30_000 },
      { do: "hangUp" },
    ],
  });
}

async function lasting(): Promise<number> {
  const { left } = await telephony.api.database.db
    .selectFrom("calls")
    .select(({ fn }) => fn.countAll<string>().as("left"))
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

describe("two hundred outbound calls at once", () => {
  it("end once each, with one record and a recording that plays", async () => {
    const numbers = Array.from({ length: CALLS }, (_, index) => callee(index));
    const placed = await Promise.all(numbers.map((to) => telephony.dial(to)));
    await expect.poll(lasting, { timeout: 90_000, interval: 1_000 }).toBe(0);
    const records = [];
    for (const { sessionId } of placed) records.push(await telephony.record(sessionId));
    expect(new Set(records.map(({ status }) => status))).toEqual(new Set(["completed"]));
    expect(await toldEnds()).toEqual(placed.map(({ sessionId }) => sessionId).sort());
    for (const { transcript } of records)
      expect(transcript.map(({ text }) => text)).toEqual(["Hello.", "Are you open?", "Yes."]);
    expect(await ends()).toEqual(placed.map(({ sessionId }) => [sessionId, 1]).sort());
    const rows = await telephony.api.database.db.selectFrom("calls").select("session_id").execute();
    expect(rows).toHaveLength(CALLS);
    for (const { recording } of records) {
      const wav = readWav(new Uint8Array(await (await fetch(recording?.url ?? "")).arrayBuffer()));
      expect(wav).toMatchObject({ channels: 2, sampleRateHz: 16_000 });
      expect(wav.samples.some((sample) => Math.abs(sample) > 1_000)).toBe(true);
    }
  }, 150_000);
});

/** The session of every `call.ended` that is told to the customer. */
async function toldEnds(): Promise<string[]> {
  const rows = await telephony.api.database.db
    .selectFrom("webhook_deliveries")
    .select("session_id")
    .where("event", "=", "call.ended")
    .execute();
  return rows.map(({ session_id }) => session_id ?? "").sort();
}

/** How many ends of each session were written down. */
async function ends(): Promise<[string, number][]> {
  const rows = await telephony.api.database.db
    .selectFrom("call_events")
    .select(({ fn }) => ["session_id", fn.countAll<string>().as("ends")])
    .where("type", "=", "call.ended")
    .groupBy("session_id")
    .execute();
  return rows.map(({ session_id, ends: count }): [string, number] => [session_id, Number(count)]).sort();
}
