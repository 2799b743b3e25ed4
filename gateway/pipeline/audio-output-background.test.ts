import { Background } from "@parley/media/background/background.ts";
import { msToSamples } from "@parley/media/pcm.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { AudioOutput } from "./audio-output.ts";
import type { Reply } from "./reply.ts";

interface Sent {
  readonly playAtMs: number;
  readonly sentAtMs: number;
  readonly peak: number;
  readonly isPause: boolean;
}

/** An output with a room behind it, on a clock that is moved by hand in ticks of 20 ms. */
function setUp() {
  const clock = new ManualClock();
  const startMs = clock.monotonicMs();
  const sent: Sent[] = [];
  const finished: number[] = [];
  const late: number[] = [];
  let isWanted = true;
  const sound = new Background(0);
  sound.play(new Int16Array(16_000).fill(1_600));
  const note =
    (isPause: boolean) =>
    (frame: Int16Array, playAtMs: number): void => {
      const peak = frame.reduce((most, sample) => Math.max(most, sample), 0);
      sent.push({ playAtMs: playAtMs - startMs, sentAtMs: clock.monotonicMs() - startMs, peak, isPause });
    };
  const output = new AudioOutput({
    leadMs: 200,
    now: () => clock.monotonicMs(),
    background: { sound, isWanted: () => isWanted },
    sink: {
      sendFrame: note(false),
      sendPause: note(true),
      sendMark: () => undefined,
      together: (work) => work(),
      sendClear: () => true,
    },
    events: {
      onStarted: () => undefined,
      onClause: () => undefined,
      onFinished: (reply) => finished.push(reply.turn),
      onLateFrame: (lateMs) => late.push(lateMs),
    },
  });
  const advance = (ms: number, stepMs = 20): void => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      clock.advance(stepMs);
      output.tick();
    }
  };
  const want = (value: boolean): void => {
    isWanted = value;
  };
  return { output, sent, finished, late, advance, want, now: () => clock.monotonicMs() };
}

/** A clause of 10,000s, `ms` long. */
function say(output: AudioOutput, ms: number, text = "One two three four five."): Reply {
  const reply = output.begin({ turn: 1, interruptible: true });
  reply.beginClause(text);
  reply.write(new Int16Array(msToSamples(ms)).fill(10_000));
  reply.endClause();
  reply.complete();
  output.tick();
  return reply;
}

/** Each frame begins where the one before ended. */
function expectNoSeam(sent: readonly Sent[]): void {
  const steps = sent.slice(1).map(({ playAtMs }, i) => playAtMs - (sent[i]?.playAtMs ?? 0));
  expect(new Set(steps)).toEqual(new Set([20]));
}

describe("an audio output with a background", () => {
  it("is heard all the time, and at most two frames ahead while nothing is said", () => {
    const { sent, advance } = setUp();
    advance(2_000);
    expectNoSeam(sent);
    expect(sent.length).toBeGreaterThanOrEqual(100);
    for (const { playAtMs, sentAtMs } of sent) expect(playAtMs - sentAtMs).toBeLessThanOrEqual(20);
    expect(sent.at(-1)?.peak).toBe(160);
  });

  it("has the voice on top of it, without a gap before, under or after, and begins it at most 40 ms later", () => {
    const { output, sent, advance, finished } = setUp();
    advance(1_000);
    say(output, 1_000);
    const first = sent.find(({ isPause }) => !isPause);
    expect((first?.playAtMs ?? 0) - 1_000).toBeLessThanOrEqual(40);
    advance(2_000);
    expectNoSeam(sent);
    const voice = sent.filter(({ isPause }) => !isPause);
    expect(voice).toHaveLength(50);
    expect(new Set(voice.map(({ peak }) => peak))).toEqual(new Set([10_160]));
    expect(new Set(sent.slice(25, 50).map(({ peak }) => peak))).toEqual(new Set([160]));
    expect(finished).toEqual([1]);
  });

  it("finishes an answer when the voice was played, and counts as heard what was said", () => {
    const { output, finished, advance, now } = setUp();
    advance(500);
    const reply = say(output, 600);
    advance(400);
    expect(reply.heardMs(now())).toBeGreaterThanOrEqual(360);
    expect(reply.heardMs(now())).toBeLessThanOrEqual(400);
    expect(finished).toEqual([]);
    advance(240);
    expect(finished).toEqual([1]);
    advance(5_000);
    expect(reply.heardMs(now())).toBe(600);
  });

  it("goes on while the voice is held, and the voice goes on from where it stopped", () => {
    const { output, sent, advance, now } = setUp();
    advance(500);
    const reply = say(output, 2_000);
    advance(600);
    output.hold();
    const heardMs = reply.heardMs(now());
    const before = sent.length;
    advance(500);
    const meanwhile = sent.slice(before);
    expect(meanwhile.every(({ isPause, peak }) => isPause && peak === 160)).toBe(true);
    expectNoSeam(meanwhile);
    expect(reply.heardMs(now())).toBe(heardMs);
    output.resume();
    advance(3_000);
    expect(reply.heardMs(now())).toBe(2_000);
  });

  it("does not count the background for heard when an app counts all that it plays", () => {
    const { output, advance, now } = setUp();
    advance(500);
    const reply = output.begin({ turn: 1, interruptible: true });
    reply.beginClause("One.");
    reply.write(new Int16Array(msToSamples(400)).fill(10_000));
    output.tick();
    // The voice is slow: the room fills the pause.
    advance(2_000);
    output.hold();
    output.onPlayed(2_000);
    expect(reply.heardMs(now())).toBe(400);
  });

  it("plays nothing over what the app still has when an answer is dropped", () => {
    const { output, sent, advance } = setUp();
    advance(500);
    say(output, 2_000);
    advance(100);
    output.drop();
    advance(1_000);
    expectNoSeam(sent);
  });

  it("goes when it is not wanted any more, and then nothing is sent", () => {
    const { sent, advance, want } = setUp();
    advance(1_000);
    want(false);
    advance(540);
    expect(sent.at(-1)?.peak).toBeLessThan(10);
    const count = sent.length;
    advance(1_000);
    expect(sent).toHaveLength(count);
  });

  it("is not late after a stall: nobody waited for it", () => {
    const { sent, late, advance } = setUp();
    advance(500);
    advance(900, 900);
    advance(500);
    expect(late).toEqual([]);
    const gaps = sent.slice(1).filter(({ playAtMs }, i) => playAtMs - (sent[i]?.playAtMs ?? 0) !== 20);
    expect(gaps).toHaveLength(1);
  });
});
