import { FRAME_SAMPLES, msToSamples } from "@parley/media/pcm.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { AudioOutput } from "./audio-output.ts";
import type { Reply } from "./reply.ts";

/** An output whose frames are written down, on a clock that is moved by hand in ticks of 20 ms. */
function setUp({ reportsPlayed = true } = {}) {
  const clock = new ManualClock();
  const log: string[] = [];
  const played: { playAtMs: number; first: number }[] = [];
  const marks: string[] = [];
  const writes = { count: 0 };
  const output = new AudioOutput({
    leadMs: 200,
    now: () => clock.monotonicMs(),
    sink: {
      sendFrame: (frame, playAtMs) => played.push({ playAtMs, first: frame[0] ?? 0 }),
      sendPause: () => undefined,
      sendMark: (name) => marks.push(name),
      together: (work) => {
        writes.count += 1;
        work();
      },
      sendClear: () => {
        log.push("clear");
        return reportsPlayed;
      },
    },
    events: {
      onStarted: () => log.push("started"),
      onClause: (_reply, index) => log.push(`clause ${index}`),
      onFinished: () => log.push("finished"),
      onLateFrame: () => log.push("late"),
    },
  });
  const advance = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 20) {
      clock.advance(20);
      output.tick();
    }
  };
  return { clock, output, log, played, marks, writes, advance, now: () => clock.monotonicMs() };
}

/** Audio whose samples tell their own position, in frames. */
function clip(fromMs: number, lengthMs: number): Int16Array {
  const from = msToSamples(fromMs);
  return Int16Array.from({ length: msToSamples(lengthMs) }, (_, i) => Math.floor((from + i) / FRAME_SAMPLES));
}

function writeClause(reply: Reply, text: string, [fromMs, lengthMs]: [number, number]): void {
  reply.beginClause(text);
  reply.write(clip(fromMs, lengthMs));
  reply.endClause();
}

