import { expect, it } from "vitest";
import { EchoPath } from "../../testkit/echo-path.ts";
import { flite } from "../../testkit/speech.ts";
import { FRAME_MS, FRAME_SAMPLES, msToSamples } from "../pcm.ts";
import { OwnVoice } from "./own-voice.ts";

const LEAD_MS = 200;
const AGENT =
  "I can offer you a table for four people on Tuesday at half past seven, would that be all right?";
const CALLER = "No, that is much too late for us, do you have anything before six?";

interface Room {
  /** How much softer the agent comes back; no echo when absent. */
  readonly lossDb?: number;
  readonly delayMs?: number;
  /** What the caller says, and from when on. */
  readonly caller?: { readonly samples: Int16Array; readonly fromMs: number };
  readonly agent?: Int16Array;
}

/** The score of each frame that is loud enough to be a voice, by its end in ms, while the agent speaks in a room. */
async function scoresIn(room: Room, voice = new OwnVoice({ leadMs: LEAD_MS, behindMs: () => 0 })) {
  const agent = room.agent ?? (await flite(AGENT));
  const gain = room.lossDb === undefined ? 0 : 10 ** (-room.lossDb / 20);
  const delay = msToSamples(room.delayMs ?? 0);
  const callerFrom = msToSamples(room.caller?.fromMs ?? 0);
  const scores: { atMs: number; score: number; isCaller: boolean }[] = [];
  let sent = 0;
  for (let at = 0; at + FRAME_SAMPLES <= agent.length; at += FRAME_SAMPLES) {
    for (; sent <= at + msToSamples(LEAD_MS); sent += FRAME_SAMPLES) {
      if (sent + FRAME_SAMPLES > agent.length) break;
      voice.sent(agent.subarray(sent, sent + FRAME_SAMPLES), (sent / FRAME_SAMPLES) * FRAME_MS);
    }
    const echo = Int16Array.from({ length: FRAME_SAMPLES }, (_, i) => (agent[at + i - delay] ?? 0) * gain);
    const said = Int16Array.from(
      { length: FRAME_SAMPLES },
      (_, i) => room.caller?.samples[at + i - callerFrom] ?? 0,
    );
    const frame = echo.map((sample, i) => sample + (said[i] as number) + ((at + i * 7) % 23) - 11);
    const atMs = (at / FRAME_SAMPLES + 1) * FRAME_MS;
    const score = voice.hear(frame, atMs);
    if (loudness(frame) > 30) scores.push({ atMs, score, isCaller: loudness(said) > loudness(echo) * 2 });
  }
  return { scores, voice };
}

const loudness = (frame: Int16Array): number => frame.reduce((sum, x) => sum + Math.abs(x), 0) / frame.length;
const shareOwn = (frames: readonly { score: number }[]): number =>
  frames.filter(({ score }) => score >= 0.65).length / Math.max(1, frames.length);

it.each([
  [40, 0],
  [30, 130],
  [20, 0],
  [20, 250],
  [20, 400],
  [10, 130],
])("knows the agent's voice that comes back %d dB softer after %d ms", async (lossDb, delayMs) => {
  const { scores, voice } = await scoresIn({ lossDb, delayMs });
  expect(voice.state).toBe("known");
  expect(voice.delayMs).toBeGreaterThanOrEqual(delayMs - 20);
  expect(voice.delayMs).toBeLessThanOrEqual(delayMs + 20);
  expect(shareOwn(scores.filter(({ atMs }) => atMs > 1_500))).toBeGreaterThan(0.95);
});

it.each(["rms", "slt"] as const)(
  "never takes a caller (%s) who talks over the agent for it where there is no echo",
  async (name) => {
    const samples = await flite(CALLER, name);
    for (const fromMs of [300, 1_000, 1_700]) {
      const { scores, voice } = await scoresIn({ caller: { samples, fromMs } });
      expect(voice.state).toBe("unknown");
      expect(shareOwn(scores.filter(({ isCaller }) => isCaller))).toBeLessThan(0.1);
    }
  },
);

it("never takes a caller with a voice like the agent's, who begins while it talks, for its echo", async () => {
  const agent = Int16Array.from([
    ...(await flite("First of all let me tell you about our opening hours.")),
    ...(await flite("We are open from nine to five on weekdays.")),
  ]);
  for (const said of ["Tell me everything", "No, that is much too late for us."]) {
    const samples = await flite(said);
    for (const fromMs of [2_700, 3_100, 3_500]) {
      const { scores, voice } = await scoresIn({ agent, caller: { samples, fromMs } });
      expect(voice.echoes).toBe(0);
      expect(shareOwn(scores.filter(({ isCaller }) => isCaller))).toBeLessThan(0.15);
    }
  }
});

