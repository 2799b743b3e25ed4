import { isBackchannel } from "@parley/media/end-of-turn/backchannel.ts";
import { isLikelyFinished } from "@parley/media/end-of-turn/end-of-turn.ts";
import { countStop, goOn, goOnMeanwhile, isListenerNoise, mayInterrupt } from "./barge-in.ts";
import { learnPace } from "./pace.ts";
import { textEndsTurn } from "./text-endpointing.ts";
import type {
  AgentState,
  CallerState,
  TurnEffect,
  TurnSettings,
  TurnState,
  Utterance,
} from "./turn-state.ts";
import { finishedOf, pickUtterance, type Trailing, trail, turnNumber, utteranceText } from "./utterance.ts";
import { askVerdict, awaitsVerdict } from "./verdict.ts";

/** A voice of this length is no cough: if its words do not come, something the caller said is missing. */
export const SPEECH_MS = 600;

export type Step = readonly [TurnState, readonly TurnEffect[]];

/** Applies what time alone changes: deadlines of the turn, of the recognizer and of a false interruption. */
export function onTick(state: TurnState, nowMs: number, settings: TurnSettings): Step {
  const { caller } = state;
  if (caller.kind === "quiet") return [state, []];
  if (caller.kind === "speaking") return onTickWhileSpeaking(state, caller, nowMs, settings);
  const isInterruptionOver = nowMs >= caller.voiceEndedAtMs + settings.bargeIn.falseAlarmMs;
  if (caller.pendingFinals > 0 || caller.interim !== "") {
    if (nowMs >= caller.finalDeadlineMs) return stopWaiting(state, caller, nowMs, settings);
    // The answer does not wait for a slow recognizer; words still count when they come.
    const isFalseInterruption =
      isInterruptionOver && utteranceText(caller) === "" && !caller.interruptionIsOver;
    return isFalseInterruption
      ? goOnMeanwhile({ ...state, caller: { ...caller, interruptionIsOver: true } })
      : [state, []];
  }
  if (utteranceText(caller) === "") return isInterruptionOver ? dismiss(state) : [state, []];
  return isOver(state, caller, nowMs, settings) ? endTurn(state, nowMs, settings) : [state, []];
}

function isOver(state: TurnState, caller: Trailing, nowMs: number, settings: TurnSettings): boolean {
  return nowMs >= caller.deadlineMs && !state.isUnsure && !awaitsVerdict(state, nowMs, settings);
}

type Speaking = Extract<CallerState, { kind: "speaking" }>;

function onTickWhileSpeaking(
  state: TurnState,
  caller: Speaking,
  nowMs: number,
  settings: TurnSettings,
): Step {
  const { maxTurnMs, finalTimeoutMs } = settings.endpointing;
  if (nowMs - caller.startedAtMs >= maxTurnMs) {
    // Hold music and radios must not keep the agent waiting forever.
    const deadlines = { deadlineMs: nowMs, finalDeadlineMs: nowMs + finalTimeoutMs };
    const ended = { voiceEndedAtMs: nowMs, ...deadlines, endedByText: false, interruptionIsOver: false };
    return askForFinal(state, { ...caller, capped: true }, ended, settings);
  }
  if (isStoppedForNothing(state, caller, nowMs, settings)) return goOnMeanwhile(state);
  // A voice whose audio a stall delays seems faint, and its words seem to be over.
  if (state.isUnsure || !textEndsTurn(caller, nowMs, settings, state)) return [state, []];
  const voiceEndedAtMs = caller.textChangedAtMs;
  const { deadlineMs, finalDeadlineMs } = trail(caller, {
    voiceEndedAtMs,
    nowMs,
    state,
    settings,
  });
  return askForFinal(
    state,
    caller,
    { voiceEndedAtMs, deadlineMs, finalDeadlineMs, endedByText: true, interruptionIsOver: false },
    settings,
  );
}

