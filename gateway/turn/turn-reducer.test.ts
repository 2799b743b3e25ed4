import { describe, expect, it } from "vitest";
import {
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
  typed,
} from "./turn-reducer.cases.ts";
import type { TurnEvent } from "./turn-state.ts";

describe("the end of a turn", () => {
  it("comes soon after a complete sentence, counted from the end of the voice", () => {
    const { effects, names } = play([started(0), ended(1_000), final("Book a table.", 1_250), tick(1_350)]);
    expect(names).toEqual(["finalize", "partial", "start_preemptive", "begin_turn"]);
    expect(begun(effects)).toMatchObject([
      { turn: 1, query: "Book a table.", endOfVoiceMs: 1_000, decidedAtMs: 1_350, adoptsPreemptive: true },
    ]);
  });

  it("is asked for ahead when the recognizer has ended the speech itself, before its last final is there", () => {
    const speechEnd = {
      ...final("Book a table.", 1_190),
      fromFinalize: false,
      endsSpeech: true,
    } as TurnEvent;
    const early = play([started(0), runs(900, 900), speechEnd, ended(1_000)]);
    expect(early.names).toEqual(["partial", "finalize", "start_preemptive"]);
    const { effects } = play([final("", 1_320), tick(1_360)], SETTINGS, early.state);
    expect(begun(effects)).toMatchObject([{ query: "Book a table.", adoptsPreemptive: true }]);
    const more = play([final("For two.", 1_320)], SETTINGS, early.state);
    expect(more.names).toContain("drop_preemptive");
  });

  it("is not asked for ahead where the agent's owner does not want that", () => {
    const settings = { ...SETTINGS, endpointing: { ...SETTINGS.endpointing, speculative: false } };
    const said = [started(0), ended(1_000), final("Book a table.", 1_250), tick(1_350)];
    const { effects, names } = play(said, settings);
    expect(names).toEqual(["finalize", "partial", "begin_turn"]);
    expect(begun(effects)).toMatchObject([{ adoptsPreemptive: false }]);
  });

  it("waits longer when the sentence is open", () => {
    const open = [started(0), ended(1_000), final("I would like to", 1_250)];
    expect(begun(play([...open, tick(1_400)]).effects)).toEqual([]);
    expect(begun(play([...open, tick(1_000 + SETTINGS.endpointing.maxMs)]).effects)).toHaveLength(1);
  });

  it("waits while it is not known what the caller does, however the words come", () => {
    const unsure = (nowMs: number): TurnEvent => ({ type: "tick", nowMs, isUnsure: true });
    const said = [started(0), ended(1_000), unsure(1_340), final("Book a table.", 1_360), unsure(1_380)];
    expect(begun(play(said).effects)).toEqual([]);
    const goesOn = [...said, started(1_300), runs(100, 1_400), ended(2_000), final("That's all.", 2_300)];
    expect(begun(play([...goesOn, tick(2_400)]).effects)).toMatchObject([
      { query: "Book a table. That's all." },
    ]);
    expect(begun(play([...said, tick(1_400)]).effects)).toMatchObject([{ query: "Book a table." }]);
  });

  it("waits as long as the brain asked it to", () => {
    const overrides: TurnEvent = { type: "overrides", overrides: { endpointingMs: 3_000 } };
    const said = [overrides, started(0), ended(1_000), final("Five five five.", 1_250)];
    expect(begun(play([...said, tick(3_900)]).effects)).toEqual([]);
    expect(begun(play([...said, tick(4_000)]).effects)).toHaveLength(1);
  });

  it("does not come while the caller goes on; both stretches are one turn", () => {
    const { effects, names } = play([
      started(0),
      ended(1_000),
      final("Book a table.", 1_200),
      started(1_300),
      ended(2_000),
      final("That's all.", 2_300),
      tick(2_400),
    ]);
    expect(names.filter((name) => name === "drop_preemptive")).toHaveLength(1);
    expect(begun(effects)).toMatchObject([{ turn: 1, query: "Book a table. That's all." }]);
  });

  it("takes the interim text when the recognizer never finalizes", () => {
    const deadline = 1_200 + SETTINGS.endpointing.finalTimeoutMs;
    const { effects, names } = play([
      started(0),
      interim("where are you", 900),
      ended(1_000),
      tick(deadline - 1),
      tick(deadline),
    ]);
    expect(names).toContain("discard_recognition");
    expect(begun(effects)).toMatchObject([{ query: "where are you" }]);
  });

  it("comes at the wall-clock cap though the voice never stops", () => {
    const cap = SETTINGS.endpointing.maxTurnMs;
    const { effects, names } = play([
      started(0),
      runs(cap - 20, cap - 20),
      tick(cap),
      final("on and on", cap + 400),
    ]);
    expect(names.filter((name) => name === "finalize")).toHaveLength(1);
    expect(begun(effects)).toMatchObject([{ query: "on and on" }]);
  });

  it("is decided by text alone when the voice detector heard nothing", () => {
    const { effects } = play([interim("hello there", 500), final("Hello there.", 700), tick(2_000)]);
    expect(begun(effects)).toMatchObject([{ turn: 1, query: "Hello there." }]);
  });

  it("never comes for a noise without words", () => {
    const { state, effects } = play([started(0), ended(100), final("", 500), tick(5_000)]);
    expect(begun(effects)).toEqual([]);
    expect(state.caller.kind).toBe("quiet");
  });

  it("is measured from the last words, not from a noise after them", () => {
    const { effects } = play([
      started(0),
      ended(1_000),
      final("Book a table", 1_200),
      started(1_400),
      ended(1_500),
      final("", 1_800),
    ]);
    expect(begun(effects)).toMatchObject([{ query: "Book a table", endOfVoiceMs: 1_000 }]);
  });

  it("is measured from the last words also when those came during the noise", () => {
    const { effects } = play([
      started(0),
      ended(1_000),
      started(1_150),
      final("Book a table.", 1_200),
      ended(1_300),
      final("", 1_600),
    ]);
    expect(begun(effects)).toMatchObject([{ query: "Book a table.", endOfVoiceMs: 1_000 }]);
  });

  it("keeps an early request through a thud", () => {
    const { effects, names } = play([
      started(0),
      ended(1_000),
      final("Book a table.", 1_220),
      started(1_260),
      ended(1_400),
      final("", 1_700),
    ]);
    expect(names).not.toContain("drop_preemptive");
    expect(begun(effects)).toMatchObject([{ adoptsPreemptive: true }]);
  });
});

