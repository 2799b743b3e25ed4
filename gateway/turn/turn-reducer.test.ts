import { turnTakingSchema } from "@parley/shared/contracts/call-plan.ts";
import { describe, expect, it } from "vitest";
import { reduceTurn } from "./turn-reducer.ts";
import {
  INITIAL_TURN_STATE,
  type TurnEffect,
  type TurnEvent,
  type TurnSettings,
  type TurnState,
} from "./turn-state.ts";

const SETTINGS: TurnSettings = { ...turnTakingSchema.parse({}), recognises: true };

/** Runs events from a state; gives the last state and every effect with the time it came. */
function play(events: readonly TurnEvent[], settings = SETTINGS, from: TurnState = INITIAL_TURN_STATE) {
  let state = from;
  const effects: TurnEffect[] = [];
  for (const event of events) {
    const [next, more] = reduceTurn(state, event, settings);
    state = next;
    effects.push(...more);
  }
  return { state, effects, names: effects.map((effect) => effect.type) };
}

const started = (ms: number): TurnEvent => ({ type: "voice_started", atMs: ms, nowMs: ms });
const runs = (voiceMs: number, nowMs: number): TurnEvent => ({ type: "voice_runs", voiceMs, nowMs });
const ended = (ms: number): TurnEvent => ({ type: "voice_ended", atMs: ms, nowMs: ms + 200 });
const final = (text: string, nowMs: number): TurnEvent => ({
  type: "final",
  text,
  fromFinalize: true,
  nowMs,
});
const interim = (text: string, nowMs: number): TurnEvent => ({ type: "interim", text, nowMs });
const tick = (nowMs: number): TurnEvent => ({ type: "tick", nowMs });
const typed = (text: string, nowMs: number): TurnEvent => ({ type: "typed", text, source: "text", nowMs });
const replyStarted: TurnEvent = { type: "reply_started", interruptible: true };

/** The agent speaks turn 1. */
const SPEAKING = play([typed("hello", 0), replyStarted]).state;
/** The brain was asked turn 1 and nothing was spoken yet. */
const THINKING = play([typed("hello", 0)]).state;

function begun(effects: readonly TurnEffect[]) {
  return effects.flatMap((effect) => (effect.type === "begin_turn" ? [effect.begin] : []));
}