/** True if a voice that stopped the answer by sound goes on past the time for its words: it is not the caller's. */
function isStoppedForNothing(
  { agent }: TurnState,
  caller: Speaking,
  nowMs: number,
  { hasInterims, bargeIn }: TurnSettings,
): boolean {
  const { stoppedAtMs } = caller;
  if (agent.kind !== "held" || agent.confirmed || stoppedAtMs === undefined || !hasInterims) return false;
  return utteranceText(caller) === "" && nowMs >= stoppedAtMs + bargeIn.falseAlarmMs;
}

function askForFinal(
  state: TurnState,
  caller: Speaking,
  ended: Omit<Trailing, keyof Utterance | "kind">,
  { recognizes }: TurnSettings,
): Step {
  const utterance = pickUtterance(caller);
  const pendingFinals = utterance.pendingFinals + (recognizes ? 1 : 0);
  return [
    { ...state, caller: { ...utterance, pendingFinals, kind: "trailing", ...ended } },
    [{ type: "finalize" }],
  ];
}

/** After a final: dismisses a voice without words, or lets the brain start early because the turn is likely over. */
export function endOrAskEarly(state: TurnState, nowMs: number, settings: TurnSettings): Step {
  const { caller } = state;
  if (caller.kind !== "trailing" || caller.interim !== "") return [state, []];
  const query = utteranceText(caller);
  const isOwed = caller.pendingFinals > 0;
  // The recognizer ended this voice's speech by itself, so the final it still owes adds hardly anything.
  if (isOwed && !(caller.speechEnded && caller.wordsEndedAtMs === undefined)) return [state, []];
  if (query === "") return settings.recognizes && !isOwed ? dismiss(state) : [state, []];
  const [asked, ask] = askVerdict(state, nowMs, settings);
  if (!isOwed && isOver(asked, caller, nowMs, settings)) return endTurn(state, nowMs, settings);
  const isWorthIt =
    settings.endpointing.speculative &&
    state.agent.kind === "silent" &&
    isLikelyFinished(finishedOf(query, state, settings));
  if (!isWorthIt || state.preemptiveQuery === query) return [asked, ask];
  const drop: TurnEffect[] = state.preemptiveQuery === undefined ? [] : [{ type: "drop_preemptive" }];
  return [
    { ...asked, preemptiveQuery: query },
    [...ask, ...drop, { type: "start_preemptive", query, turn: turnNumber(state, caller) }],
  ];
}

/** Dismisses noise, a cough or a "mm-hm": the caller's side is quiet again and a held answer goes on. */
function dismiss(state: TurnState): Step {
  const drop: TurnEffect[] = state.preemptiveQuery === undefined ? [] : [{ type: "drop_preemptive" }];
  const [agent, effects] = goOn(state.agent);
  const next = { ...countStop(state), agent, preemptiveQuery: undefined };
  return [{ ...next, caller: { kind: "quiet" } }, [...drop, ...effects]];
}

/** Makes the agent give up the floor, whatever it was doing. */
export function yieldFloor(agent: AgentState): readonly TurnEffect[] {
  switch (agent.kind) {
    case "silent":
      return [];
    case "thinking":
      return [{ type: "abandon_turn" }];
    case "speaking":
      return [{ type: "hold_reply" }, { type: "cut_reply" }];
    case "held":
      return [{ type: "cut_reply" }];
  }
}

/** The caller goes on before anything was answered: the question asked and the addition become one turn. */
export function continueThinkingTurn(state: TurnState): Step {
  const { agent, caller } = state;
  if (agent.kind !== "thinking" || caller.kind === "quiet") return [state, []];
  // If no words follow, the turn ended where it had ended before.
  const wordsEndedAtMs = utteranceText(caller) === "" ? agent.endOfVoiceMs : caller.wordsEndedAtMs;
  const segments = [agent.query, ...caller.segments];
  const longestPauseMs = Math.max(caller.longestPauseMs, caller.startedAtMs - agent.endOfVoiceMs);
  const continued: CallerState = { ...caller, segments, wordsEndedAtMs, longestPauseMs, continues: true };
  return [{ ...state, agent: { kind: "silent" }, caller: continued }, [{ type: "abandon_turn" }]];
}

