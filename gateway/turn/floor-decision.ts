import { isLikelyFinished } from "@parley/media/end-of-turn/end-of-turn.ts";
import { countWords } from "@parley/media/end-of-turn/words.ts";
import type { FloorDecisionName, FloorReason } from "@parley/shared/contracts/floor.ts";
import type { TurnEffect, TurnEvent, TurnSettings, TurnState } from "./turn-state.ts";
import { finishedOf, turnNumber, utteranceText } from "./utterance.ts";

/** A decision about the floor and its reason, each from a small set. */
export interface FloorDecision {
  /** The turn to which the decision led, or over whose answer it was made. */
  readonly turn: number;
  readonly decision: FloorDecisionName;
  readonly reason: FloorReason;
  /** The silence before the decision. */
  readonly afterMs?: number;
  /** Number of words heard. */
  readonly words?: number;
}

interface Stepped {
  readonly before: TurnState;
  readonly event: TurnEvent;
  readonly after: TurnState;
  readonly effects: readonly TurnEffect[];
  readonly settings: TurnSettings;
}

const BY_SOURCE = { speech: "words", text: "typed", dtmf: "keys", call: "call" } as const;

/** The decisions in one step of the turn state, derived from its effects and its cause. */
export function decisionsOf(step: Stepped): readonly FloorDecision[] {
  const { before, event, effects } = step;
  const { turn } = before;
  const found: FloorDecision[] = [];
  if (event.type === "final" && event.own !== undefined) {
    found.push({ turn, decision: "ignore", reason: event.own });
  }
  if (event.type === "voice_started") found.push(...waitsOf(step, event.atMs));
  if (effects.length === 0) return found;
  const does = new Set(effects.map(({ type }) => type));
  const isConfirmed = before.agent.kind === "held" && before.agent.confirmed;
  const cause = { turn, reason: causeOf(event) };
  if (does.has("abort_generation") || (does.has("cut_reply") && !isConfirmed)) {
    found.push({ decision: "interrupt", ...cause, ...wordsIn(step) });
  } else if (does.has("hold_reply")) found.push({ decision: "hold", ...cause });
  if (does.has("restore_reply") || does.has("resume_reply")) {
    found.push({ turn, decision: "go_on", reason: whyGoOn(step) });
  } else if (does.has("duck_reply")) found.push({ decision: "duck", ...cause });
  if (does.has("abandon_turn")) found.push({ decision: "take_back", ...cause, ...wordsIn(step) });
  return [...found, ...endsOf(step, does)];
}

/** The caller goes on after a pause that might have ended the turn. */
function waitsOf({ before, after, settings }: Stepped, atMs: number): FloorDecision[] {
  const { caller, agent } = before;
  if (caller.kind !== "trailing" || after.caller.kind !== "speaking" || agent.kind !== "silent") return [];
  const text = utteranceText(caller);
  const afterMs = Math.round(atMs - caller.voiceEndedAtMs);
  if (text === "" || afterMs < settings.endpointing.minMs) return [];
  const isOwed = caller.pendingFinals > 0 || caller.interim !== "";
  const reason = isOwed ? "words_awaited" : howItSounds(text, before, settings);
  return [{ turn: turnNumber(before, caller), decision: "wait", reason, afterMs }];
}

function endsOf(step: Stepped, does: ReadonlySet<TurnEffect["type"]>): FloorDecision[] {
  return step.effects.flatMap((effect): FloorDecision[] => {
    if (effect.type !== "begin_turn") return [];
    const { turn, query, source, decidedAtMs, endOfVoiceMs } = effect.begin;
    if (source !== "speech") return [{ turn, decision: "end_turn", reason: BY_SOURCE[source] }];
    const afterMs = Math.max(0, Math.round(decidedAtMs - endOfVoiceMs));
    const reason = whyEnded(step, query, does);
    return [{ turn, decision: "end_turn", reason, afterMs, words: countWords(query) }];
  });
}

function causeOf(event: TurnEvent): FloorReason {
  if (event.type === "typed") return BY_SOURCE[event.source];
  return event.type === "voice_runs" ? "voice" : "words";
}

/** The number of the caller's words known after the event; empty if there are none. */
function wordsIn({ before: { caller }, event }: Stepped): { words?: number } {
  if (event.type === "typed") return {};
  const said = caller.kind === "quiet" ? [] : caller.segments;
  const interim = caller.kind === "quiet" ? "" : caller.interim;
  const latest = event.type === "interim" || event.type === "final" ? event.text : interim;
  const words = countWords([...said, latest].join(" "));
  return words === 0 ? {} : { words };
}

function whyGoOn({ event, after: { caller } }: Stepped): FloorReason {
  if (event.type === "final" && event.own !== undefined) return event.own;
  if (caller.kind === "trailing") return "words_awaited";
  return event.type === "final" && event.text.trim() !== "" ? "listening" : "no_words";
}

function whyEnded(
  { before, settings }: Stepped,
  query: string,
  does: ReadonlySet<TurnEffect["type"]>,
): FloorReason {
  const { caller } = before;
  if (does.has("discard_recognition")) return "no_final";
  if (caller.kind !== "trailing") return "words";
  if (caller.capped) return "too_long";
  if (caller.endedByText) return caller.speechEnded ? "speech_end" : "text_stable";
  return howItSounds(query, before, settings);
}

/** The basis on which the wait was judged. */
function howItSounds(text: string, state: TurnState, settings: TurnSettings): FloorReason {
  const { overrides, verdict } = state;
  if (overrides.endpointingMs !== undefined) return "as_asked";
  const isFinished = isLikelyFinished(finishedOf(text, state, settings));
  if (verdict?.finished !== undefined && verdict.text === text) {
    return isFinished ? "model_complete" : "model_unfinished";
  }
  return isFinished ? "complete" : "unfinished";
}
