import { confirmHold, mayInterrupt, mayInterruptThinking } from "./barge-in.ts";
import { continueThinkingTurn, onTick, type Step, settleOrSpeculate, yieldFloor } from "./turn-end.ts";
import type { CallerState, TurnEffect, TurnEvent, TurnSettings, TurnState, Utterance } from "./turn-state.ts";
import { newUtterance, pickUtterance, trail, turnNumber, utteranceText } from "./utterance.ts";

type EventOf<T extends TurnEvent["type"]> = Extract<TurnEvent, { type: T }>;

/** Moves the floor: pure, synchronous, total. The call carries the effects out in their order. */
export function reduceTurn(state: TurnState, event: TurnEvent, settings: TurnSettings): Step {
  switch (event.type) {
    case "voice_started":
      return onVoiceStarted(state, event);
    case "voice_runs":
      return onVoiceRuns(state, event, settings);
    case "voice_ended":
      return onVoiceEnded(state, event, settings);
    case "interim":
      return onText(state, { ...event, isFinal: false, answeredFinals: 0 }, settings);
    case "final":
      return onText(state, { ...event, isFinal: true, answeredFinals: event.fromFinalize ? 1 : 0 }, settings);
    case "typed":
      return onTyped(state, event);
    case "reply_started":
      return onReplyStarted(state, event);
    case "reply_held":
      return state.agent.kind === "held"
        ? [{ ...state, agent: { ...state.agent, unheardMs: event.unheardMs } }, []]
        : [state, []];
    case "reply_finished":
      return onReplyFinished(state, event);
    case "manners":
      return onManners(state, event);
    case "tick":
      return onTick(state, event.nowMs, settings);
  }
}

function onVoiceStarted(state: TurnState, event: EventOf<"voice_started">): Step {
  const { caller } = state;
  if (caller.kind === "speaking" || (caller.kind === "trailing" && caller.capped)) return [state, []];
  const utterance = caller.kind === "trailing" ? pickUtterance(caller) : newUtterance(event.atMs);
  const next: TurnState = {
    ...state,
    caller: { ...utterance, kind: "speaking", voiceStartedAtMs: event.atMs },
    speculation: undefined,
  };
  return [next, state.speculation === undefined ? [] : [{ type: "drop_speculation" }]];
}

function onVoiceRuns(state: TurnState, event: EventOf<"voice_runs">, settings: TurnSettings): Step {
  const { nowMs, voiceMs } = event;
  if (state.caller.kind === "trailing") return [state, []];
  if (state.caller.kind === "quiet") {
    return onVoiceStarted(state, { type: "voice_started", atMs: nowMs - voiceMs, nowMs });
  }
  const voice = { voiceMs, text: utteranceText(state.caller) };
  if (mayInterruptThinking(state, voice, settings)) return continueThinkingTurn(state);
  if (mayInterrupt(state, voice, settings)) return hold(state);
  return confirmHold(state, voice, settings);
}

function onVoiceEnded(state: TurnState, event: EventOf<"voice_ended">, settings: TurnSettings): Step {
  const { caller, manners } = state;
  if (caller.kind !== "speaking") return [state, []];
  const utterance = {
    ...pickUtterance(caller),
    pendingFinals: caller.pendingFinals + (settings.recognises ? 1 : 0),
  };
  const trailing = trail(utterance, {
    voiceEndedAtMs: event.atMs,
    nowMs: event.nowMs,
    manners,
    settings,
  });
  return [{ ...state, caller: trailing }, settings.recognises ? [{ type: "finalize" }] : []];
}

interface RecognisedText {
  readonly text: string;
  readonly isFinal: boolean;
  /** How many of the finals that were asked for this text answers. */
  readonly answeredFinals: number;
  readonly nowMs: number;
}

function onText(state: TurnState, recognised: RecognisedText, settings: TurnSettings): Step {
  const { caller } = state;
  const text = recognised.text.trim();
  if (caller.kind === "quiet" && text === "") return [state, []];
  const utterance = addText(caller, { ...recognised, text });
  const next: TurnState = { ...state, caller: placeText(state, utterance, recognised.nowMs, settings) };
  const partial: TurnEffect[] =
    text === ""
      ? []
      : [{ type: "partial", text: utteranceText(utterance), turn: turnNumber(state, utterance) }];
  return andThen([next, partial], (current) => afterText(current, recognised.nowMs, settings));
}

