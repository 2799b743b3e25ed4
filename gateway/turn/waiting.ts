import { SPEECH_MS, type Step } from "./turn-end.ts";
import type { TurnSettings, TurnState } from "./turn-state.ts";
import { turnNumber } from "./utterance.ts";

/** Earliest time after the brain was asked at which the waiting line is said, even if the turn's end took long. */
const BRAIN_MS = 1_000;

/** Time passes in silence: says that the caller was heard, and repeats that from time to time. */
export function onWaiting(state: TurnState, nowMs: number, settings: TurnSettings): Step {
  const owed = owedToCaller(state);
  if (!owed) return [state, []];
  const isAgain = owed.turn === state.waitedIn;
  const afterMs = isAgain ? settings.waitingAgainAfterMs : settings.waitingAfterMs;
  const sinceMs = isAgain ? Math.max(owed.sinceMs, state.waitedAtMs) : owed.sinceMs;
  const earliestMs = owed.askedAtMs + Math.min(afterMs, BRAIN_MS);
  if (afterMs === 0 || nowMs < Math.max(sinceMs + afterMs, earliestMs)) return [state, []];
  return [{ ...state, waitedIn: owed.turn, waitedAtMs: nowMs }, [{ type: "say_waiting", turn: owed.turn }]];
}

/** What the caller waits for, and since when: an answer, or the words of a voice too long for a cough. */
function owedToCaller(state: TurnState): { turn: number; sinceMs: number; askedAtMs: number } | undefined {
  const { agent, caller } = state;
  if (agent.kind === "thinking") {
    const { endOfVoiceMs: sinceMs, askedAtMs } = agent;
    const callerTalks = caller.kind === "speaking" && !caller.isFaint;
    return callerTalks ? undefined : { turn: state.turn, sinceMs, askedAtMs };
  }
  if (agent.kind !== "silent" || caller.kind !== "trailing" || caller.pendingFinals === 0) return undefined;
  const { voiceEndedAtMs: sinceMs, startedAtMs } = caller;
  if (sinceMs - startedAtMs < SPEECH_MS) return undefined;
  return { turn: turnNumber(state, caller), sinceMs, askedAtMs: sinceMs };
}

/** The caller goes on while a waiting line may be audible that was said because their words were owed. */
export function onTalkedOver(state: TurnState, clearMs: number, settings: TurnSettings): Step {
  const { agent, caller } = state;
  if (agent.kind !== "silent" || caller.kind !== "speaking" || caller.isFaint) return [state, []];
  if (state.waitedIn !== turnNumber(state, caller)) return [state, []];
  const isMeant = caller.interim !== "" || clearMs >= settings.thinkingInterruption.minSpeechMs;
  return [state, isMeant ? [{ type: "drop_waiting" }] : []];
}
