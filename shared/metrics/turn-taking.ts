import type { Registry } from "prom-client";
import { declaring, LATENCY_BUCKETS } from "./declare.ts";

/** Turn-taking: who speaks when, and what was heard of callers. */
export function turnTakingMetrics(registry: Registry) {
  const { histogram, counter } = declaring(registry);
  return {
    falseAlarmsTotal: counter(
      "false_alarms_total",
      "Interruptions that turned out to be noise; the answer went on. Many: raise bargeIn.minSpeechMs or minWords.",
    ),
    bargeInsTotal: counter(
      "barge_ins_total",
      "Answers cut because the caller interrupted. Many: answers are too long.",
    ),
    floorDecisionsTotal: counter(
      "floor_decisions_total",
      "What was decided about who speaks, and why. Many ignore or go_on with own_voice: callers have echoes; many duck without interrupt: noisy rooms; many end_turn with unfinished: callers are waited for long.",
      ["decision", "reason"],
    ),
    endOfTurnModelSeconds: histogram(
      "end_of_turn_model_seconds",
      "Question to the end-of-turn model to its answer, or to its end. Many timeouts or failures: END_OF_TURN_URL or END_OF_TURN_MODEL is slow or down; turns end by the built-in judgment.",
      LATENCY_BUCKETS,
      ["outcome"],
    ),
    utterancesUnrecognisedTotal: counter(
      "utterances_unrecognised_total",
      "Voices of callers that no words came for in time; the fallback line is spoken. Many: the recognizer is too slow for its load, or gone.",
    ),
    sttLateFinalsTotal: counter(
      "stt_late_finals_total",
      "Words that came after they were given up; they are answered all the same. Many: raise endpointing.finalTimeoutMs, or give the recognizer more room.",
    ),
  };
}
