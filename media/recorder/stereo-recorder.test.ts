import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readWav } from "../wav/wav-reader.ts";
import { WavWriter } from "../wav/wav-writer.ts";
import { CallerTimeline } from "./caller-timeline.ts";
import { StereoRecorder } from "./stereo-recorder.ts";

const RATE = 16_000;

function openRecorder(windowMs?: number) {
  let file = new Uint8Array(1 << 16);
  let length = 0;
  const sink = {
    write(bytes: Uint8Array) {
      while (length + bytes.length > file.length) {
        const larger = new Uint8Array(2 * file.length);
        larger.set(file);
        file = larger;
      }
      file.set(bytes, length);
      length += bytes.length;
    },
    writeSilence(byteCount: number) {
      sink.write(new Uint8Array(byteCount));
    },
    rewriteAt: (offset: number, bytes: Uint8Array) => file.set(bytes, offset),
  };
  const writer = new WavWriter({ sink, sampleRateHz: RATE, channels: 2 });
  const recorder = new StereoRecorder(
    windowMs === undefined ? { writer } : { writer, behindMs: windowMs, aheadMs: windowMs },
  );
  const read = () => {
    const { samples } = readWav(file.subarray(0, length));
    return {
      caller: samples.filter((_, i) => i % 2 === 0),
      agent: samples.filter((_, i) => i % 2 === 1),
    };
  };
  return { recorder, read };
}

const tone = (length: number, value: number) => new Int16Array(length).fill(value);

describe("the stereo recorder", () => {
  it("puts the caller left and the agent right, where the clock says, in any order of arrival", () => {
    const { recorder, read } = openRecorder();
    recorder.writeAgent(700, tone(100, 9));
    recorder.writeCaller(400, tone(100, 5));
    recorder.writeCaller(100, tone(200, 4));
    recorder.finish(1_000);
    const { caller, agent } = read();
    expect([caller.length, agent.length]).toEqual([1_000, 1_000]);
    expect([
      caller[99],
      caller[100],
      caller[299],
      caller[300],
      caller[400],
      caller[499],
      caller[500],
    ]).toEqual([0, 4, 4, 0, 5, 5, 0]);
    expect([agent[699], agent[700], agent[799], agent[800]]).toEqual([0, 9, 9, 0]);
  });

  it("takes back what the caller did not hear", () => {
    const { recorder, read } = openRecorder();
    recorder.writeAgent(0, tone(5_000, 7));
    recorder.eraseAgentFrom(2_000);
    recorder.writeAgent(4_000, tone(100, 8));
    recorder.finish(6_000);
    const { agent } = read();
    expect([agent[1_999], agent[2_000], agent[3_999], agent[4_000], agent[4_100]]).toEqual([7, 0, 0, 8, 0]);
  });

  it("drops and counts what comes too late or too far ahead", () => {
    const { recorder, read } = openRecorder(1_000);
    recorder.advance(10 * RATE);
    recorder.writeCaller(7 * RATE, tone(320, 1));
    recorder.writeCaller(60 * RATE, tone(320, 1));
    recorder.writeCaller(10 * RATE, tone(320, 2));
    expect(recorder.droppedSamples).toBe(640);
    recorder.finish(11 * RATE);
    const { caller } = read();
    expect(caller.filter((x) => x === 1)).toHaveLength(0);
    expect(caller.filter((x) => x === 2)).toHaveLength(320);
  });

  it("records the silence of a call in which nobody speaks, and what comes after it", () => {
    const { recorder, read } = openRecorder(100);
    recorder.advance(RATE);
    recorder.writeAgent(RATE, tone(160, 7));
    recorder.finish(RATE + 320);
    const { caller, agent } = read();
    expect(caller).toEqual(new Int16Array(RATE + 320));
    expect([agent.length, agent[RATE - 1], agent[RATE], agent[RATE + 159], agent[RATE + 160]]).toEqual([
      RATE + 320,
      0,
      7,
      7,
      0,
    ]);
  });

  it("finishes once", () => {
    const { recorder, read } = openRecorder();
    recorder.finish(500);
    recorder.finish(900);
    expect(read().caller).toHaveLength(500);
  });

  it("does not stretch a call of 863 s whose audio comes in bursts and gaps", () => {
    const { recorder, read } = openRecorder();
    const timeline = new CallerTimeline({
      startMs: 0,
      write: (at, samples) => recorder.writeCaller(at, samples),
    });
    const frame = tone(320, 3);
    const callMs = 863_000;
    // Every 10 s the network stalls for a second and then delivers everything.
    for (let ms = 20; ms <= callMs; ms += 20) {
      const inCycle = ms % 10_000;
      const isStalled = inCycle > 9_000;
      const frames = inCycle === 0 ? 50 : Number(!isStalled);
      for (let i = 0; i < frames; i++) timeline.push(ms, frame);
      timeline.tick(ms);
      recorder.advance(ms * 16);
    }
    timeline.end();
    recorder.finish(callMs * 16);
    expect(recorder.droppedSamples).toBe(0);
    const { caller } = read();
    expect(caller.length / RATE).toBe(863);
    expect(caller.filter((sample) => sample === 3)).toHaveLength(863 * RATE);
  });

  it("is as long as the clock and says at each position what was last written there", () => {
    const write = fc.record({
      side: fc.constantFrom("caller" as const, "agent" as const),
      at: fc.integer({ min: 0, max: 3_000 }),
      length: fc.integer({ min: 0, max: 600 }),
      value: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(
        fc.array(write, { maxLength: 20 }),
        fc.integer({ min: 0, max: 4_000 }),
        (writes, length) => {
          const { recorder, read } = openRecorder();
          const expected = { caller: new Int16Array(4_000), agent: new Int16Array(4_000) };
          for (const { side, at, length: count, value } of writes) {
            if (side === "caller") recorder.writeCaller(at, tone(count, value));
            else recorder.writeAgent(at, tone(count, value));
            expected[side].fill(value, at, at + count);
          }
          recorder.finish(length);
          expect(read()).toEqual({
            caller: expected.caller.slice(0, length),
            agent: expected.agent.slice(0, length),
          });
        },
      ),
    );
  });
});