describe("a room that is never quiet", () => {
  const said = [started(0), runs(400, 400), interim("book a table", 900)];
  const speechEnd = (text: string, nowMs: number): TurnEvent => ({
    type: "final",
    text,
    fromFinalize: false,
    endsSpeech: true,
    nowMs,
  });

  it("ends the turn by the recognizer's own end of speech", () => {
    const { effects } = play([
      ...said,
      speechEnd("Book a table.", 1_200),
      faint(1_600, 1_600),
      tick(1_600),
      final("", 1_700),
    ]);
    expect(begun(effects)).toMatchObject([{ query: "Book a table." }]);
  });

  it("ends the turn when the text stands still over a faint sound", () => {
    const before = play([...said, faint(1_600, 1_600), tick(1_600)]);
    expect(before.names).not.toContain("finalize");
    const { effects } = play([tick(1_640), final("Book a table.", 1_800)], SETTINGS, before.state);
    expect(effects.map(({ type }) => type)).toContain("finalize");
    expect(begun(effects)).toMatchObject([{ query: "Book a table.", endOfVoiceMs: 900 }]);
  });

  it("takes single loud sounds of a voice further away for no clear voice", () => {
    const single = [1_300, 1_500, 1_700].map((ms) => runs(ms, ms, 60));
    const { names } = play([...said, ...single, tick(1_700)]);
    expect(names).toContain("finalize");
  });

  it("does not take a few soft words of a clear voice for the end", () => {
    const { names } = play([...said, runs(1_900, 1_900), faint(2_300, 2_300), tick(2_300)]);
    expect(names).not.toContain("finalize");
  });

  it("is patient with a voice as clear as the caller's: the recognizer may lag", () => {
    const { names } = play([...said, runs(4_800, 4_800), tick(4_800)]);
    expect(names).not.toContain("finalize");
  });

  it("does not count an end of speech from before a pause against the voice after it", () => {
    const paused = [
      ...said,
      speechEnd("The date of our", 1_300),
      ended(1_100),
      final("", 1_400),
      started(2_800),
    ];
    const { state, names } = play([...paused, runs(700, 3_500), tick(3_600)]);
    expect(names.filter((name) => name === "finalize")).toHaveLength(1);
    const done = [...said, speechEnd("Book a table.", 1_300), ended(1_100), final("", 1_400), started(1_420)];
    expect(begun(play([...done, runs(800, 2_260), tick(2_260), final("", 2_400)]).effects)).toHaveLength(1);
    const { effects } = play([interim("appointment", 3_700), ended(3_800)], SETTINGS, state);
    expect(effects).toContainEqual({ type: "partial", text: "The date of our appointment", turn: 1 });
  });

  it("lets a turn end under a voice behind the caller that begins after their words", () => {
    const done = [started(0), ended(1_000), final("Book a table.", 1_300), started(1_320)];
    const early = play([...done, faint(280, 1_600), tick(1_600)]);
    expect(begun(early.effects)).toEqual([]);
    const behind = play([faint(400, 1_720), tick(1_720), final("", 1_840)], SETTINGS, early.state);
    expect(begun(behind.effects)).toMatchObject([{ query: "Book a table." }]);
    const goesOn = play([...done, runs(400, 1_720), tick(1_720)]);
    expect(goesOn.names.filter((name) => name === "finalize")).toHaveLength(1);
  });

  it("decides nothing about a voice whose sound is held up in a stall", () => {
    const done = [started(0), ended(1_000), final("Book a table.", 1_300), started(1_320)];
    const stalls = [1_700, 1_720].map((nowMs): TurnEvent => ({ type: "tick", nowMs, isUnsure: true }));
    const { state, names } = play([...done, ...stalls]);
    expect(names.filter((name) => name === "finalize")).toHaveLength(1);
    const { effects } = play([runs(400, 1_720), interim("for two", 1_800), ended(2_000)], SETTINGS, state);
    expect(effects).toContainEqual({ type: "partial", text: "Book a table. for two", turn: 1 });
  });

  it("goes on with the turn when more words come after all", () => {
    const { effects } = play([
      ...said,
      faint(2_000, 2_000),
      tick(2_000),
      interim("book a table for two people and", 2_100),
      final("Book a table for two people and", 2_200),
      tick(2_300),
      final("a child.", 2_500),
      tick(3_700),
    ]);
    expect(begun(effects)).toMatchObject([{ query: "Book a table for two people and a child." }]);
  });
});