describe("the audio output", () => {
  it("sends audio at the pace of speech, never less than the lead ahead, three frames a write", () => {
    const { clock, output, played, advance, log, writes } = setUp();
    const startMs = clock.monotonicMs();
    const reply = output.begin({ turn: 1, interruptible: true });
    writeClause(reply, "One two three.", [0, 1_000]);
    reply.complete();
    output.tick();
    for (let tick = 0; tick < 25; tick++) {
      const aheadMs = played.length * 20 - (clock.monotonicMs() - startMs);
      expect(aheadMs).toBeGreaterThan(200);
      expect(aheadMs).toBeLessThanOrEqual(280);
      advance(20);
    }
    expect(played.map((frame) => frame.first)).toEqual(Array.from({ length: played.length }, (_, i) => i));
    expect(writes.count).toBe(1 + Math.ceil(25 / 3));
    expect(log).toEqual(["started", "clause 0"]);
  });

  it("is finished when the last sample was played, not when it was sent", () => {
    const { output, log, advance } = setUp();
    const reply = output.begin({ turn: 1, interruptible: true });
    writeClause(reply, "Bye.", [0, 400]);
    reply.complete();
    output.tick();
    advance(380);
    expect(log).not.toContain("finished");
    advance(40);
    expect(log).toContain("finished");
  });

  it("waits a moment for the last mark of an app that acknowledges marks", () => {
    const { output, log, marks, advance } = setUp();
    const reply = output.begin({ turn: 1, interruptible: true });
    writeClause(reply, "First.", [0, 200]);
    writeClause(reply, "Second.", [200, 200]);
    reply.complete();
    output.tick();
    advance(220);
    output.onMark(marks[0] ?? "");
    advance(400);
    expect(log).not.toContain("finished");
    output.onMark(marks[1] ?? "");
    expect(log).toContain("finished");
  });

  it("marks a clause also when its end became known after all of its audio was sent", () => {
    const { output, marks, advance } = setUp();
    const reply = output.begin({ turn: 1, interruptible: true });
    reply.beginClause("Yes.");
    reply.write(clip(0, 100));
    advance(60);
    reply.endClause();
    advance(20);
    expect(marks).toEqual(["t1-1"]);
    reply.complete();
    advance(100);
    expect(marks).toEqual(["t1-1"]);
  });

  it("goes on exactly where the caller stopped hearing after a false interruption", () => {
    const { output, played, advance, log, now } = setUp();
    const reply = output.begin({ turn: 1, interruptible: true });
    writeClause(reply, "A long answer.", [0, 2_000]);
    reply.complete();
    output.tick();
    advance(600);
    output.hold();
    expect(log).toContain("clear");
    const sentBefore = played.length;
    advance(1_000);
    expect(played).toHaveLength(sentBefore);
    expect(reply.heardMs(now())).toBe(600);
    output.resume();
    expect(played[sentBefore]).toEqual({ playAtMs: now(), first: 30 });
  });

  it("counts as heard only what had time to be, where marks come back late from a slow network", () => {
    const { output, marks, advance, now } = setUp();
    const reply = output.begin({ turn: 1, interruptible: true });
    writeClause(reply, "First.", [0, 400]);
    writeClause(reply, "Second.", [400, 2_000]);
    output.tick();
    advance(700);
    output.onMark(marks[0] ?? "");
    advance(300);
    output.hold();
    expect(reply.heardMs(now())).toBe(700);
  });

  it("does not wait for a report from those who give none", () => {
    const { output, advance } = setUp({ reportsPlayed: false });
    writeClause(output.begin({ turn: 1, interruptible: true }), "A long answer.", [0, 2_000]);
    output.tick();
    advance(600);
    output.hold();
    expect(output.awaitsPlayed).toBe(false);
  });

  it("believes the app's own report of what was played over the clock", () => {
    const { output, advance, now } = setUp();
    const reply = output.begin({ turn: 1, interruptible: true });
    writeClause(reply, "A long answer.", [0, 2_000]);
    output.tick();
    advance(600);
    output.hold();
    output.onPlayed(480);
    expect(reply.heardMs(now())).toBe(480);
  });

  it("does not believe a report of more than was sent, nor of less than was acknowledged", () => {
    const { output, marks, advance, now } = setUp();
    const reply = output.begin({ turn: 1, interruptible: true });
    writeClause(reply, "First.", [0, 400]);
    writeClause(reply, "Second.", [400, 2_000]);
    output.tick();
    advance(600);
    output.onMark(marks[0] ?? "");
    output.hold();
    output.onPlayed(99_000);
    expect(reply.heardMs(now())).toBeLessThanOrEqual(880);
    reply.report(10);
    expect(reply.heardMs(now())).toBe(400);
  });

  it("does not count a mark that comes back because of a clear", () => {
    const { output, marks, advance, now } = setUp();
    const reply = output.begin({ turn: 1, interruptible: true });
    writeClause(reply, "First.", [0, 300]);
    writeClause(reply, "Second.", [300, 2_000]);
    output.tick();
    advance(200);
    output.hold();
    for (const mark of marks) output.onMark(mark);
    output.onPlayed(200);
    expect(reply.heardMs(now())).toBe(200);
    expect(reply.heardText(now())).toBe("");
  });

  it("finishes at once when there is nothing to play", () => {
    const { output, log } = setUp();
    output.begin({ turn: 1, interruptible: true }).complete();
    output.tick();
    expect(log).toEqual(["finished"]);
  });

  it("drops what is queued when the brain clears it, and speaks what follows", () => {
    const { output, played, advance, log, now } = setUp();
    const reply = output.begin({ turn: 1, interruptible: true });
    writeClause(reply, "Forget this long sentence.", [0, 5_000]);
    output.tick();
    advance(1_400);
    output.skip();
    writeClause(reply, "Instead.", [9_000, 400]);
    reply.complete();
    const before = played.length;
    output.tick();
    expect(played[before]?.first).toBe(450);
    advance(460);
    expect(log).toContain("finished");
    expect(reply.text).toBe("Forget Instead.");
    expect(now()).toBeLessThan(3_000);
  });

  it("keeps the voice from running more than twenty seconds ahead", async () => {
    const { output, advance } = setUp();
    const reply = output.begin({ turn: 1, interruptible: true });
    reply.beginClause("very long");
    reply.write(new Int16Array(msToSamples(21_000)));
    let hasRoom = false;
    const room = reply.room().then(() => {
      hasRoom = true;
    });
    await Promise.resolve();
    expect(hasRoom).toBe(false);
    advance(1_500);
    await room;
    expect(hasRoom).toBe(true);
  });
});

