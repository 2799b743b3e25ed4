import { describe, expect, it } from "vitest";
import {
  BY_APP,
  BY_UTTERANCE,
  begun,
  ended,
  faint,
  final,
  interim,
  play,
  runs,
  SETTINGS,
  SPEAKING,
  started,
  THINKING,
  tick,
} from "./turn-reducer.cases.ts";

const { minSpeechMs, confirmSpeechMs, falseAlarmMs } = SETTINGS.bargeIn;

describe("talking over the agent", () => {
  it("lowers the answer as soon as a clear voice has lasted long enough, and not before", () => {
    const early = play([started(0), runs(minSpeechMs - 20, minSpeechMs - 20)], SETTINGS, SPEAKING);
    expect(early.names).toEqual([]);
    const { names } = play([runs(minSpeechMs, minSpeechMs)], SETTINGS, early.state);
    expect(names).toEqual(["duck_reply"]);
  });

  it("changes nothing for a sound of the room, however long it lasts", () => {
    const { names } = play([started(0), faint(500, 500), faint(9_000, 9_000)], SETTINGS, SPEAKING);
    expect(names).toEqual([]);
  });

  it("stops the answer when words come, and cuts it when the turn is over", () => {
    const { names } = play(
      [started(0), runs(200, 200), interim("wait", 500), ended(900), final("Wait.", 1_150), tick(1_300)],
      SETTINGS,
      SPEAKING,
    );
    expect(names.filter((name) => name !== "partial")).toEqual([
      "duck_reply",
      "hold_reply",
      "abort_generation",
      "finalize",
      "cut_reply",
      "begin_turn",
    ]);
  });

  it("stops the answer for a clear voice that lasts, before its words are known, and keeps the rest of it", () => {
    const before = play([started(0), runs(confirmSpeechMs - 20, confirmSpeechMs - 20)], SETTINGS, SPEAKING);
    expect(before.names).toEqual(["duck_reply"]);
    const { names, state } = play([runs(confirmSpeechMs, confirmSpeechMs)], SETTINGS, before.state);
    expect(names).toEqual(["hold_reply"]);
    const words = play([interim("could you", 1_900)], SETTINGS, state);
    expect(words.names).toContain("abort_generation");
  });

  it("goes on at full volume after a cough", () => {
    const { state, names } = play(
      [started(0), runs(200, 200), ended(300), final("", 700)],
      SETTINGS,
      SPEAKING,
    );
    expect(names).toEqual(["duck_reply", "finalize", "restore_reply"]);
    expect(state.agent.kind).toBe("speaking");
  });

  it("does not stop for a noise that was too short to count, whose final is empty", () => {
    const { names } = play([started(0), runs(80, 80), ended(80), final("", 500)], SETTINGS, SPEAKING);
    expect(names).toEqual(["finalize"]);
  });

  it("goes on softly after a false interruption though the recognizer still owes its answer, and stops when that has words", () => {
    const resumesAtMs = 1_500 + falseAlarmMs;
    const long = [started(0), runs(confirmSpeechMs, confirmSpeechMs), ended(1_500), tick(resumesAtMs)];
    const { names, state } = play(long, BY_UTTERANCE, SPEAKING);
    expect(names).toEqual(["hold_reply", "finalize", "resume_reply", "duck_reply"]);
    const words = play([final("What did you say?", resumesAtMs + 900)], BY_UTTERANCE, state);
    expect(words.names.filter((name) => name !== "partial")).toEqual([
      "hold_reply",
      "abort_generation",
      "cut_reply",
      "begin_turn",
    ]);
  });

  it("goes on softly under a voice that stopped it and has no words, which stops it no second time", () => {
    const stopped = [started(0), runs(confirmSpeechMs, confirmSpeechMs)];
    const before = play([...stopped, tick(confirmSpeechMs + falseAlarmMs - 20)], SETTINGS, SPEAKING);
    expect(before.names).toEqual(["hold_reply"]);
    const goesOn = [tick(confirmSpeechMs + falseAlarmMs), runs(9_000, 9_000), tick(9_000)];
    const after = play(goesOn, SETTINGS, before.state);
    expect(after.names).toEqual(["resume_reply", "duck_reply"]);
    const words = play([interim("could you", 9_300)], SETTINGS, after.state);
    expect(words.names).toEqual(["partial", "hold_reply", "abort_generation"]);
  });

  it("waits for the voice's end where no words can come before it", () => {
    const long = [started(0), runs(confirmSpeechMs, confirmSpeechMs), tick(confirmSpeechMs + falseAlarmMs)];
    expect(play(long, BY_UTTERANCE, SPEAKING).names).toEqual(["hold_reply"]);
  });

  it("asks twice as much of a voice after one that had no words, until one has some", () => {
    const wordless = [started(0), runs(confirmSpeechMs, confirmSpeechMs), ended(1_500), final("", 1_800)];
    const { state } = play(wordless, SETTINGS, SPEAKING);
    const again = play([started(2_000), runs(confirmSpeechMs, 3_300)], SETTINGS, state);
    expect(again.names).toEqual(["duck_reply"]);
    const longer = play([runs(2 * confirmSpeechMs, 4_500)], SETTINGS, again.state);
    expect(longer.names).toEqual(["hold_reply"]);
    expect(longer.state.wordlessStops).toBe(1);
    expect(play([interim("could you", 4_600)], SETTINGS, longer.state).state.wordlessStops).toBe(0);
  });

  it("goes on with the answer after a cough when the caller's app does the recognizing", () => {
    const { names } = play(
      [started(0), runs(200, 200), ended(300), tick(300 + falseAlarmMs)],
      BY_APP,
      SPEAKING,
    );
    expect(names).toEqual(["duck_reply", "restore_reply"]);
  });

  it.each(["mm-hmm", "I see", "okay", "great", "sure"])(
    "is not stopped by a listener's %j, nor by its beginning",
    (noise) => {
      const { names } = play(
        [
          started(0),
          runs(200, 200),
          interim(noise.slice(0, 2), 400),
          interim(noise, 500),
          ended(600),
          final(noise, 900),
          tick(3_000),
        ],
        SETTINGS,
        SPEAKING,
      );
      expect(names.filter((name) => name !== "partial")).toEqual(["duck_reply", "finalize", "restore_reply"]);
    },
  );

  it("takes a mm-hm for an answer when the agent was nearly done", () => {
    const { names } = play(
      [
        started(0),
        runs(200, 200),
        { type: "reply_held", unheardMs: 300 },
        ended(300),
        final("mm-hmm", 700),
        tick(3_000),
      ],
      SETTINGS,
      SPEAKING,
    );
    expect(names).toContain("begin_turn");
  });

  it("asks for as many words as the agent's owner wants", () => {
    const settings = { ...SETTINGS, bargeIn: { ...SETTINGS.bargeIn, minWords: 2 } };
    const one = play([started(0), runs(900, 900), interim("no", 950)], settings, SPEAKING);
    expect(one.names).not.toContain("hold_reply");
    const two = play([interim("no wait", 1_100)], settings, one.state);
    expect(two.names).toContain("hold_reply");
  });

  it("keeps what is said over a legal notice and answers it afterwards", () => {
    const guarded = play(
      [{ type: "overrides", overrides: { interruptible: false } }],
      SETTINGS,
      SPEAKING,
    ).state;
    const over = play(
      [started(0), runs(900, 900), ended(1_000), final("I agree.", 1_200), tick(2_000)],
      SETTINGS,
      guarded,
    );
    expect(over.names).not.toContain("hold_reply");
    const after = play([{ type: "reply_finished", nowMs: 5_000 }, tick(5_020)], SETTINGS, over.state);
    expect(begun(after.effects)).toMatchObject([{ query: "I agree." }]);
  });

  it("does nothing at all where barge-in is switched off", () => {
    const settings = { ...SETTINGS, bargeIn: { ...SETTINGS.bargeIn, enabled: false } };
    const { names } = play([started(0), runs(2_000, 2_000)], settings, SPEAKING);
    expect(names).toEqual([]);
  });
});

