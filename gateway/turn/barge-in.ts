import { isBackchannel, mayBecomeBackchannel } from "@parley/media/end-of-turn/backchannel.ts";
import { countWords } from "@parley/media/end-of-turn/words.ts";
import type { AgentState, TurnEffect, TurnSettings, TurnState } from "./turn-state.ts";

/** A "mm-hm" over an answer with less than this left counts as the caller's turn rather than as listening. */
const BACKCHANNEL_NEEDS_UNHEARD_MS = 1_500;
/** How often a stop without words may double the length that the next voice must reach. */
const MOST_WORDLESS_STOPS = 3;

type Step = readonly [TurnState, readonly TurnEffect[]];

/** The known words of a voice that talks over the agent. */
export interface WordsSoFar {
  readonly text: string;
  /** True if the text will not change any more. */
  readonly isFinal: boolean;
}

/**
 * Handles a voice over the agent's, by its sound alone. Sound lowers the answer without stopping it: most of what is
 * heard over an answer is a cough, a door or a "mm-hm". Only a clear voice that lasts (`confirmSpeechMs`) stops the
 * answer before its words are known (docs/decisions/turns.md#sounds-lower-answer-words-stop), and only once; each stop
 * without words makes the next one take longer.
 */
export function onVoiceOver(
  state: TurnState,
  voice: { readonly clearMs: number; readonly text: string; readonly nowMs: number },
  { bargeIn }: TurnSettings,
): Step {
  const { agent, caller, wordlessStops } = state;
  if (agent.kind !== "speaking" || !agent.interruptible || !bargeIn.enabled) return [state, []];
  if (voice.clearMs < bargeIn.minSpeechMs) return [state, []];
  const isLong = voice.clearMs >= bargeIn.confirmSpeechMs * 2 ** wordlessStops && bargeIn.minWords === 0;
  const isFirst = caller.kind === "speaking" && caller.stoppedAtMs === undefined;
  if (isLong && isFirst && !mayBecomeBackchannel(voice.text)) {
    return hold({ ...state, caller: { ...caller, stoppedAtMs: voice.nowMs } });
  }
  if (agent.ducked !== undefined) return [state, []];
  const ducked = { unheardMs: Number.POSITIVE_INFINITY };
  return [{ ...state, agent: { ...agent, ducked } }, [{ type: "duck_reply" }]];
}

/** Handles words over the agent's own: they stop the answer for good, unless they only encourage it. */
export function onWordsOver(state: TurnState, words: WordsSoFar, settings: TurnSettings): Step {
  const { agent } = state;
  if (agent.kind === "held" && !agent.confirmed) {
    return isMeant(words, 1) ? confirm({ ...state, wordlessStops: 0 }) : [state, []];
  }
  if (agent.kind !== "speaking" || !mayInterrupt(state, words, settings)) return [state, []];
  const [held, effects] = hold(state);
  const [confirmed, more] = confirm(held);
  return [confirmed, [...effects, ...more]];
}

/** True if the words meet the barge-in condition while the agent speaks. */
export function mayInterrupt(state: TurnState, words: WordsSoFar, { bargeIn }: TurnSettings): boolean {
  if (state.agent.kind !== "speaking" || !state.agent.interruptible || !bargeIn.enabled) return false;
  return isMeant(words, Math.max(1, bargeIn.minWords));
}

/**
 * True if the caller goes on while the brain thinks, so that the question asked is incomplete. Words decide this; sound
 * does so only if the recognizer gives no words before the voice is over, and only for a clear voice that lasts.
 */
export function goesOnWhileThinking(
  state: TurnState,
  voice: { readonly clearMs: number; readonly words: WordsSoFar },
  { thinkingInterruption, hasInterims, recognizes }: TurnSettings,
): boolean {
  const { enabled, minSpeechMs, minWords } = thinkingInterruption;
  if (state.agent.kind !== "thinking" || !enabled) return false;
  if (isMeant(voice.words, Math.max(1, minWords))) return true;
  return recognizes && !hasInterims && minWords === 0 && voice.clearMs >= minSpeechMs;
}

/** True if what was said over the agent is a backchannel rather than a turn. */
export function isListenerNoise(state: TurnState, text: string): boolean {
  return isBackchannel(text) && unheardMs(state.agent) >= BACKCHANNEL_NEEDS_UNHEARD_MS;
}

/**
 * Lets the answer go on because no words came in time, though the recognizer still owes them: a lowered answer returns
 * to full volume, and one that a long clear voice stopped resumes softly.
 */
export function goOnMeanwhile(state: TurnState): Step {
  const { agent } = state;
  if (agent.kind === "held") {
    const ducked = { unheardMs: agent.unheardMs };
    const effects: TurnEffect[] = [{ type: "resume_reply" }, { type: "duck_reply" }];
    return [{ ...countStop(state), agent: { kind: "speaking", interruptible: true, ducked } }, effects];
  }
  const [next, effects] = goOn(agent);
  return effects.length === 0 ? [state, []] : [{ ...state, agent: next }, effects];
}

/** Counts a voice without words that stopped the answer for nothing. */
export function countStop(state: TurnState): TurnState {
  const { agent, wordlessStops } = state;
  if (agent.kind !== "held" || agent.confirmed) return state;
  return { ...state, wordlessStops: Math.min(MOST_WORDLESS_STOPS, wordlessStops + 1) };
}

/** Resumes or restores the answer after a voice without words. */
export function goOn(agent: AgentState): readonly [AgentState, readonly TurnEffect[]] {
  if (agent.kind === "held") {
    return [{ kind: "speaking", interruptible: true, ducked: undefined }, [{ type: "resume_reply" }]];
  }
  if (agent.kind !== "speaking" || agent.ducked === undefined) return [agent, []];
  return [{ ...agent, ducked: undefined }, [{ type: "restore_reply" }]];
}

function unheardMs(agent: AgentState): number {
  if (agent.kind === "held") return agent.unheardMs;
  return agent.kind === "speaking" && agent.ducked ? agent.ducked.unheardMs : Number.POSITIVE_INFINITY;
}

function isMeant({ text, isFinal }: WordsSoFar, minWords: number): boolean {
  const isNoise = isFinal ? isBackchannel(text) : mayBecomeBackchannel(text);
  return text !== "" && !isNoise && countWords(text) >= minWords;
}

function hold(state: TurnState): Step {
  const unheard = unheardMs(state.agent);
  const agent = { kind: "held", confirmed: false, unheardMs: unheard } as const;
  return [{ ...state, agent }, [{ type: "hold_reply" }]];
}

function confirm(state: TurnState): Step {
  if (state.agent.kind !== "held") return [state, []];
  return [{ ...state, agent: { ...state.agent, confirmed: true } }, [{ type: "abort_generation" }]];
}