describe("a line in front of an answer", () => {
  it("is played first, and what was heard of the answer does not count it", () => {
    const { output, log, played, advance, now } = setUp();
    const answer = output.begin({ turn: 1, interruptible: true });
    const line = output.interject(1);
    writeClause(line, "One moment.", [0, 400]);
    line.complete();
    output.tick();
    writeClause(answer, "Here it is.", [5_000, 1_000]);
    answer.complete();
    advance(700);
    expect(log).toEqual(["started", "clause 0", "finished", "started", "clause 0"]);
    const firsts = played.map(({ first }) => first);
    expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
    advance(200);
    output.hold();
    const byClock = answer.heardMs(now());
    output.onPlayed(byClock + 400);
    expect(answer.heardMs(now())).toBe(byClock);
  });

  it("gives way to the answer once that can be heard, and fades out", () => {
    const { output, log, played, advance, now } = setUp();
    const answer = output.begin({ turn: 1, interruptible: true });
    const line = output.interject(1);
    line.beginClause("One moment, please, I am looking it up.");
    line.write(new Int16Array(msToSamples(3_000)).fill(1_000));
    line.endClause();
    line.complete();
    output.tick();
    advance(400);
    expect(played.at(-1)?.first).toBe(1_000);
    const atMs = now();
    writeClause(answer, "Here it is.", [200, 1_000]);
    advance(600);
    const [first] = played.filter(({ first }) => first > 0 && first < 100);
    expect((first?.playAtMs ?? 0) - atMs).toBeLessThanOrEqual(400);
    const fade = played.filter(({ first }) => first >= 100 && first < 1_000);
    expect(fade.map(({ first }) => first)).toEqual([999, 799, 599, 399, 199]);
    expect(log).toEqual(["started", "clause 0", "finished", "started", "clause 0"]);
    expect(line.isFullyWritten).toBe(false);
    expect(line.heardText(now())).toBe("One");
  });

  it("is said to its end where that is near, and not at all where nothing of it was sent", () => {
    const { output, advance, log } = setUp();
    const answer = output.begin({ turn: 1, interruptible: true });
    const line = output.interject(1);
    writeClause(line, "One moment.", [0, 400]);
    line.complete();
    output.tick();
    writeClause(answer, "Here it is.", [0, 400]);
    answer.complete();
    advance(1_200);
    expect(line.isFullyWritten).toBe(true);
    expect(line.heardText(2_000)).toBe("One moment.");
    log.length = 0;
    const other = output.begin({ turn: 2, interruptible: true });
    const unsaid = output.interject(2);
    writeClause(other, "Here it is.", [0, 400]);
    writeClause(unsaid, "One moment, please.", [0, 1_000]);
    advance(40);
    expect(unsaid.heardText(2_000)).toBe("");
    expect(output.reply).toBe(other);
  });

  it("lets an answer wait that begins meanwhile, and goes with it when both are dropped", () => {
    const { output, log, advance } = setUp();
    const line = output.interject(1);
    writeClause(line, "One moment.", [0, 400]);
    line.complete();
    const answer = output.begin({ turn: 1, interruptible: true });
    expect(output.reply).toBe(line);
    advance(800);
    expect(output.reply).toBe(answer);
    output.drop();
    output.interject(2);
    const dropped = output.begin({ turn: 2, interruptible: true });
    output.drop();
    expect(dropped.isComplete).toBe(true);
    expect(output.reply).toBeUndefined();
    expect(log.filter((entry) => entry === "finished")).toHaveLength(1);
  });
});