describe("going on while the brain thinks", () => {
  it("makes one turn of what was asked and what is added, under the same number", () => {
    const { effects, names } = play(
      [
        started(500),
        runs(120, 620),
        interim("for two", 700),
        ended(900),
        final("For two people.", 1_100),
        tick(1_300),
      ],
      SETTINGS,
      THINKING,
    );
    expect(names.filter((name) => name !== "partial")[0]).toBe("abandon_turn");
    expect(begun(effects)).toMatchObject([
      { turn: 1, query: "hello For two people.", addedText: "For two people." },
    ]);
  });

  it("does not give the request up for a sound, however long and clear, where words would have come", () => {
    const { names } = play(
      [started(500), runs(3_000, 3_500), ended(3_500), final("", 3_800)],
      SETTINGS,
      THINKING,
    );
    expect(names).toEqual(["finalize"]);
  });

  it("does not give the request up for a listener's noise", () => {
    const { names } = play(
      [started(500), ended(900), final("Okay.", 1_100), tick(3_000)],
      SETTINGS,
      THINKING,
    );
    expect(names).not.toContain("abandon_turn");
  });

  it("gives it up for a long clear voice where the recognizer tells no words before it is over", () => {
    const { minSpeechMs: longMs } = SETTINGS.thinkingInterruption;
    const faintly = play([started(500), faint(5_000, 5_500)], BY_UTTERANCE, THINKING);
    expect(faintly.names).toEqual([]);
    const { names } = play([started(500), runs(longMs, 500 + longMs)], BY_UTTERANCE, THINKING);
    expect(names).toEqual(["abandon_turn"]);
  });

  it("asks again what was asked when that was no voice, measured from the question", () => {
    const { effects } = play(
      [started(500), runs(900, 1_400), ended(1_400), final("", 1_900), tick(3_000)],
      BY_UTTERANCE,
      THINKING,
    );
    expect(begun(effects)).toMatchObject([{ turn: 1, query: "hello", addedText: "", endOfVoiceMs: 0 }]);
  });

  it("can be switched off", () => {
    const settings = {
      ...SETTINGS,
      thinkingInterruption: { ...SETTINGS.thinkingInterruption, enabled: false },
    };
    const { names } = play([started(500), runs(900, 1_400), interim("for two", 1_500)], settings, THINKING);
    expect(names).toEqual(["partial"]);
  });
});
