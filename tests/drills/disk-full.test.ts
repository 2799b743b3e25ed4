import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { samplesToMs } from "@parley/media/pcm.ts";
import { readWav } from "@parley/media/wav/wav-reader.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { eventsOf } from "../../testkit/call-events.ts";
import { needs } from "../../testkit/needs.ts";
import type { DrillCall } from "./support/drill-call.ts";
import { LoneNode } from "./support/lone-node.ts";
import { metricOf } from "./support/metric-of.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

/** 16 kHz, two channels, 16 bit. */
const RECORDED_BYTES_PER_SEC = 64_000;
/** A recording finds the disk full when it is this large, after eight seconds. */
const FULL_AT_KIB = 512;
const FULL_AFTER_MS = ((FULL_AT_KIB * 1024) / RECORDED_BYTES_PER_SEC) * 1_000;
/** What stands before the audio in a WAV file: 44 bytes. */
const HEADER_MS = (44 / RECORDED_BYTES_PER_SEC) * 1_000;
/** Recordings are written in blocks, a moment behind the call. */
const BLOCK_MS = 2_000;
/** A call's first turn takes a fraction of it; its recording is as long as the call. */
const TOLERANCE_MS = 1_000;

/**
 * The kernel refuses every byte past a size, as a full disk does, and a part of the write that reaches it.
 * The bound is a file's, so what another call writes still finds room.
 */
describe.runIf(needs("redis"))("A disk that is full while calls are recorded", () => {
  let node: LoneNode;
  let brain: TestBrain;
  beforeAll(async () => {
    node = await LoneNode.start({ maxFileKib: FULL_AT_KIB });
    brain = await TestBrain.saying("I hear you.");
  });
  afterAll(async () => {
    brain.close();
    await node.remove();
  });

  const call = (): Promise<DrillCall> => node.call({ brain: { url: brain.url }, recording: true });

  async function talkPastFull(one: DrillCall): Promise<void> {
    const untilMs = performance.now() + FULL_AFTER_MS + BLOCK_MS;
    do await one.ask("Can you hear me?");
    while (performance.now() < untilMs);
  }

  /** What is announced last, as a file: as long as was told, and playable. */
  async function recordingOf(events: readonly CallEvent[]) {
    const ready = events.find((event) => event.type === "recording.ready");
    if (!ready) throw new Error("there is no recording");
    const bytes = await readFile(join(node.dataDir, "recordings", ready.key));
    expect(bytes.length).toBe(ready.sizeBytes);
    const { samples, channels } = readWav(bytes);
    expect(samples.some((sample) => sample !== 0)).toBe(true);
    return { durationMs: samplesToMs(samples.length / channels) };
  }

  it(
    "ends no call, spoils no recording that it has room for, and keeps the others' beginning",
    DRILL,
    async () => {
      const calls = await Promise.all(Array.from({ length: sizeOf("diskFull").calls }, call));
      await Promise.all(calls.map(talkPastFull));
      // While the calls go on: an hour's call is not over for an hour.
      const failedLines = () => node.server.logged("failed to record, the call goes on");
      await expect.poll(failedLines).toHaveLength(calls.length);
      expect(await metricOf(node, "parley_recordings_failed_total")).toBe(calls.length);
      const beganMs = performance.now();
      const short = await call();
      await short.ask("Do I fit?");
      for (const one of [...calls, short]) expect((await one.hangUp()).code).toBe(1000);
      const tookMs = performance.now() - beganMs;

      const whole = await recordingOf(await eventsOf(node.bus, short.sessionId, "recording.ready"));
      expect(whole.durationMs).toBeGreaterThan(0);
      expect(whole.durationMs).toBeLessThan(tookMs + TOLERANCE_MS);
      for (const one of calls) {
        // Who looks for what was left behind finds what there was room for.
        const events = await eventsOf(node.bus, one.sessionId, "recording.ready");
        expect(events.flatMap((event) => (event.type === "call.message" ? [event.text] : []))).toEqual(
          one.said,
        );
        expect(events.find(({ type }) => type === "call.ended")).toMatchObject({ status: "completed" });
        expect(events.find(({ type }) => type === "recording.ready")).toMatchObject({ partial: true });
        expect((await recordingOf(events)).durationMs).toBeCloseTo(FULL_AFTER_MS - HEADER_MS, 0);
      }
      expect(await metricOf(node, "parley_recordings_failed_total")).toBe(calls.length);
      expect(failedLines()).toHaveLength(calls.length);
    },
  );
});
