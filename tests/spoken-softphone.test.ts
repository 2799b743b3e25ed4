// Real time: two people talk, and a recognizer hears them as it comes.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestCallee } from "../testkit/callee.ts";
import { TestCaller } from "../testkit/caller.ts";
import { needs } from "../testkit/needs.ts";
import { recognize, spokenParts, wordsFound } from "../testkit/recognizer.ts";
import { LOUD, loudness, STAY, TestSoftphones } from "../testkit/softphones.ts";
import { flite } from "../testkit/speech.ts";

const FAR = "I would like to book a table for two people tomorrow evening";
const DESK = "Good evening what can I do for you";
const MOBILE = "Your table is booked we are looking forward to seeing you";
const HALF_A_SECOND = 8_000;
/** Other processes have this machine, too. */
const SOON = { timeout: 90_000, interval: 20 };
/** What this recognizer gets wrong of a clear voice, and what a busy machine loses. */
const ENOUGH = 0.5;

const says = (words: string) => (heard: string) => wordsFound(words, heard) >= ENOUGH;

/** What is said, part by part. */
async function wordsIn(samples: Int16Array): Promise<string[]> {
  const words: string[] = [];
  for (const part of spokenParts(samples)) words.push(await recognize(part));
  return words;
}

describe.runIf(needs("pocketsphinx"))("people who talk by softphone", () => {
  let softphones: TestSoftphones;
  beforeAll(async () => {
    softphones = await TestSoftphones.start();
  });
  afterAll(() => softphones.close());

  it("are understood on both sides and in the recording, also when another device takes over in between", async () => {
    const { api, organization } = softphones.telephony;
    const ada = await TestCallee.create(api, { orgId: organization.orgId, key: organization.keys.developer });
    const { sessionId } = await ada.ring([
      { do: "listen", quietMs: 600, withinMs: 20_000 },
      { do: "say", text: FAR },
      STAY,
    ]);
    const desk = await TestCaller.start((await ada.answer(sessionId)).websocketUrl);
    onTestFinished(() => desk.drop());
    await desk.next("leg", ({ state }) => state === "live");
    await desk.speak(await flite(DESK, "rms"), 1_500);
    // It begins to speak, and has spoken.
    await expect.poll(() => loudness(desk.heard().slice(-HALF_A_SECOND)), SOON).toBeGreaterThan(LOUD);
    await expect.poll(() => loudness(desk.heard().slice(-HALF_A_SECOND)), SOON).toBeLessThan(LOUD / 10);

    const attached = await ada.call("POST", `/api/sessions/${sessionId}/attach`);
    const mobile = await TestCaller.start((attached.body.data as { websocketUrl: string }).websocketUrl);
    onTestFinished(() => mobile.drop());
    expect(await desk.untilClosed()).toMatchObject({ code: 4003 });
    await mobile.speak(await flite(MOBILE, "rms"));
    mobile.send({ type: "hangup" });
    await softphones.telephony.untilStatus(sessionId, "completed");

    const { left, right } = await softphones.recordingOf(sessionId);
    expect(await wordsIn(desk.heard())).toEqual([expect.toSatisfy(says(FAR))]);
    expect(await wordsIn(left)).toEqual([expect.toSatisfy(says(FAR))]);
    expect(await wordsIn(right)).toEqual([expect.toSatisfy(says(DESK)), expect.toSatisfy(says(MOBILE))]);
    const started = (await softphones.eventsOf(sessionId)).filter((type) => type === "call.started");
    expect(started).toHaveLength(1);
  }, 120_000);
});
