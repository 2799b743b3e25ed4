import { isBackchannel } from "@parley/media/turn/backchannel.ts";
import { countWords } from "@parley/media/turn/words.ts";
import type { TurnEffect, TurnSettings, TurnState } from "./turn-state.ts";

/** A "mm-hm" over an answer with less than this left is taken as the caller's turn, not as listening. */
const BACKCHANNEL_NEEDS_UNHEARD_MS = 1_500;

/** What is known of the voice that talks over the agent. */
export interface VoiceSoFar {
  /** How long it has lasted; infinite when only its text is known. */
  readonly voiceMs: number;
  /** Its words as far as they are recognised. */
  readonly text: string;
}

/** True when the voice meets the barge-in condition while the agent speaks. */
export function mayInterrupt(state: TurnState, voice: VoiceSoFar, settings: TurnSettings): boolean {
  if (state.agent.kind !== "speaking" || !state.agent.interruptible) return false;
  return !isBackchannel(voice.text) && meets(voice, settings.bargeIn);
}

/** Thinking has a threshold of its own: nothing was said yet that could be lost. */
export function mayInterruptThinking(state: TurnState, voice: VoiceSoFar, settings: TurnSettings): boolean {
  return state.agent.kind === "thinking" && meets(voice, settings.thinkingInterruption);
}

/** True when what was said over the agent is a listener's noise, not a turn. */
export function isListenerNoise(state: TurnState, text: string): boolean {
  if (!isBackchannel(text)) return false;
  return state.agent.kind !== "held" || state.agent.unheardMs >= BACKCHANNEL_NEEDS_UNHEARD_MS;
}

/** A held answer is given up for good once words, or a long voice, say that the interruption is meant. */
export function confirmHold(
  state: TurnState,
  voice: VoiceSoFar,
  settings: TurnSettings,
): readonly [TurnState, readonly TurnEffect[]] {
  const { agent } = state;
  if (agent.kind !== "held" || agent.confirmed) return [state, []];
  const hasWords = voice.text !== "" && !isBackchannel(voice.text);
  const isLong = Number.isFinite(voice.voiceMs) && voice.voiceMs >= settings.bargeIn.confirmSpeechMs;
  if (!hasWords && !isLong) return [state, []];
  return [{ ...state, agent: { ...agent, confirmed: true } }, [{ type: "abort_generation" }]];
}

interface Condition {
  readonly enabled: boolean;
  readonly minSpeechMs: number;
  readonly minWords: number;
}

function meets(voice: VoiceSoFar, condition: Condition): boolean {
  if (!condition.enabled || voice.voiceMs < condition.minSpeechMs) return false;
  return condition.minWords === 0 || countWords(voice.text) >= condition.minWords;
}