describe("words that come late", () => {
  const { finalTimeoutMs } = SETTINGS.endpointing;
  const missing = play([started(0), ended(1_000), tick(1_200 + finalTimeoutMs)], BY_UTTERANCE);

  it("are missed aloud after a voice that was no cough", () => {
    expect(missing.effects).toContainEqual({ type: "words_missing", voiceMs: 1_000, mayBeSaid: true });
    const cough = play([started(0), ended(300), tick(500 + finalTimeoutMs)], BY_UTTERANCE);
    expect(cough.names).toEqual(["finalize"]);
  });

  it("open the turn when nobody has the floor, measured from the end of their voice", () => {
    const { effects, names } = play([final("Book a table.", 8_000)], BY_UTTERANCE, missing.state);
    expect(names).toContain("words_late");
    expect(begun(effects)).toMatchObject([{ query: "Book a table.", endOfVoiceMs: 1_000 }]);
  });

  it("stand in front of what is being said meanwhile, whose own words are still waited for", () => {
    const { effects } = play(
      [started(6_000), ended(7_000), final("Hello?", 7_500), final("Are you there?", 8_000), tick(8_100)],
      BY_UTTERANCE,
      missing.state,
    );
    expect(begun(effects)).toMatchObject([{ query: "Hello? Are you there?", endOfVoiceMs: 7_000 }]);
  });

  it("are no turn when there were none", () => {
    const { names, state } = play([final("", 8_000)], BY_UTTERANCE, missing.state);
    expect(names).toEqual([]);
    expect(state.late).toBeUndefined();
  });

  it("are not wanted any more after something was typed", () => {
    const { names } = play([typed("Hello", 7_000)], BY_UTTERANCE, missing.state);
    expect(names).toEqual(["discard_recognition", "begin_turn"]);
  });
});

describe("typed text", () => {
  it("is a turn at once and takes the place of what the recognizer is still working on", () => {
    const { effects, names } = play([started(0), interim("hel", 200), typed("Hello", 300)]);
    expect(names).toEqual(["partial", "discard_recognition", "begin_turn"]);
    expect(begun(effects)).toMatchObject([{ query: "Hello", endOfVoiceMs: 300, decidedAtMs: 300 }]);
  });

  it("interrupts the agent", () => {
    const { names } = play([typed("stop", 900)], SETTINGS, SPEAKING);
    expect(names).toEqual(["hold_reply", "cut_reply", "begin_turn"]);
  });

  it("waits for the end of an answer that may not be interrupted", () => {
    const guarded = play(
      [{ type: "reply_started", interruptible: false, nowMs: 100 }],
      SETTINGS,
      THINKING,
    ).state;
    const waiting = play([typed("yes", 900), tick(920)], SETTINGS, guarded);
    expect(waiting.names).toEqual([]);
    const after = play([{ type: "reply_finished", nowMs: 4_000 }, tick(4_020)], SETTINGS, waiting.state);
    expect(begun(after.effects)).toMatchObject([
      { query: "yes", source: "text", endOfVoiceMs: 4_000, decidedAtMs: 4_020 },
    ]);
  });
});