function addText(caller: CallerState, { text, isFinal, answeredFinals, nowMs }: RecognisedText): Utterance {
  // A recogniser may hear what the local VAD missed: the text itself is then the only sign of a turn.
  const base = caller.kind === "quiet" ? newUtterance(nowMs) : pickUtterance(caller);
  return {
    ...base,
    segments: isFinal && text !== "" ? [...base.segments, text] : base.segments,
    interim: isFinal ? "" : text,
    pendingFinals: Math.max(0, base.pendingFinals - answeredFinals),
  };
}

function placeText(
  state: TurnState,
  utterance: Utterance,
  nowMs: number,
  settings: TurnSettings,
): CallerState {
  const { caller, manners } = state;
  if (caller.kind === "speaking") return { ...caller, ...utterance };
  if (caller.kind === "quiet") return trail(utterance, { voiceEndedAtMs: nowMs, nowMs, manners, settings });
  const { voiceEndedAtMs } = caller;
  return trail(utterance, { voiceEndedAtMs, nowMs, manners, settings, before: caller });
}

function afterText(state: TurnState, nowMs: number, settings: TurnSettings): Step {
  const { caller } = state;
  if (caller.kind === "quiet") return [state, []];
  const voiceMs = caller.kind === "speaking" ? nowMs - caller.voiceStartedAtMs : Number.POSITIVE_INFINITY;
  const voice = { voiceMs, text: utteranceText(caller) };
  const moved: Step = mayInterrupt(state, voice, settings)
    ? andThen(hold(state), (held) => confirmHold(held, voice, settings))
    : confirmHold(state, voice, settings);
  return andThen(moved, (current) => settleOrSpeculate(current, nowMs, settings));
}

function onTyped(state: TurnState, event: EventOf<"typed">): Step {
  const { agent, caller } = state;
  const effects: TurnEffect[] = [];
  if (caller.kind !== "quiet") effects.push({ type: "discard_recognition" });
  if (state.speculation !== undefined) effects.push({ type: "drop_speculation" });
  const { text: query, source, nowMs } = event;
  if (agent.kind === "speaking" && !agent.interruptible) {
    const utterance = { ...newUtterance(nowMs), segments: [query], source };
    const waiting: CallerState = {
      ...utterance,
      kind: "trailing",
      voiceEndedAtMs: nowMs,
      deadlineMs: nowMs,
      finalDeadlineMs: nowMs,
    };
    return [{ ...state, caller: waiting, speculation: undefined }, effects];
  }
  const turn = state.turn + 1;
  const begin = {
    turn,
    query,
    addedText: query,
    source,
    endOfVoiceMs: nowMs,
    decidedAtMs: nowMs,
    adoptsSpeculation: false,
  };
  const next: TurnState = {
    caller: { kind: "quiet" },
    agent: { kind: "thinking", query, source },
    turn,
    speculation: undefined,
    manners: {},
  };
  return [next, [...effects, ...yieldFloor(agent), { type: "begin_turn", begin }]];
}

function onReplyStarted(state: TurnState, event: EventOf<"reply_started">): Step {
  if (state.agent.kind === "held") return [state, []];
  const interruptible = event.interruptible && state.manners.interruptible !== false;
  return [{ ...state, agent: { kind: "speaking", interruptible } }, []];
}

function onReplyFinished(state: TurnState, event: EventOf<"reply_finished">): Step {
  const { caller } = state;
  if (state.agent.kind === "held") return [state, []];
  // Words kept during an answer that could not be interrupted are measured from its end.
  const waited: CallerState =
    caller.kind === "trailing"
      ? { ...caller, voiceEndedAtMs: Math.max(caller.voiceEndedAtMs, event.nowMs) }
      : caller;
  return [{ ...state, agent: { kind: "silent" }, caller: waited }, []];
}

function onManners(state: TurnState, event: EventOf<"manners">): Step {
  const { agent } = state;
  const { interruptible } = event.manners;
  const nextAgent =
    agent.kind === "speaking" && interruptible !== undefined ? { ...agent, interruptible } : agent;
  return [{ ...state, agent: nextAgent, manners: { ...state.manners, ...event.manners } }, []];
}

function hold(state: TurnState): Step {
  const agent = { kind: "held", confirmed: false, unheardMs: Number.POSITIVE_INFINITY } as const;
  return [{ ...state, agent }, [{ type: "hold_reply" }]];
}

function andThen([state, effects]: Step, next: (state: TurnState) => Step): Step {
  const [after, more] = next(state);
  return [after, more.length === 0 ? effects : [...effects, ...more]];
}
