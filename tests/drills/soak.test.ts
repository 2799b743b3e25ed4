import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RESULTS_DIR } from "../../loadtest/bench/harness/result.ts";
import { TestBrain } from "../../testkit/brain.ts";
import { needs } from "../../testkit/needs.ts";
import type { DrillCall } from "./support/drill-call.ts";
import { LoneNode } from "./support/lone-node.ts";
import { type MemorySample, riseOf, sampleMemory } from "./support/memory-samples.ts";
import { metricOf } from "./support/metric-of.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

const MIB = 1024 * 1024;
/** Audio a caller sends beside its questions. */
const SILENCE_MS = 2_000;
const ENDED_WITHIN_MS = 60_000;

/** How a call goes; callers take turns with them. */
const COURSES: readonly ((call: DrillCall) => Promise<unknown>)[] = [
  async (call) => {
    await Promise.all([call.ask("Can you hear me?"), call.caller.speak(new Int16Array(0), SILENCE_MS)]);
    await call.hangUp();
  },
  async (call) => {
    call.caller.send({ type: "text", text: "Tell me everything." });
    await call.caller.next("state", ({ state }) => state === "speaking");
    await call.ask("Enough, thank you.");
    await call.ask("Are you still there?");
    await call.hangUp();
  },
  async (call) => {
    await call.ask("Can you hear me?");
    call.caller.drop();
  },
];

describe.runIf(needs("redis"))("A soak", () => {
  let node: LoneNode;
  let brain: TestBrain;
  beforeAll(async () => {
    node = await LoneNode.start({ env: { RESUME_WINDOW_MS: "1000" } });
    brain = await TestBrain.start((turn) => {
      turn.token(turn.request.query.startsWith("Tell") ? "There is much to say. ".repeat(20) : "I hear you.");
      turn.done();
    });
  });
  afterAll(async () => {
    brain.close();
    await node.remove();
  });

  /** Keeps one caller's seat taken for `secs`; gives how many calls it had. */
  async function takeSeat(seat: number, secs: number): Promise<number> {
    const endMs = performance.now() + secs * 1_000;
    let calls = 0;
    while (performance.now() < endMs) {
      const call = await node.call({ brain: { url: brain.url }, recording: true });
      await COURSES[(seat + calls) % COURSES.length]?.(call);
      // Hours of audio would fill the disk.
      await rm(join(node.dataDir, "recordings", "org_test", call.sessionId), {
        recursive: true,
        force: true,
      });
      calls += 1;
    }
    return calls;
  }

  const { secs, warmUpSecs, callers, heapMib, rssMib, keepsResult } = sizeOf("soak");

  it("of calls that come and go leaves nothing behind", {
    timeout: secs * 1_000 + DRILL.timeout,
  }, async () => {
    const seats = Array.from({ length: callers }, (_, seat) => takeSeat(seat, secs));
    const [samples, ...callsOfSeats] = await Promise.all([sampleMemory(node, secs), ...seats]);
    const calls = callsOfSeats.reduce((sum, ofSeat) => sum + ofSeat, 0);
    if (keepsResult) await keep({ calls, samples });

    const warm = samples.filter(({ t }) => t >= warmUpSecs);
    expect(calls).toBeGreaterThan(callers);
    expect(Math.max(...warm.map(({ liveCalls }) => liveCalls))).toBeGreaterThanOrEqual(callers / 2);
    expect(riseOf(warm, "heapUsedBytes") / MIB).toBeLessThan(heapMib);
    expect(riseOf(warm, "rssBytes") / MIB).toBeLessThan(rssMib);
    await expect.poll(() => metricOf(node, "parley_live_calls"), { timeout: ENDED_WITHIN_MS }).toBe(0);
    await expect.poll(() => metricOf(node, "parley_call_sockets"), { timeout: ENDED_WITHIN_MS }).toBe(0);
    expect(await metricOf(node, "parley_recordings_failed_total")).toBe(0);
  });

  async function keep(soak: { calls: number; samples: MemorySample[] }): Promise<void> {
    const result = { takenAt: new Date().toISOString(), seconds: secs, ...soak };
    await mkdir(RESULTS_DIR, { recursive: true });
    await writeFile(join(RESULTS_DIR, "soak.json"), `${JSON.stringify(result, null, 2)}\n`);
  }
});
