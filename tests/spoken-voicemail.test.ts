// Real time: an answering machine speaks its greeting, and what is said after its beep is heard.
import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../testkit/needs.ts";
import { POCKETSPHINX } from "../testkit/recognizer.ts";
import { TestTelephony } from "../testkit/telephony.ts";

const OPENER = "Hello Ada, how can I help?";
const MESSAGE = "This is Parley. Please call us back.";

describe.runIf(needs("pocketsphinx"))("an answering machine whose greeting is recognized from sound", () => {
  let phones: TestTelephony;
  beforeAll(async () => {
    phones = await TestTelephony.start({
      builtInPhones: true,
      env: { STT_COMMAND: POCKETSPHINX },
      settings: { voicemail: { action: "message", message: MESSAGE } },
    });
  });
  afterAll(() => phones.close());

  it("hears the message after its beep, and nothing of the agent's over its greeting", async () => {
    const { sessionId } = await phones.dial("+12025550103", { variables: { name: "Ada" } });
    await expect
      .poll(() => phones.record(sessionId), { timeout: 60_000 })
      .toMatchObject({
        status: "completed",
        endReason: "voicemail_drop",
      });
    const { transcript } = await phones.record(sessionId);
    const spoken = transcript.filter(({ role }) => role === "assistant").map(({ text }) => text);
    expect(spoken.at(-1)).toBe(MESSAGE);
    expect(spoken.filter((text) => text !== MESSAGE && !OPENER.startsWith(text))).toEqual([]);
    expect(phones.brain.queries).toEqual([]);
    const path = `/api/orgs/${phones.organization.orgId}/calls/${sessionId}`;
    const { events } = (await phones.request("GET", path)).body.data as CallDetail;
    const detected = events.filter(({ type }) => type === "call.machine_detected");
    expect(detected.map(({ about }) => about)).toEqual(["machine_end_beep"]);
  });
});