/** Gives up on a final that the recognizer owes: the known text counts, and later text is late. */
function stopWaiting(state: TurnState, caller: Trailing, nowMs: number, settings: TurnSettings): Step {
  const text = utteranceText(caller);
  if (text === "") return wordsMissing(state, caller);
  const promoted = { ...caller, segments: [text], interim: "", pendingFinals: 0 };
  const next: TurnState = { ...state, caller: promoted, late: undefined };
  const [ended, effects] = endTurn(next, nowMs, settings);
  return [ended, [{ type: "discard_recognition" }, ...effects]];
}

function wordsMissing(state: TurnState, caller: Trailing): Step {
  const { voiceEndedAtMs, pendingFinals } = caller;
  const [dismissed, effects] = dismiss(state);
  const late = { count: (state.late?.count ?? 0) + pendingFinals, voiceEndedAtMs };
  const voiceMs = voiceEndedAtMs - caller.startedAtMs;
  if (voiceMs < SPEECH_MS) return [{ ...dismissed, late }, effects];
  const mayBeSaid = state.agent.kind === "silent";
  return [{ ...dismissed, late }, [...effects, { type: "words_missing", voiceMs, mayBeSaid }]];
}

function endTurn(state: TurnState, nowMs: number, settings: TurnSettings): Step {
  const { caller, agent } = state;
  if (caller.kind !== "trailing") return [state, []];
  const text = utteranceText(caller);
  switch (agent.kind) {
    case "silent":
      return beginTurn(state, caller, nowMs);
    case "held":
      return isListenerNoise(state, text) ? dismiss(state) : beginTurn(state, caller, nowMs);
    case "thinking": {
      if (isBackchannel(text)) return dismiss(state);
      // If thinking may not be interrupted, the words are kept until the answer is out.
      if (!settings.thinkingInterruption.enabled) return [state, []];
      const [merged, effects] = continueThinkingTurn(state);
      const [begun, more] = endTurn(merged, nowMs, settings);
      return [begun, [...effects, ...more]];
    }
    case "speaking": {
      if (isListenerNoise(state, text)) return dismiss(state);
      // Said over an uninterruptible speech: the words wait for its end and are answered then.
      if (!agent.interruptible || !settings.bargeIn.enabled) return [state, []];
      // A backchannel this near to the answer's end is itself an answer.
      const isAnswer = agent.ducked !== undefined && isBackchannel(text);
      const isMeant = isAnswer || mayInterrupt(state, { text, isFinal: true }, settings);
      return isMeant ? beginTurn(state, caller, nowMs) : dismiss(state);
    }
  }
}

function beginTurn(state: TurnState, caller: Trailing, nowMs: number): Step {
  const query = utteranceText(caller);
  const turn = turnNumber(state, caller);
  const adoptsPreemptive = state.preemptiveQuery === query;
  const drop: TurnEffect[] =
    state.preemptiveQuery !== undefined && !adoptsPreemptive ? [{ type: "drop_preemptive" }] : [];
  const { source, voiceEndedAtMs } = caller;
  const begin = {
    turn,
    query,
    addedText: caller.continues ? caller.segments.slice(1).join(" ") : query,
    source,
    endOfVoiceMs: voiceEndedAtMs,
    decidedAtMs: nowMs,
    adoptsPreemptive,
  };
  const next: TurnState = {
    ...state,
    caller: { kind: "quiet" },
    agent: { kind: "thinking", query, source, endOfVoiceMs: voiceEndedAtMs, askedAtMs: nowMs },
    patience: learnPace(state, caller),
    answeredAtMs: undefined,
    verdict: undefined,
    turn,
    preemptiveQuery: undefined,
    overrides: {},
  };
  return [next, [...drop, ...yieldFloor(state.agent), { type: "begin_turn", begin }]];
}
