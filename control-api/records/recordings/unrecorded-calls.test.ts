import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { timesRecorded } from "../../../testkit/call-events.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import { TestTelephony } from "../../../testkit/telephony.ts";

let phones: TestTelephony;
let receiver: TestReceiver;
beforeAll(async () => {
  phones = await TestTelephony.start();
  receiver = await TestReceiver.answering();
  const hook = { target_url: receiver.url, include_recording: true, include_transcript: true };
  await phones.request("POST", "/api/v1/hooks", hook);
});
afterAll(async () => {
  await phones.close();
  await receiver.close();
});

/** A call with an agent that has these settings, until its end was told; and all that is left of its sound. */
async function called(to: string, settings: Record<string, unknown>) {
  const agentId = await phones.agent({ firstResponse: "Hello.", ...settings });
  phones.phone(to, {
    ringMs: 50,
    outcome: "answers",
    steps: [{ do: "listen", quietMs: 1_500, withinMs: 10_000 }, { do: "hangUp" }],
  });
  const { sessionId, callId } = await phones.dial(to, { agentId });
  const record = await phones.untilStatus(sessionId, "completed");
  expect(record.transcript.map(({ text }) => text)).toEqual(["Hello."]);
  const told = () =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      .filter((event) => event.sessionId === sessionId);
  await expect.poll(() => told().map(({ event }) => event)).toContain("call.ended");
  const { orgId } = phones.organization;
  const folder = join(phones.api.dataDir, "recordings", orgId, sessionId);
  const listed = await phones.request("GET", `/api/orgs/${orgId}/recordings`);
  const link = await phones.request("GET", `/api/orgs/${orgId}/calls/${callId}/recording-url`);
  return {
    record,
    ended: told().find(({ event }) => event === "call.ended") ?? {},
    events: () => told().map(({ event }) => event),
    readyTimes: await timesRecorded(phones.api.database, sessionId, "recording.ready"),
    files: existsSync(folder) ? await readdir(folder) : [],
    isListed: listed.text.includes(sessionId),
    linkStatus: link.status,
  };
}

describe("a call of an agent with recording off", () => {
  it("leaves no sound: not in its record, the store or a list, and webhooks tell of none", async () => {
    const { record, ended, ...left } = await called("+12025550801", { recording: false });
    expect(record.recording).toBeNull();
    expect(ended).not.toHaveProperty("recording");
    expect(ended).toMatchObject({ messageCount: 1, transcript: [{ text: "Hello." }] });
    expect(left).toMatchObject({ readyTimes: 0, files: [], isListed: false, linkStatus: 404 });
    expect(left.events()).not.toContain("recording.ready");
  });

  it("is told from one whose agent says nothing of it, which leaves all of that", async () => {
    const { record, ended, ...left } = await called("+12025550802", {});
    expect(ended).toMatchObject({ recording: { id: record.recording?.id, url: expect.any(String) } });
    expect(left).toMatchObject({ readyTimes: 1, isListed: true, linkStatus: 200 });
    expect(left.files).toEqual([`${record.recording?.id}.wav`]);
    await expect.poll(left.events).toContain("recording.ready");
  });
});
