import { goesOnWhileThinking, onVoiceOver, onWordsOver } from "./barge-in.ts";
import { placeText, type RecognizedText } from "./recognized-text.ts";
import { continueThinkingTurn, endOrAskEarly, onTick, type Step, yieldFloor } from "./turn-end.ts";
import type { CallerState, TurnEffect, TurnEvent, TurnSettings, TurnState, Utterance } from "./turn-state.ts";
import { newUtterance, pickUtterance, trail, turnNumber, utteranceText } from "./utterance.ts";
import { onJudged } from "./verdict.ts";
import { onTalkedOver, onWaiting } from "./waiting.ts";

/** A shorter stretch of clear voice is the loudest sounds of a person further away. */
const CLEAR_FROM_MS = 120;

type EventOf<T extends TurnEvent["type"]> = Extract<TurnEvent, { type: T }>;

/** Moves the floor: pure, synchronous, total. The call carries out the effects in order. */
export function reduceTurn(state: TurnState, event: TurnEvent, settings: TurnSettings): Step {
  switch (event.type) {
    case "voice_started":
      return onVoiceStarted(state, event);
    case "voice_runs":
      return onVoiceRuns(state, event, settings);
    case "voice_ended":
      return onVoiceEnded(state, event, settings);
    case "interim":
      return onText(state, { ...event, isFinal: false, isOwed: false, endsSpeech: false }, settings);
    case "final": {
      const { fromFinalize: isOwed, endsSpeech = false } = event;
      return onText(state, { ...event, isFinal: true, isOwed, endsSpeech }, settings);
    }
    case "typed":
      return onTyped(state, event);
    case "reply_started":
      return onReplyStarted(state, event);
    case "reply_held":
      return onReplyHeld(state, event);
    case "reply_finished":
      return onReplyFinished(state, event);
    case "judged":
      return onJudged(state, event, settings);
    case "overrides":
      return onOverrides(state, event);
    case "tick":
      return onTime(state, event, settings);
  }
}

function onTime(
  state: TurnState,
  { nowMs, isUnsure = false, isAnswerComing = false }: EventOf<"tick">,
  settings: TurnSettings,
): Step {
  const current = isUnsure === state.isUnsure ? state : { ...state, isUnsure };
  return andThen(onTick(current, nowMs, settings), (next) =>
    isAnswerComing ? [next, []] : onWaiting(next, nowMs, settings),
  );
}

/** Handles the start of a voice. An early request survives, because a sound may turn out to have no words. */
function onVoiceStarted(state: TurnState, event: EventOf<"voice_started">): Step {
  const { caller } = state;
  if (caller.kind === "speaking" || (caller.kind === "trailing" && caller.capped)) return [state, []];
  const utterance = caller.kind === "trailing" ? spokenBefore(caller, event.atMs) : newUtterance(event.atMs);
  const { atMs } = event;
  const voice = { voiceStartedAtMs: atMs, isFaint: true, clearAtMs: atMs, stoppedAtMs: undefined };
  const speaking = { ...utterance, kind: "speaking", ...voice } as const;
  return [{ ...state, caller: speaking }, []];
}

function spokenBefore(caller: Extract<CallerState, { kind: "trailing" }>, atMs: number): Utterance {
  const hasWords = utteranceText(caller) !== "" || caller.pendingFinals > 0;
  const wordsEndedAtMs = hasWords ? (caller.wordsEndedAtMs ?? caller.voiceEndedAtMs) : undefined;
  const pausedMs = Math.max(0, atMs - (wordsEndedAtMs ?? atMs));
  return { ...pickUtterance(caller), wordsEndedAtMs, pausedMs };
}

function onVoiceRuns(state: TurnState, event: EventOf<"voice_runs">, settings: TurnSettings): Step {
  const { nowMs, voiceMs, clearMs } = event;
  if (state.caller.kind === "trailing") return [state, []];
  if (state.caller.kind === "quiet") {
    return onVoiceStarted(state, { type: "voice_started", atMs: nowMs - Math.min(voiceMs, clearMs), nowMs });
  }
  const isFaint = clearMs < CLEAR_FROM_MS;
  const caller = { ...state.caller, isFaint, clearAtMs: isFaint ? state.caller.clearAtMs : nowMs };
  const next = { ...state, caller };
  const text = utteranceText(caller);
  const words = { text, isFinal: caller.interim === "" };
  if (goesOnWhileThinking(state, { clearMs, words }, settings)) return continueThinkingTurn(next);
  return andThen(onTalkedOver(next, clearMs, settings), (current) =>
    onVoiceOver(current, { clearMs, text, nowMs }, settings),
  );
}

function onVoiceEnded(state: TurnState, event: EventOf<"voice_ended">, settings: TurnSettings): Step {
  const { caller } = state;
  if (caller.kind !== "speaking") return [state, []];
  const utterance = {
    ...pickUtterance(caller),
    pendingFinals: caller.pendingFinals + (settings.recognizes ? 1 : 0),
  };
  const trailing = trail(utterance, {
    voiceEndedAtMs: event.atMs,
    nowMs: event.nowMs,
    state,
    settings,
  });
  const finalize: readonly TurnEffect[] = settings.recognizes ? [{ type: "finalize" }] : [];
  return andThen([{ ...state, caller: trailing }, finalize], (next) =>
    settings.recognizes ? endOrAskEarly(next, event.nowMs, settings) : [next, []],
  );
}

