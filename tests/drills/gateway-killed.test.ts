import { once } from "node:events";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readWav } from "@parley/media/wav/wav-reader.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { needs } from "../../testkit/needs.ts";
import type { DrillCall } from "./support/drill-call.ts";
import { expectRecordedOnce } from "./support/expect-recorded.ts";
import { type GatewayProcess, Installation } from "./support/installation.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

/** A lost node's calls end with its lease, the time it may be late and two sweeps, in 25 s; by themselves in hours. */
const END_WITHIN_MS = 60_000;
const WAV_HEADER_BYTES = 44;

interface Watcher {
  readonly lastTopic: () => string | undefined;
  readonly closed: Promise<number>;
}

describe.runIf(needs("redis") && needs("postgres"))("One of two gateways killed under live calls", () => {
  let parley: Installation;
  let victim: GatewayProcess;
  let other: GatewayProcess;
  beforeAll(async () => {
    parley = await Installation.start();
    await parley.startControlApi();
    [victim, other] = await Promise.all([parley.startGateway(), parley.startGateway()]);
  });
  afterAll(() => parley.remove());

  /** Watches a call through the gateway that does not hold it; resolves when frames come. */
  async function watch(call: DrillCall): Promise<Watcher> {
    const ticket = await parley.streamUrl(call.sessionId);
    const topics: string[] = [];
    const socket = new WebSocket(ticket.replace(/^ws:\/\/[^/]+/, other.publicUrl));
    socket.on("message", (text) => topics.push((JSON.parse(String(text)) as { topic: string }).topic));
    const closed = once(socket, "close").then(([code]) => code as number);
    await once(socket, "open");
    await expect
      .poll(() => {
        call.caller.send({ type: "dtmf", digit: "1" });
        return topics.length;
      })
      .toBeGreaterThan(0);
    return { lastTopic: () => topics.at(-1), closed };
  }

  it("has its calls ended once, its recordings announced and its watchers told", DRILL, async () => {
    const half = sizeOf("gatewayKilled").calls / 2;
    const lost: DrillCall[] = [];
    const kept: DrillCall[] = [];
    // Which gateway a call comes to is chance among equals.
    while (Math.min(lost.length, kept.length) < half) {
      const call = await parley.call();
      (call.caller.socket.url.startsWith(victim.publicUrl) ? lost : kept).push(call);
    }
    const calls = [...lost, ...kept];
    await Promise.all(calls.map((call) => call.ask("Can you hear me?")));
    const watchers = await Promise.all(lost.map(watch));
    // A kill costs what was not written yet, a second or two: this is about what was.
    for (const { sessionId } of lost)
      await expect.poll(() => hasSoundOnDisk(sessionId), { timeout: 90_000 }).toBe(true);

    await victim.server.kill();
    expect(await Promise.all(watchers.map(({ closed }) => closed))).toEqual(lost.map(() => 1000));
    expect(new Set(watchers.map(({ lastTopic }) => lastTopic()))).toEqual(new Set(["call.ended"]));
    await expect.poll(() => parley.openCalls(lost), { timeout: END_WITHIN_MS, interval: 100 }).toBe(0);
    await Promise.all(kept.map((call) => call.ask("Are you still there?")));
    await Promise.all(kept.map((call) => call.hangUp()));
    await expectRecordedOnce(parley, kept);

    for (const { sessionId } of lost) {
      const recorded = async () => (await parley.recorded(sessionId)).map(({ type }) => type);
      await expect.poll(recorded, { timeout: END_WITHIN_MS, interval: 100 }).toContain("recording.ready");
      expect(
        (await recorded()).filter((type) => type === "call.ended" || type === "recording.ready"),
      ).toHaveLength(2);
      expect(await parley.callRecord(sessionId)).toMatchObject({ status: "failed", endReason: "node_lost" });
      await expectPlayable(sessionId);
    }
  });

  async function hasSoundOnDisk(sessionId: string): Promise<boolean> {
    const [file] = globSync(join(parley.dataDir, "recordings", "*", sessionId, "*.wav"));
    if (file === undefined) return false;
    return (await readFile(file)).subarray(WAV_HEADER_BYTES).some((byte) => byte !== 0);
  }

  async function expectPlayable(sessionId: string): Promise<void> {
    const response = await parley.request("GET", `/api/v1/calls/${sessionId}/recording`);
    expect(response.status).toBe(200);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const sizes = new DataView(bytes.buffer);
    expect(sizes.getUint32(4, true)).toBe(bytes.length - 8);
    expect(sizes.getUint32(40, true)).toBe(bytes.length - 44);
    const { samples, sampleRateHz, channels } = readWav(bytes);
    expect({ sampleRateHz, channels }).toEqual({ sampleRateHz: 16_000, channels: 2 });
    expect(samples.some((sample) => sample !== 0)).toBe(true);
  }
});
