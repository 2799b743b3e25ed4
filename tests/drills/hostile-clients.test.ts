import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { needs } from "../../testkit/needs.ts";
import { attack } from "./support/attack.ts";
import { waitedForCpuMs } from "./support/cpu-waits.ts";
import type { DrillCall } from "./support/drill-call.ts";
import { Lateness } from "./support/lateness.ts";
import { LoneNode } from "./support/lone-node.ts";
import { metricOf } from "./support/metric-of.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

const LEAD_MS = 200;
const START_TIMEOUT_MS = 3_000;
const QUIET_TURNS = 2;
/** 5,000 idle sockets cost about 50 MB, a deaf one at most 1 MiB and its call. */
const MAX_GROWTH_BYTES = 192 * 1024 * 1024;
const LONG = "And then there is a great deal more to say about it. ";

describe.runIf(needs("redis"))("Hostile clients beside a live call", () => {
  let node: LoneNode;
  let brain: TestBrain;
  beforeAll(async () => {
    node = await LoneNode.start({
      env: {
        START_TIMEOUT_MS: String(START_TIMEOUT_MS),
        RESUME_WINDOW_MS: "500",
        AUDIO_LEAD_MS: String(LEAD_MS),
      },
    });
    brain = await TestBrain.start((turn) => {
      turn.token(
        turn.request.query === "Tell me everything." ? LONG.repeat(200) : "I hear you, loud and clear.",
      );
      turn.done();
    });
  });
  afterAll(async () => {
    brain.close();
    await node.remove();
  });

  const url = async (): Promise<string> =>
    (await node.createSession({ brain: { url: brain.url } })).websocketUrl;

  /** Goes on talking until `over`; gives the most memory the node took meanwhile. */
  async function talk(call: DrillCall, over: Promise<unknown>): Promise<number> {
    let isOver = false;
    let mostBytes = 0;
    const ended = over.finally(() => {
      isOver = true;
    });
    const talking = async (): Promise<void> => {
      while (!isOver) {
        await call.ask("Do you hear me?");
        mostBytes = Math.max(mostBytes, await metricOf(node, "process_resident_memory_bytes"));
      }
    };
    await Promise.all([ended, talking()]);
    return mostBytes;
  }

  /** How long the node, and the caller and brain in this process, had no core to run on. */
  const waitedMs = async (): Promise<number> =>
    (await waitedForCpuMs(node.server.pid)) + (await waitedForCpuMs(process.pid));

  it("are closed or bounded, and the call keeps being answered in step", DRILL, async () => {
    const { sockets, deaf, attackMs } = sizeOf("hostileClients");
    const call = await node.call({ brain: { url: brain.url } });
    const lateness = new Lateness(call, LEAD_MS);
    for (let turn = 0; turn < QUIET_TURNS; turn++) await call.ask("Can you hear me?");
    const quietMs = lateness.takeP99();
    const waitedBeforeMs = await waitedMs();
    const bytesBefore = await metricOf(node, "process_resident_memory_bytes");

    const mute = attack("mute", await url(), sockets);
    const nonsense = attack("nonsense", await url(), attackMs);
    const flood = attack("flood", await url(), attackMs);
    const readers = Array.from({ length: deaf }, async () => attack("deaf", await url(), attackMs));
    const mostBytes = await talk(call, Promise.all([mute, nonsense, flood, ...readers]));

    const hostileMs = lateness.takeP99();
    const busyMs = (await waitedMs()) - waitedBeforeMs;
    console.info(
      `99 of 100 frames came within ${Math.round(hostileMs)} ms, ${Math.round(quietMs)} ms before; ${Math.round(busyMs)} ms without a core`,
    );
    expect((await mute).closed).toEqual({ 4008: sockets });
    expect((await nonsense).closed).toEqual({ 4000: 1 });
    expect((await flood).errors).toContain("message_flood");
    expect(mostBytes - bytesBefore).toBeLessThan(MAX_GROWTH_BYTES);
    // Frames are sent so far ahead: what is later by less is heard in time. What the machine did not let run is not late.
    expect(hostileMs).toBeLessThan(quietMs + LEAD_MS + busyMs);
    await expect.poll(() => metricOf(node, "parley_live_calls"), { timeout: 90_000 }).toBe(1);
    expect(await metricOf(node, "parley_call_sockets")).toBe(1);
    await call.ask("Are you still there?");
    expect((await call.hangUp()).code).toBe(1000);
  });
});