function onText(state: TurnState, event: RecognizedText, settings: TurnSettings): Step {
  const heard = { ...event, text: event.text.trim() };
  const next = placeText(state, heard, settings);
  if (next.caller.kind === "quiet") return [next, []];
  const isLate = heard.isOwed && state.late !== undefined && heard.text !== "";
  const told: Step = [next, isLate ? [{ type: "words_late" }] : []];
  const moved = heard.text === "" ? told : andThen(told, (current) => onWords(current, settings));
  return andThen(moved, (current) => endOrAskEarly(current, heard.nowMs, settings));
}

/** Handles new or changed words. */
function onWords(state: TurnState, settings: TurnSettings): Step {
  const { caller, preemptiveQuery } = state;
  if (caller.kind === "quiet") return [state, []];
  const text = utteranceText(caller);
  const isOutdated = preemptiveQuery !== undefined && preemptiveQuery !== text;
  const effects: TurnEffect[] = isOutdated ? [{ type: "drop_preemptive" }] : [];
  effects.push({ type: "partial", text, turn: turnNumber(state, caller) });
  const next: TurnState = isOutdated ? { ...state, preemptiveQuery: undefined } : state;
  const words = { text, isFinal: caller.interim === "" };
  return goesOnWhileThinking(next, { clearMs: 0, words }, settings)
    ? andThen([next, effects], continueThinkingTurn)
    : andThen(
        andThen([next, effects], (current) => onTalkedOver(current, 0, settings)),
        (current) => onWordsOver(current, words, settings),
      );
}

function onTyped(state: TurnState, event: EventOf<"typed">): Step {
  const { agent, caller } = state;
  const effects: TurnEffect[] = [];
  if (caller.kind !== "quiet" || state.late) effects.push({ type: "discard_recognition" });
  if (state.preemptiveQuery !== undefined) effects.push({ type: "drop_preemptive" });
  const { text: query, source, nowMs } = event;
  if (agent.kind === "speaking" && !agent.interruptible) {
    const utterance = { ...newUtterance(nowMs), segments: [query], source };
    const waiting: CallerState = {
      ...utterance,
      kind: "trailing",
      voiceEndedAtMs: nowMs,
      deadlineMs: nowMs,
      finalDeadlineMs: nowMs,
      endedByText: false,
      interruptionIsOver: false,
    };
    return [{ ...state, caller: waiting, preemptiveQuery: undefined, late: undefined }, effects];
  }
  const turn = state.turn + 1;
  const begin = {
    turn,
    query,
    addedText: query,
    source,
    endOfVoiceMs: nowMs,
    decidedAtMs: nowMs,
    adoptsPreemptive: false,
  };
  const next: TurnState = {
    ...state,
    caller: { kind: "quiet" },
    agent: { kind: "thinking", query, source, endOfVoiceMs: nowMs, askedAtMs: nowMs },
    turn,
    preemptiveQuery: undefined,
    overrides: {},
    late: undefined,
    answeredAtMs: undefined,
  };
  return [next, [...effects, ...yieldFloor(agent), { type: "begin_turn", begin }]];
}

function onReplyStarted(state: TurnState, event: EventOf<"reply_started">): Step {
  if (state.agent.kind === "held") return [state, []];
  const interruptible = event.interruptible && state.overrides.interruptible !== false;
  const answeredAtMs = state.agent.kind === "thinking" ? event.nowMs : state.answeredAtMs;
  return [{ ...state, agent: { kind: "speaking", interruptible, ducked: undefined }, answeredAtMs }, []];
}

function onReplyHeld(state: TurnState, { unheardMs }: EventOf<"reply_held">): Step {
  const { agent } = state;
  if (agent.kind === "held") return [{ ...state, agent: { ...agent, unheardMs } }, []];
  if (agent.kind !== "speaking" || !agent.ducked) return [state, []];
  return [{ ...state, agent: { ...agent, ducked: { unheardMs } } }, []];
}

function onReplyFinished(state: TurnState, event: EventOf<"reply_finished">): Step {
  const { caller } = state;
  if (state.agent.kind === "held") return [state, []];
  // The wait for words kept during an uninterruptible answer starts at that answer's end.
  const waited: CallerState =
    caller.kind === "trailing"
      ? { ...caller, voiceEndedAtMs: Math.max(caller.voiceEndedAtMs, event.nowMs) }
      : caller;
  return [{ ...state, agent: { kind: "silent" }, caller: waited }, []];
}

function onOverrides(state: TurnState, event: EventOf<"overrides">): Step {
  const { agent } = state;
  const { interruptible } = event.overrides;
  const nextAgent =
    agent.kind === "speaking" && interruptible !== undefined ? { ...agent, interruptible } : agent;
  return [{ ...state, agent: nextAgent, overrides: { ...state.overrides, ...event.overrides } }, []];
}

function andThen([state, effects]: Step, next: (state: TurnState) => Step): Step {
  const [after, more] = next(state);
  return [after, more.length === 0 ? effects : [...effects, ...more]];
}
