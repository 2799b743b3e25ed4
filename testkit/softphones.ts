import type { PhoneVoice } from "@parley/control-api/channels/carriers/loopback/phone-voice.ts";
import type { PhoneScript, PhoneStep } from "@parley/control-api/channels/carriers/loopback/script.ts";
import { DtmfDetector } from "@parley/media/dtmf/detector.ts";
import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import type { ManualCallPlaced } from "@parley/shared/contracts/telephony.ts";
import { expect, onTestFinished } from "vitest";
import { joined } from "./audio-fixtures.ts";
import { TestCaller } from "./caller.ts";
import { OUR_NUMBER, TestTelephony } from "./telephony.ts";

/** Picks up and stays silent. */
export const STAY: PhoneStep = { do: "wait", ms: 60_000 };
export const INIT_MANUAL_CALL = "/api/sessions/init-manual-call";
/** Flite's speech is well above this, silence well below. */
export const LOUD = 500;

/** People who make softphone calls, and the phones they call. */
export class TestSoftphones {
  readonly telephony: TestTelephony;
  #lastNumber = 300;

  private constructor(telephony: TestTelephony) {
    this.telephony = telephony;
  }

  /** By default, a dropped softphone may return for a second and a half. */
  static async start({
    resumeWindowMs = 1_500,
    ...more
  }: {
    resumeWindowMs?: number;
    pagesDir?: string;
    memberRingsMs?: number;
    voice?: PhoneVoice;
    apiBus?: (bus: Bus) => Bus;
  } = {}): Promise<TestSoftphones> {
    const env = { RESUME_WINDOW_MS: String(resumeWindowMs) };
    return new TestSoftphones(await TestTelephony.start({ env, ...more }));
  }

  /** A phone with its own number. */
  phone(steps: readonly PhoneStep[], more: Partial<PhoneScript> = {}): string {
    this.#lastNumber += 1;
    const script: PhoneScript = { ringMs: 150, outcome: "answers", steps, ...more };
    return this.telephony.phone(`+12025550${this.#lastNumber}`, script);
  }

  async place(to: string): Promise<ManualCallPlaced> {
    const answer = await this.telephony.request("POST", INIT_MANUAL_CALL, { to, from: OUR_NUMBER });
    if (answer.status !== 200) throw new Error(`a manual call answered ${answer.status}: ${answer.text}`);
    return answer.body.data as ManualCallPlaced;
  }

  /** Calls a phone that answers, with a softphone. */
  async talkTo(to: string): Promise<{ call: ManualCallPlaced; softphone: TestCaller }> {
    const call = await this.place(to);
    const softphone = await TestCaller.start(call.websocketUrl);
    onTestFinished(() => softphone.drop());
    await softphone.next("leg", ({ state }) => state === "live");
    return { call, softphone };
  }

  /** Audio heard by the person on the phone. */
  heardBy(sessionId: string): Int16Array {
    const frames = this.telephony.heard.get(sessionId) ?? [];
    // Called often in the process that carries the call: copying sample by sample would delay the call.
    return joined(...frames);
  }

  /** Waits until the person on the phone hears speech. */
  async untilHeard(sessionId: string): Promise<void> {
    await expect
      .poll(() => loudness(this.heardBy(sessionId)), { timeout: 90_000, interval: 50 })
      .toBeGreaterThan(LOUD);
  }

  /** Types of a call's recorded events, in order. */
  async eventsOf(sessionId: string): Promise<string[]> {
    const rows = await this.telephony.api.database.db
      .selectFrom("call_events")
      .select("type")
      .where("session_id", "=", sessionId)
      .orderBy("seq")
      .execute();
    return rows.map(({ type }) => type);
  }

  /** Left is what the person on the phone said, right what they heard. */
  recordingOf(sessionId: string): Promise<{ left: Int16Array; right: Int16Array }> {
    return this.telephony.recordingOf(sessionId);
  }

  close(): Promise<void> {
    return this.telephony.close();
  }
}

/** Root mean square. */
export function loudness(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, samples.length));
}

/** Keys whose tones occur in the samples. */
export function keysIn(samples: Int16Array): string {
  const detector = new DtmfDetector();
  let keys = "";
  for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES)
    keys += detector.push(samples.subarray(at, at + FRAME_SAMPLES)) ?? "";
  return keys;
}
