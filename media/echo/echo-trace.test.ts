import { expect, it } from "vitest";
import { type Echo, EchoPath } from "../../testkit/echo-path.ts";
import { flite } from "../../testkit/speech.ts";
import { FRAME_MS, FRAME_SAMPLES, msToSamples } from "../pcm.ts";
import { EchoTrace } from "./echo-trace.ts";

const LEAD_MS = 200;
const AGENT = "I can offer you a table for four people on Tuesday at half past seven.";
const CALLER = "No, that is much too late for us, do you have anything before six?";

interface Heard {
  readonly atMs: number;
  readonly delayMs: number | undefined;
  readonly share: number;
}

/** What is found, frame by frame, while the agent speaks; every frame counts as audible. */
async function hear({ echo, caller }: { echo?: Echo; caller?: { samples: Int16Array; fromMs: number } }) {
  const agent = await flite(AGENT);
  const trace = new EchoTrace(LEAD_MS);
  const path = echo && new EchoPath(echo);
  const lead = msToSamples(LEAD_MS);
  const found: Heard[] = [];
  for (let at = -lead; at + lead + FRAME_SAMPLES <= agent.length; at += FRAME_SAMPLES) {
    trace.sent(agent.subarray(at + lead, at + lead + FRAME_SAMPLES), (at + lead) / 16);
    if (at < 0) continue;
    const frame = path?.push(agent.subarray(at, at + FRAME_SAMPLES)) ?? new Int16Array(FRAME_SAMPLES);
    const from = at - msToSamples(caller?.fromMs ?? 0);
    const heard = frame.map((sample, i) => sample + (caller?.samples[from + i] ?? 0) + ((i * 7) % 23) - 11);
    const atMs = at / 16 + FRAME_MS;
    trace.hear(heard, { endMs: atMs, behindMs: 0, isHeard: true });
    found.push({ atMs, delayMs: trace.found?.delayMs, share: trace.share });
  }
  return found;
}

it.each<Echo>([
  { lossDb: 20, delayMs: 0 },
  { lossDb: 35, delayMs: 131.3 },
  { lossDb: 20, delayMs: 400 },
  { lossDb: 25, delayMs: 160, sound: "telephone" },
  { lossDb: 25, delayMs: 60, sound: "speaker" },
  { lossDb: 25, delayMs: 60, sound: "hall" },
])("finds an echo within half a second of its first sound, to the millisecond: %j", async (echo) => {
  const found = (await hear({ echo })).find(({ delayMs }) => delayMs !== undefined);
  expect(found?.atMs).toBeLessThanOrEqual(500 + (echo.delayMs as number));
  expect(Math.abs((found?.delayMs ?? 0) - (echo.delayMs as number))).toBeLessThanOrEqual(1.5);
});

it.each(["rms", "slt"] as const)("finds none where a caller (%s) talks over the agent", async (voice) => {
  // All that flite says begins with the same soft noise.
  const samples = (await flite(CALLER, voice)).subarray(msToSamples(200));
  for (const fromMs of [200, 900, 1_510]) {
    const found = await hear({ caller: { samples, fromMs } });
    expect(found.filter(({ delayMs }) => delayMs !== undefined)).toEqual([]);
  }
});

it("tells at once that a caller talks over the echo, and that an echo only became louder", async () => {
  const mean = (frames: readonly Heard[]): number =>
    frames.reduce((sum, { share }) => sum + share, 0) / frames.length;
  const lossDb = (atMs: number): number => (atMs < 1_500 ? 30 : 12);
  const louder = await hear({ echo: { lossDb, delayMs: 100 } });
  expect(mean(louder.filter(({ atMs }) => atMs > 1_700 && atMs < 2_200))).toBeGreaterThan(0.8);
  const caller = { samples: await flite(CALLER, "rms"), fromMs: 1_500 };
  const both = await hear({ echo: { lossDb: 20, delayMs: 100 }, caller });
  expect(mean(both.filter(({ atMs }) => atMs > 1_000 && atMs < 1_500))).toBeGreaterThan(0.8);
  expect(mean(both.filter(({ atMs }) => atMs > 1_700 && atMs < 2_200))).toBeLessThan(0.4);
});
