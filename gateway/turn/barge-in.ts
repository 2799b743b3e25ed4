import { isBackchannel, mayBecomeBackchannel } from "@parley/media/turn/backchannel.ts";
import { countWords } from "@parley/media/turn/words.ts";
import type { AgentState, TurnEffect, TurnSettings, TurnState } from "./turn-state.ts";

/** A "mm-hm" over an answer with less than this left is taken as the caller's turn, not as listening. */
const BACKCHANNEL_NEEDS_UNHEARD_MS = 1_500;

type Step = readonly [TurnState, readonly TurnEffect[]];

/** What is known of the words of a voice that talks over the agent. */
export interface WordsSoFar {
  readonly text: string;
  /** The text will not change any more. */
  readonly isFinal: boolean;
}

/**
 * A voice over the agent's, by its sound alone. Sound lowers the answer and does not stop it: most of what is heard over
 * an answer is a cough, a door, a "mm-hm". Only a clear voice that lasts (`confirmSpeechMs`) stops it before its words
 * are known (docs/decisions/turns.md#sounds-lower-answer-words-stop).
 */
export function onVoiceOver(
  state: TurnState,
  voice: { readonly clearMs: number; readonly text: string },
  { bargeIn }: TurnSettings,
): Step {
  const { agent } = state;
  if (agent.kind !== "speaking" || !agent.interruptible || !bargeIn.enabled) return [state, []];
  if (voice.clearMs < bargeIn.minSpeechMs) return [state, []];
  const isLong = voice.clearMs >= bargeIn.confirmSpeechMs && bargeIn.minWords === 0;
  if (isLong && !mayBecomeBackchannel(voice.text)) return hold(state);
  if (agent.ducked !== undefined) return [state, []];
  const ducked = { unheardMs: Number.POSITIVE_INFINITY };
  return [{ ...state, agent: { ...agent, ducked } }, [{ type: "duck_reply" }]];
}

/** Words over the agent's own: they stop the answer for good, unless they only tell it to go on. */
export function onWordsOver(state: TurnState, words: WordsSoFar, settings: TurnSettings): Step {
  const { agent } = state;
  if (agent.kind === "held" && !agent.confirmed) return isMeant(words, 1) ? confirm(state) : [state, []];
  if (agent.kind !== "speaking" || !mayInterrupt(state, words, settings)) return [state, []];
  const [held, effects] = hold(state);
  const [confirmed, more] = confirm(held);
  return [confirmed, [...effects, ...more]];
}

/** True when the words meet the barge-in condition while the agent speaks. */
export function mayInterrupt(state: TurnState, words: WordsSoFar, { bargeIn }: TurnSettings): boolean {
  if (state.agent.kind !== "speaking" || !state.agent.interruptible || !bargeIn.enabled) return false;
  return isMeant(words, Math.max(1, bargeIn.minWords));
}

/**
 * True when the caller goes on while the brain thinks, so that what was asked is not the whole question. Words say so; a
 * sound does only where the recognizer tells no words before the voice is over, and only a clear voice that lasts.
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

/** True when what was said over the agent is a listener's noise, not a turn. */
export function isListenerNoise(state: TurnState, text: string): boolean {
  return isBackchannel(text) && unheardMs(state.agent) >= BACKCHANNEL_NEEDS_UNHEARD_MS;
}

/**
 * No words in time for the answer to wait any longer, though the recognizer still owes them: what was lowered goes on at
 * full volume, and what a long clear voice has stopped goes on softly.
 */
export function goOnMeanwhile(state: TurnState): Step {
  const { agent } = state;
  if (agent.kind === "held") {
    const ducked = { unheardMs: agent.unheardMs };
    const effects: TurnEffect[] = [{ type: "resume_reply" }, { type: "duck_reply" }];
    return [{ ...state, agent: { kind: "speaking", interruptible: true, ducked } }, effects];
  }
  const [next, effects] = goOn(agent);
  return effects.length === 0 ? [state, []] : [{ ...state, agent: next }, effects];
}

/** There were no words: what was lowered or held goes on. */
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
