import { isLikelyComplete } from "@parley/media/turn/end-of-turn.ts";
import { isListenerNoise, mayInterrupt } from "./barge-in.ts";
import type { AgentState, CallerState, TurnEffect, TurnSettings, TurnState } from "./turn-state.ts";
import { pickUtterance, type Trailing, turnNumber, utteranceText } from "./utterance.ts";

export type Step = readonly [TurnState, readonly TurnEffect[]];

/** What time alone changes: deadlines of the turn, of the recogniser, of a false alarm. */
export function onTick(state: TurnState, nowMs: number, settings: TurnSettings): Step {
  const { caller } = state;
  if (caller.kind === "quiet") return [state, []];
  if (caller.kind === "speaking") {
    return nowMs - caller.startedAtMs >= settings.endpointing.maxTurnMs
      ? capTurn(state, nowMs, settings)
      : [state, []];
  }
  if (caller.pendingFinals > 0 || caller.interim !== "") {
    return nowMs >= caller.finalDeadlineMs ? promoteInterim(state, caller, nowMs, settings) : [state, []];
  }
  if (utteranceText(caller) === "") {
    const isFalseAlarm = nowMs >= caller.voiceEndedAtMs + settings.bargeIn.falseAlarmMs;
    return isFalseAlarm ? dismiss(state) : [state, []];
  }
  return nowMs >= caller.deadlineMs ? endTurn(state, nowMs, settings) : [state, []];
}

/** After a final: nothing was said after all, or the turn is likely over and the brain may start early. */
export function settleOrSpeculate(state: TurnState, nowMs: number, settings: TurnSettings): Step {
  const { caller } = state;
  if (caller.kind !== "trailing" || caller.pendingFinals > 0 || caller.interim !== "") return [state, []];
  const query = utteranceText(caller);
  if (query === "") return settings.recognises ? dismiss(state) : [state, []];
  if (nowMs >= caller.deadlineMs) return endTurn(state, nowMs, settings);
  const isWorthIt =
    settings.endpointing.speculative && state.agent.kind === "silent" && isLikelyComplete(query);
  if (!isWorthIt || state.speculation === query) return [state, []];
  const drop: TurnEffect[] = state.speculation === undefined ? [] : [{ type: "drop_speculation" }];
  return [
    { ...state, speculation: query },
    [...drop, { type: "speculate", query, turn: turnNumber(state, caller) }],
  ];
}

/** Noise, a cough, a "mm-hm": the caller's side is quiet again and a held answer goes on. */
function dismiss(state: TurnState): Step {
  const effects: TurnEffect[] = [];
  if (state.speculation !== undefined) effects.push({ type: "drop_speculation" });
  if (state.agent.kind === "held") effects.push({ type: "resume_reply" });
  const agent: AgentState =
    state.agent.kind === "held" ? { kind: "speaking", interruptible: true } : state.agent;
  return [{ ...state, caller: { kind: "quiet" }, agent, speculation: undefined }, effects];
}

/** Makes the agent let go of the floor, whatever it was doing. */
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

/** The caller goes on before anything was answered: what was asked and what is added become one turn. */
export function continueThinkingTurn(state: TurnState): Step {
  const { agent, caller } = state;
  if (agent.kind !== "thinking" || caller.kind === "quiet") return [state, []];
  const continued: CallerState = { ...caller, segments: [agent.query, ...caller.segments], continues: true };
  return [{ ...state, agent: { kind: "silent" }, caller: continued }, [{ type: "abandon_turn" }]];
}

/** The recogniser owes a final and does not give it: what is known counts. */
function promoteInterim(state: TurnState, caller: Trailing, nowMs: number, settings: TurnSettings): Step {
  const text = utteranceText(caller);
  const promoted = { ...caller, segments: text === "" ? [] : [text], interim: "", pendingFinals: 0 };
  const next: TurnState = { ...state, caller: promoted };
  const [ended, effects] = text === "" ? dismiss(next) : endTurn(next, nowMs, settings);
  return [ended, [{ type: "discard_recognition" }, ...effects]];
}

/** The wall-clock cap on one turn: hold music and radios must not keep the agent waiting for ever. */
function capTurn(state: TurnState, nowMs: number, settings: TurnSettings): Step {
  const { caller } = state;
  if (caller.kind !== "speaking") return [state, []];
  const trailing: Trailing = {
    ...pickUtterance(caller),
    pendingFinals: caller.pendingFinals + (settings.recognises ? 1 : 0),
    capped: true,
    kind: "trailing",
    voiceEndedAtMs: nowMs,
    deadlineMs: nowMs,
    finalDeadlineMs: nowMs + settings.endpointing.finalTimeoutMs,
  };
  return [{ ...state, caller: trailing }, [{ type: "finalize" }]];
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
      // Kept until the answer is out where thinking may not be interrupted.
      if (!settings.thinkingInterruption.enabled) return [state, []];
      const [merged, effects] = continueThinkingTurn(state);
      const [begun, more] = endTurn(merged, nowMs, settings);
      return [begun, [...effects, ...more]];
    }
    case "speaking": {
      if (isListenerNoise(state, text)) return dismiss(state);
      // Said over something that may not be interrupted: it waits for its end and is answered then.
      if (!agent.interruptible || !settings.bargeIn.enabled) return [state, []];
      const isMeant = mayInterrupt(state, { voiceMs: Number.POSITIVE_INFINITY, text }, settings);
      return isMeant ? beginTurn(state, caller, nowMs) : dismiss(state);
    }
  }
}

function beginTurn(state: TurnState, caller: Trailing, nowMs: number): Step {
  const query = utteranceText(caller);
  const turn = turnNumber(state, caller);
  const adoptsSpeculation = state.speculation === query;
  const drop: TurnEffect[] =
    state.speculation !== undefined && !adoptsSpeculation ? [{ type: "drop_speculation" }] : [];
  const { source } = caller;
  const begin = {
    turn,
    query,
    addedText: caller.continues ? caller.segments.slice(1).join(" ") : query,
    source,
    endOfVoiceMs: caller.voiceEndedAtMs,
    decidedAtMs: nowMs,
    adoptsSpeculation,
  };
  const next: TurnState = {
    caller: { kind: "quiet" },
    agent: { kind: "thinking", query, source },
    turn,
    speculation: undefined,
    manners: {},
  };
  return [next, [...drop, ...yieldFloor(state.agent), { type: "begin_turn", begin }]];
}
