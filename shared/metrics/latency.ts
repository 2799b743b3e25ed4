import type { Registry } from "prom-client";
import { declaring, FINE_BUCKETS, LATENCY_BUCKETS } from "./declare.ts";

/** The parts of the response time, and other delays that a caller notices. */
export function latencyMetrics(registry: Registry) {
  const { histogram } = declaring(registry);
  return {
    endOfTurnSeconds: histogram(
      "end_of_turn_seconds",
      "End of the caller's voice to turn decided. High: slow recognizer finals, or endpointing.maxMs too long for these callers.",
      LATENCY_BUCKETS,
    ),
    sttFinalSeconds: histogram(
      "stt_final_seconds",
      "Final text asked for to final text given. High: the recognizer is slow; configure another one, or a nearer region.",
      LATENCY_BUCKETS,
      ["vendor"],
    ),
    brainConnectSeconds: histogram(
      "brain_connect_seconds",
      "Request to a brain begun to its response's headers. High: the brain closes idle connections, is far away, or thinks before it answers at all.",
      LATENCY_BUCKETS,
    ),
    brainRequestSeconds: histogram(
      "brain_request_seconds",
      "Turn decided to request on the wire. High: connections to the brain are opened again, or apps tell late what they played.",
      LATENCY_BUCKETS,
    ),
    firstClauseSeconds: histogram(
      "first_clause_seconds",
      "First content of the brain to first clause handed to the voice. High: the model is slow between tokens, or its first sentences are long; lower clauseFlushMs.",
      LATENCY_BUCKETS,
    ),
    brainFirstTokenSeconds: histogram(
      "brain_first_token_seconds",
      "Request on the wire to the brain's first content. High: look at the customer's endpoint and its model.",
      LATENCY_BUCKETS,
    ),
    ttsFirstByteSeconds: histogram(
      "tts_first_byte_seconds",
      "First clause handed to the voice to its first audio. High: the voice vendor is slow, or the flite workers are too few.",
      LATENCY_BUCKETS,
      ["vendor"],
    ),
    responseSeconds: histogram(
      "response_seconds",
      "The caller stopped speaking to first agent audio on the socket: what the caller feels. Compare its parts to see who is late.",
      LATENCY_BUCKETS,
    ),
    deadAirSeconds: histogram(
      "dead_air_seconds",
      "The longest stretch of each answered turn in which the caller heard nothing, from the end of their voice. High: lower waiting.afterMs and againAfterMs, or see which part of response_seconds is slow.",
      LATENCY_BUCKETS,
    ),
    bargeInStopSeconds: histogram(
      "barge_in_stop_seconds",
      "Enough voice, or the words, that interrupt the agent to clear on the socket. Must stay below 0.02; more means the event loop is blocked or audio comes late.",
      LATENCY_BUCKETS,
    ),
    frameLatenessSeconds: histogram(
      "frame_lateness_seconds",
      "Agent audio frames sent after their playing time, by how much. Any growth means choppy audio: too many calls on this node.",
      FINE_BUCKETS,
    ),
  };
}