it.each([10, 25])(
  "finds an echo %d dB softer within half a second of its beginning in mid-call",
  async (lossDb) => {
    const agent = await flite(AGENT);
    for (const fromMs of [1_000, 2_300, 3_100]) {
      const voice = new OwnVoice({ leadMs: LEAD_MS, behindMs: () => 0 });
      const path = new EchoPath({ lossDb, delayMs: 160, fromMs });
      for (let at = 0; voice.sinceOnsetMs === undefined || voice.sinceOnsetMs < 500; at += FRAME_SAMPLES) {
        const frame = agent.subarray(at, at + FRAME_SAMPLES);
        const atMs = (at / FRAME_SAMPLES) * FRAME_MS;
        voice.sent(frame, atMs);
        voice.hear(path.push(frame), atMs + FRAME_MS);
      }
      expect(voice.state).toBe("known");
    }
  },
);

it.each([20, 30])("hears a caller who talks over an echo %d dB softer", async (lossDb) => {
  const caller = { samples: await flite(CALLER, "rms"), fromMs: 2_000 };
  const { scores } = await scoresIn({ lossDb, delayMs: 130, caller });
  expect(shareOwn(scores.filter(({ isCaller }) => isCaller))).toBeLessThan(0.15);
});

it("knows an echo out of a loudspeaker that clips", async () => {
  const agent = await flite(AGENT);
  const voice = new OwnVoice({ leadMs: LEAD_MS, behindMs: () => 0 });
  const path = new EchoPath({ lossDb: 20, delayMs: 160, sound: "clipped" });
  for (let at = 0; at + FRAME_SAMPLES <= agent.length; at += FRAME_SAMPLES) {
    const frame = agent.subarray(at, at + FRAME_SAMPLES);
    const atMs = (at / FRAME_SAMPLES) * FRAME_MS;
    voice.sent(frame, atMs);
    voice.hear(path.push(frame), atMs + FRAME_MS);
  }
  expect(voice.state).toBe("known");
  expect(Math.abs((voice.delayMs ?? 0) - 160)).toBeLessThanOrEqual(20);
});

it("still knows an echo after the caller has talked over it for long", async () => {
  const caller = { samples: await flite(CALLER, "rms"), fromMs: 1_500 };
  const { voice } = await scoresIn({ lossDb: 30, delayMs: 130, caller });
  expect(voice.state).toBe("known");
});

it("follows an echo that comes from elsewhere, and forgets one that is gone", async () => {
  const { voice } = await scoresIn({ lossDb: 20, delayMs: 100 });
  expect(voice.state).toBe("known");
  const moved = await scoresIn({ lossDb: 20, delayMs: 300 }, voice);
  expect(shareOwn(moved.scores.filter(({ atMs }) => atMs > 2_000))).toBeGreaterThan(0.95);
  const caller = { samples: (await flite(CALLER, "rms")).map((sample) => sample / 8), fromMs: 3_000 };
  const { scores } = await scoresIn({ caller }, voice);
  expect(shareOwn(scores.filter(({ isCaller }) => isCaller))).toBeLessThan(0.3);
});

it.each([
  [60, 300],
  [160, 260],
])("follows an echo that jumps from %d ms to %d ms in mid-sentence within 1.3 s", async (fromMs, toMs) => {
  const agent = await flite(`${AGENT} ${AGENT}`);
  for (const jumpAtMs of [2_000, 2_900, 4_100]) {
    const voice = new OwnVoice({ leadMs: LEAD_MS, behindMs: () => 0 });
    const path = new EchoPath({ lossDb: 20, delayMs: (atMs) => (atMs < jumpAtMs ? fromMs : toMs) });
    for (let at = 0; (at / FRAME_SAMPLES) * FRAME_MS < jumpAtMs + 1_300; at += FRAME_SAMPLES) {
      const frame = agent.subarray(at, at + FRAME_SAMPLES);
      const atMs = (at / FRAME_SAMPLES) * FRAME_MS;
      voice.sent(frame, atMs);
      voice.hear(path.push(frame), atMs + FRAME_MS);
    }
    expect(Math.abs((voice.delayMs ?? 0) - toMs)).toBeLessThanOrEqual(20);
  }
});

it("calls nothing its own while the agent is silent", async () => {
  const voice = new OwnVoice({ leadMs: LEAD_MS, behindMs: () => 0 });
  await scoresIn({ lossDb: 20, delayMs: 100 }, voice);
  const caller = await flite(CALLER, "rms");
  for (let at = 0; at + FRAME_SAMPLES <= caller.length; at += FRAME_SAMPLES) {
    expect(
      voice.hear(caller.subarray(at, at + FRAME_SAMPLES), 60_000 + (at / FRAME_SAMPLES) * FRAME_MS),
    ).toBe(0);
  }
  expect(voice.state).toBe("silent");
});