describe("the end of a turn", () => {
  it("comes soon after a complete sentence, counted from the end of the voice", () => {
    const { effects, names } = play([started(0), ended(1_000), final("Book a table.", 1_250), tick(1_350)]);
    expect(names).toEqual(["finalize", "partial", "speculate", "begin_turn"]);
    expect(begun(effects)).toMatchObject([
      { turn: 1, query: "Book a table.", endOfVoiceMs: 1_000, decidedAtMs: 1_350, adoptsSpeculation: true },
    ]);
  });

  it("is not asked for ahead where the agent's owner does not want that", () => {
    const settings = { ...SETTINGS, endpointing: { ...SETTINGS.endpointing, speculative: false } };
    const said = [started(0), ended(1_000), final("Book a table.", 1_250), tick(1_350)];
    const { effects, names } = play(said, settings);
    expect(names).toEqual(["finalize", "partial", "begin_turn"]);
    expect(begun(effects)).toMatchObject([{ adoptsSpeculation: false }]);
  });

  it("waits longer when the sentence is open", () => {
    const open = [started(0), ended(1_000), final("I would like to", 1_250)];
    expect(begun(play([...open, tick(1_400)]).effects)).toEqual([]);
    expect(begun(play([...open, tick(1_000 + SETTINGS.endpointing.maxMs)]).effects)).toHaveLength(1);
  });

  it("waits as long as the brain asked it to", () => {
    const manners: TurnEvent = { type: "manners", manners: { endpointingMs: 3_000 } };
    const said = [manners, started(0), ended(1_000), final("Five five five.", 1_250)];
    expect(begun(play([...said, tick(3_900)]).effects)).toEqual([]);
    expect(begun(play([...said, tick(4_000)]).effects)).toHaveLength(1);
  });

  it("does not come while the caller goes on; both stretches are one turn", () => {
    const { effects, names } = play([
      started(0),
      ended(1_000),
      final("A table for two.", 1_200),
      started(1_300),
      ended(2_000),
      final("No, for three.", 2_300),
      tick(2_400),
    ]);
    expect(names.filter((name) => name === "drop_speculation")).toHaveLength(1);
    expect(begun(effects)).toMatchObject([{ turn: 1, query: "A table for two. No, for three." }]);
  });

  it("takes the interim text when the recogniser never finalises", () => {
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
});

describe("typed text", () => {
  it("is a turn at once and takes the place of what the recogniser is still working on", () => {
    const { effects, names } = play([started(0), interim("hel", 200), typed("Hello", 300)]);
    expect(names).toEqual(["partial", "discard_recognition", "begin_turn"]);
    expect(begun(effects)).toMatchObject([{ query: "Hello", endOfVoiceMs: 300, decidedAtMs: 300 }]);
  });

  it("interrupts the agent", () => {
    const { names } = play([typed("stop", 900)], SETTINGS, SPEAKING);
    expect(names).toEqual(["hold_reply", "cut_reply", "begin_turn"]);
  });

  it("waits for the end of an answer that may not be interrupted", () => {
    const guarded = play([{ type: "reply_started", interruptible: false }], SETTINGS, THINKING).state;
    const waiting = play([typed("yes", 900), tick(920)], SETTINGS, guarded);
    expect(waiting.names).toEqual([]);
    const after = play([{ type: "reply_finished", nowMs: 4_000 }, tick(4_020)], SETTINGS, waiting.state);
    expect(begun(after.effects)).toMatchObject([
      { query: "yes", source: "text", endOfVoiceMs: 4_000, decidedAtMs: 4_020 },
    ]);
  });
});

describe("talking over the agent", () => {
  it("stops the loudspeaker as soon as the voice has lasted long enough, and not before", () => {
    const early = play([started(0), runs(180, 180)], SETTINGS, SPEAKING);
    expect(early.names).toEqual([]);
    const { names } = play([runs(200, 200)], SETTINGS, early.state);
    expect(names).toEqual(["hold_reply"]);
  });

  it("gives the answer up when words come, and cuts it when the turn is over", () => {
    const { names } = play(
      [started(0), runs(200, 200), interim("wait", 500), ended(900), final("Wait.", 1_150), tick(1_300)],
      SETTINGS,
      SPEAKING,
    );
    expect(names.filter((name) => name !== "partial")).toEqual([
      "hold_reply",
      "abort_generation",
      "finalize",
      "cut_reply",
      "begin_turn",
    ]);
  });

  it("gives the answer up for a voice that lasts, before its words are known", () => {
    const { confirmSpeechMs } = SETTINGS.bargeIn;
    const before = play([started(0), runs(confirmSpeechMs - 20, confirmSpeechMs - 20)], SETTINGS, SPEAKING);
    expect(before.names).toEqual(["hold_reply"]);
    const { names } = play([runs(confirmSpeechMs, confirmSpeechMs)], SETTINGS, before.state);
    expect(names).toEqual(["abort_generation"]);
  });

  it("goes on with the answer after a cough", () => {
    const { state, names } = play(
      [started(0), runs(200, 200), ended(300), final("", 700)],
      SETTINGS,
      SPEAKING,
    );
    expect(names).toEqual(["hold_reply", "finalize", "resume_reply"]);
    expect(state.agent.kind).toBe("speaking");
  });

  it("goes on with the answer after a cough when the caller's app does the recognising", () => {
    const settings = { ...SETTINGS, recognises: false };
    const alarm = 300 + SETTINGS.bargeIn.falseAlarmMs;
    const { names } = play([started(0), runs(200, 200), ended(300), tick(alarm)], settings, SPEAKING);
    expect(names).toEqual(["hold_reply", "resume_reply"]);
  });

  it("goes on with the answer after a listener's mm-hm", () => {
    const { names } = play(
      [started(0), runs(200, 200), ended(300), final("mm-hmm", 700), tick(3_000)],
      SETTINGS,
      SPEAKING,
    );
    expect(names).toContain("resume_reply");
    expect(names).not.toContain("begin_turn");
  });

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
    const guarded = play([{ type: "manners", manners: { interruptible: false } }], SETTINGS, SPEAKING).state;
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
      [started(500), runs(120, 620), ended(900), final("For two people.", 1_100), tick(1_300)],
      SETTINGS,
      THINKING,
    );
    expect(names[0]).toBe("abandon_turn");
    expect(begun(effects)).toMatchObject([
      { turn: 1, query: "hello For two people.", addedText: "For two people." },
    ]);
  });

  it("asks again what was asked when it was only a cough", () => {
    const { effects } = play(
      [started(500), runs(120, 620), ended(650), final("", 900), tick(3_000)],
      SETTINGS,
      THINKING,
    );
    expect(begun(effects)).toMatchObject([{ turn: 1, query: "hello", addedText: "" }]);
  });

  it("has a threshold of its own", () => {
    const settings = {
      ...SETTINGS,
      thinkingInterruption: { ...SETTINGS.thinkingInterruption, enabled: false },
    };
    const { names } = play([started(500), runs(900, 1_400)], settings, THINKING);
    expect(names).toEqual([]);
  });
});
