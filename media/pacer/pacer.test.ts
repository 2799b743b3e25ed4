import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Pacer } from "./pacer.ts";

/** A pacer on a hand-moved clock; `log` holds what it sent: play times, marks as "#name", lateness as "late n". */
function openPacer(leadMs = 200) {
  let nowMs = 10_000;
  const log: (number | string)[] = [];
  const samples: number[] = [];
  const pacer = new Pacer({
    leadMs,
    now: () => nowMs,
    onFrame: (frame, playAtMs) => {
      expect(frame).toHaveLength(320);
      samples.push(...frame);
      log.push(playAtMs - 10_000);
    },
    onMark: (name) => log.push(`#${name}`),
    onLate: (lateMs) => log.push(`late ${lateMs}`),
  });
  const runTo = (ms: number, stepMs = 10) => {
    while (nowMs < 10_000 + ms) {
      nowMs = Math.min(10_000 + ms, nowMs + stepMs);
      pacer.pump();
    }
  };
  const jumpTo = (ms: number) => {
    nowMs = 10_000 + ms;
    pacer.pump();
  };
  return { pacer, log, samples, runTo, jumpTo, take: () => log.splice(0) };
}

const ms = (duration: number, value = 1) => new Int16Array(duration * 16).fill(value);

describe("the pacer", () => {
  it("sends the lead at once and then one frame every 20 ms", () => {
    const { pacer, take, runTo, jumpTo } = openPacer(100);
    pacer.write(ms(400));
    jumpTo(0);
    expect(take()).toEqual([0, 20, 40, 60, 80, 100]);
    runTo(60);
    expect(take()).toEqual([120, 140, 160]);
    runTo(1_000);
    expect(take()).toEqual([180, 200, 220, 240, 260, 280, 300, 320, 340, 360, 380]);
  });

  it("catches up in one go on the old timeline when a pump is late", () => {
    const { pacer, take, jumpTo } = openPacer(100);
    pacer.write(ms(400));
    jumpTo(0);
    take();
    jumpTo(90);
    expect(take()).toEqual([120, 140, 160, 180]);
  });

  it("begins a new run at now when the pump was later than the lead, and tells how late", () => {
    const { pacer, take, jumpTo } = openPacer(100);
    pacer.write(ms(400));
    jumpTo(0);
    take();
    jumpTo(200);
    expect(take()).toEqual(["late 80", 200, 220, 240, 260, 280, 300]);
    expect(pacer.endsAtMs - 10_000).toBe(200 + 280);
  });

  it("begins a new run without lateness when more audio came only after the last was played", () => {
    const { pacer, take, jumpTo, runTo } = openPacer(100);
    pacer.write(ms(40));
    runTo(500);
    take();
    pacer.write(ms(40));
    jumpTo(500);
    expect(take()).toEqual([500, 520]);
  });

  it("goes on without a seam when more audio comes in time", () => {
    const { pacer, take, jumpTo, runTo } = openPacer(100);
    pacer.write(ms(40));
    jumpTo(0);
    runTo(30);
    pacer.write(ms(40));
    jumpTo(30);
    expect(take()).toEqual([0, 20, 40, 60]);
  });

  it("lets part of a frame wait for more and pads it only when it would come too late", () => {
    const { pacer, take, samples, runTo, jumpTo } = openPacer(100);
    pacer.write(ms(50));
    jumpTo(0);
    runTo(10);
    expect(take()).toEqual([0, 20]);
    pacer.write(ms(5, 2));
    runTo(19);
    expect(take()).toEqual([]);
    runTo(20);
    expect(take()).toEqual([40]);
    expect(samples.slice(640)).toEqual([...ms(10), ...ms(5, 2), ...ms(5, 0)]);
  });

  it("pads the last frame at once on flush", () => {
    const { pacer, take, jumpTo } = openPacer();
    pacer.write(ms(25));
    pacer.flush();
    pacer.flush();
    jumpTo(0);
    expect(take()).toEqual([0, 20]);
  });

  it("places a mark after the audio before it and ahead of what follows", () => {
    const { pacer, take, jumpTo } = openPacer();
    pacer.mark("first");
    pacer.write(ms(30));
    pacer.mark("middle");
    pacer.write(ms(30));
    pacer.mark("end");
    pacer.mark("end too");
    jumpTo(0);
    expect(take()).toEqual(["#first", 0, 20, "#middle", 40, "#end", "#end too"]);
  });

  it("holds a mark until the part of a frame before it was sent", () => {
    const { pacer, take, jumpTo, runTo } = openPacer();
    pacer.write(ms(50));
    pacer.mark("end");
    jumpTo(0);
    expect(take()).toEqual([0, 20]);
    runTo(100);
    expect(take()).toEqual([40, "#end"]);
  });

  it("drops audio and marks on clear, and what comes next plays at once", () => {
    const { pacer, take, jumpTo } = openPacer(100);
    pacer.write(ms(400));
    pacer.mark("never");
    jumpTo(0);
    take();
    jumpTo(50);
    take();
    pacer.clear();
    expect(pacer.queuedMs).toBe(0);
    expect(pacer.isIdle).toBe(true);
    pacer.write(ms(20));
    pacer.mark("next");
    jumpTo(50);
    expect(take()).toEqual([50, "#next"]);
  });

  it("may be cleared from inside onFrame", () => {
    const frames: number[] = [];
    const pacer: Pacer = new Pacer({
      leadMs: 200,
      now: () => 0,
      onFrame: (_frame, playAtMs) => {
        frames.push(playAtMs);
        pacer.clear();
      },
      onMark: () => undefined,
    });
    pacer.write(ms(400));
    pacer.pump();
    expect(frames).toEqual([0]);
  });

  it("knows when it has said everything", () => {
    const { pacer, runTo, jumpTo } = openPacer(100);
    expect(pacer.isIdle).toBe(true);
    pacer.write(ms(130));
    expect([pacer.isIdle, pacer.queuedMs, pacer.endsAtMs - 10_000]).toEqual([false, 130, 140]);
    jumpTo(0);
    expect(pacer.endsAtMs - 10_000).toBe(140);
    runTo(139);
    expect(pacer.isIdle).toBe(false);
    runTo(140);
    expect(pacer.isIdle).toBe(true);
    runTo(300);
    expect(pacer.endsAtMs - 10_000).toBe(140);
  });

  it("sends every sample once, in order, never two frames for one moment, however writes and pumps fall", () => {
    const step = fc.record({
      waitMs: fc.integer({ min: 0, max: 300 }),
      writeSamples: fc.integer({ min: 0, max: 3_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 20, max: 400 }), (steps, leadMs) => {
        let nowMs = 0;
        let next = 1;
        const sent: number[] = [];
        const playTimes: number[] = [];
        const pacer = new Pacer({
          leadMs,
          now: () => nowMs,
          onFrame: (frame, playAtMs) => {
            sent.push(...frame.filter((x) => x !== 0));
            expect(playAtMs).toBeGreaterThanOrEqual((playTimes.at(-1) ?? -20) + 20);
            expect(playAtMs - nowMs).toBeLessThanOrEqual(leadMs);
            expect(playAtMs).toBeGreaterThanOrEqual(nowMs);
            playTimes.push(playAtMs);
          },
          onMark: () => undefined,
        });
        for (const { waitMs, writeSamples } of steps) {
          nowMs += waitMs;
          pacer.write(Int16Array.from({ length: writeSamples }, () => (next++ % 30_000) + 1));
          pacer.pump();
        }
        pacer.flush();
        for (let i = 0; i < 500 && pacer.queuedMs > 0; i++) {
          nowMs += 20;
          pacer.pump();
        }
        for (; pacer.queuedMs > 0; nowMs += 20) pacer.pump();
        expect(sent).toEqual(Array.from({ length: next - 1 }, (_, i) => ((i + 1) % 30_000) + 1));
      }),
    );
  });
});
