import { msToSamples } from "@parley/media/pcm.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heardText, PlaybackTimeline } from "./heard.ts";

const clause = (text: string, startMs: number, endMs?: number) => ({
  text,
  startSample: msToSamples(startMs),
  endSample: endMs === undefined ? undefined : msToSamples(endMs),
});

describe("what the caller heard", () => {
  const clauses = [
    clause("Your table is booked,", 0, 1_000),
    clause(" for two people at eight o'clock.", 1_000, 3_000),
  ];

  it.each([
    [0, ""],
    [1_000, "Your table is booked,"],
    [2_000, "Your table is booked, for two people"],
    [3_000, "Your table is booked, for two people at eight o'clock."],
  ])("after %i ms is %j", (ms, expected) => {
    expect(heardText(clauses, msToSamples(ms))).toBe(expected);
  });

  it("counts a word only when it was spoken in full", () => {
    expect(heardText([clause("extraordinary weather", 0, 2_000)], msToSamples(900))).toBe("");
  });

  describe("of a voice that tells when it says what", () => {
    const text = " Wait, we are open.";
    // "Wait," is drawn out over two seconds; the rest takes one.
    const times = [...text].map((_, i) => ({
      endChar: i + 1,
      endSample: msToSamples(i < 6 ? (i + 1) * 333 : 2_000 + (i - 5) * 75),
    }));
    const said = { ...clause(text, 0), times };

    it.each([
      [1_000, ""],
      [1_900, "Wait"],
      [2_300, "Wait, we"],
      [2_700, "Wait, we are"],
      [2_990, "Wait, we are open."],
    ])("after %i ms is %j, whatever the rate", (ms, expected) => {
      expect(heardText([said], msToSamples(ms))).toBe(expected);
      expect(heardText([{ ...said, endSample: msToSamples(3_500) }], msToSamples(ms))).toBe(expected);
    });

    it("goes by the rate again where nothing was told for a second", () => {
      const partly = { ...clause(text, 0, 6_000), times: times.slice(0, 3) };
      expect(heardText([partly], msToSamples(1_900))).toBe("");
      expect(heardText([partly], msToSamples(5_000))).toBe("Wait, we are");
    });
  });

  it("is estimated at a middling rate while a clause's audio is still coming", () => {
    const text = "This goes on for quite a while without any end.";
    const heard = heardText([clause(text, 0)], msToSamples(1_000));
    expect(text.startsWith(heard)).toBe(true);
    expect(heard.split(" ").length).toBeGreaterThan(1);
    expect(heard.length).toBeLessThan(text.length);
  });

  it("is more in the same time of a voice that was asked to speak faster", () => {
    const coming = [clause("This goes on for quite a while without any end.", 0)];
    const heard = (speed: number): string => heardText(coming, msToSamples(1_000), speed);
    expect(heard(2).startsWith(heard(1))).toBe(true);
    expect(heard(2).length).toBeGreaterThan(1.5 * heard(1).length);
  });

  it("never grows by hearing less", () => {
    fc.assert(
      fc.property(fc.nat(4_000), fc.nat(4_000), (a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        const shorter = heardText(clauses, msToSamples(less));
        return heardText(clauses, msToSamples(more)).startsWith(shorter);
      }),
    );
  });
});

describe("the playback timeline", () => {
  it("counts only what is due at the loudspeaker", () => {
    const timeline = new PlaybackTimeline();
    timeline.sent(100, msToSamples(20));
    timeline.sent(120, msToSamples(20));
    expect(timeline.playedSamples(90)).toBe(0);
    expect(timeline.playedSamples(130)).toBe(msToSamples(30));
    expect(timeline.playedSamples(9_000)).toBe(msToSamples(40));
  });

  it("does not count the gaps of a slow voice", () => {
    const timeline = new PlaybackTimeline();
    timeline.sent(0, msToSamples(100));
    timeline.sent(500, msToSamples(100));
    expect(timeline.playedSamples(550)).toBe(msToSamples(150));
  });

  it("goes on from what was heard after a false interruption", () => {
    const timeline = new PlaybackTimeline();
    timeline.sent(0, msToSamples(400));
    timeline.restartAt(msToSamples(150));
    timeline.sent(2_000, msToSamples(250));
    expect(timeline.playedSamples(2_100)).toBe(msToSamples(250));
  });
});
