import { turnTakingSchema } from "@parley/shared/contracts/call-plan.ts";
import { expect, it } from "vitest";
import type { TurnEvent } from "../turn/turn-state.ts";
import { Conversation } from "./conversation.ts";
import type { ConversationSink } from "./conversation-ports.ts";

const nothing = (): void => undefined;

/** A caller, and how quickly the agent fell silent each time it was measured. */
function talking() {
  let nowMs = 0;
  let lateMs = 0;
  const heldAfterMs: number[] = [];
  const sink: ConversationSink = new Proxy({} as ConversationSink, {
    get: (_, name) => (name === "onHeld" ? (ms: number) => heldAfterMs.push(ms) : nothing),
  });
  const conversation = new Conversation({
    settings: {
      ...turnTakingSchema.parse({}),
      recognizes: true,
      hasInterims: true,
      waitingAfterMs: 0,
      waitingAgainAfterMs: 0,
      language: "en",
      judgesWithinMs: 0,
    },
    input: { finalize: nothing, discard: nothing, isUnsure: () => false },
    agent: {
      isBusy: false,
      startPreemptive: nothing,
      dropPreemptive: nothing,
      answer: async () => undefined,
      abandon: nothing,
      duck: () => ({ unheardMs: 5_000 }),
      restore: nothing,
      abortGeneration: nothing,
      hold: () => ({ unheardMs: 5_000 }),
      resume: nothing,
      cut: nothing,
      sayNotUnderstood: nothing,
      isAnswerComing: false,
      sayWaiting: nothing,
      dropWaiting: nothing,
    },
    now: () => nowMs,
    sink,
  });
  const at = (ms: number, event: TurnEvent): void => {
    nowMs = ms + lateMs;
    conversation.dispatch(event);
  };
  const typed = (ms: number): void => at(ms, { type: "typed", text: "hello", source: "text", nowMs: ms });
  const answered = (ms: number): void => at(ms, { type: "reply_started", interruptible: true, nowMs: ms });
  /** From here on everything is worked on this long after it happened. */
  const lateBy = (ms: number): void => {
    lateMs = ms;
  };
  return { at, lateBy, typed, answered, heldAfterMs };
}

it("does not measure a typed interruption: nothing was heard", () => {
  const { typed, answered, heldAfterMs } = talking();
  for (const startMs of [1_000, 50_000]) {
    typed(startMs);
    answered(startMs + 500);
  }
  expect(heldAfterMs).toEqual([]);
});

it("measures from when there was enough to interrupt, however long ago the voice began", () => {
  const { at, lateBy, answered, typed, heldAfterMs } = talking();
  typed(1_000);
  answered(1_500);
  at(2_000, { type: "voice_started", atMs: 2_000, nowMs: 2_000 });
  for (let ms = 2_100; ms < 3_000; ms += 100)
    at(ms, { type: "voice_runs", voiceMs: ms - 2_000, clearMs: ms - 2_000, nowMs: ms });
  lateBy(4);
  at(3_000, { type: "interim", text: "wait a moment please", nowMs: 3_000 });
  expect(heldAfterMs).toEqual([4]);
  typed(900_000);
  answered(900_500);
  typed(901_000);
  expect(heldAfterMs).toEqual([4]);
});

it("measures a voice without words from the frame that made it long enough", () => {
  const { at, lateBy, answered, typed, heldAfterMs } = talking();
  typed(1_000);
  answered(1_500);
  at(2_000, { type: "voice_started", atMs: 2_000, nowMs: 2_000 });
  at(2_500, { type: "voice_runs", voiceMs: 500, clearMs: 500, nowMs: 2_500 });
  expect(heldAfterMs).toEqual([]);
  lateBy(300);
  at(3_200, { type: "voice_runs", voiceMs: 1_200, clearMs: 1_200, nowMs: 3_200 });
  expect(heldAfterMs).toEqual([300]);
});
