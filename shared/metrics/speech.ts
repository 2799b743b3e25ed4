import type { Registry } from "prom-client";
import { declaring } from "./declare.ts";

/** The speech vendors: recognizers and voices. */
export function speechMetrics(registry: Registry) {
  const { counter } = declaring(registry);
  return {
    speechErrorsTotal: counter(
      "speech_errors_total",
      "Failures of speech vendors. Check the vendor's status and the key.",
      ["vendor", "kind"],
    ),
    speechFallbacksTotal: counter(
      "speech_fallbacks_total",
      "Times a call went on with the next vendor. Many: the first one named is failing, see speech_errors_total.",
      ["kind"],
    ),
    speechLostTotal: counter(
      "speech_lost_total",
      "Times a call had no recognizer (stt) or no voice (tts) left: its caller is told, and a phone call may end with internal_error. Look at speech_errors_total.",
      ["kind"],
    ),
    keptSpeechTotal: counter(
      "kept_speech_total",
      "Clauses of agents' own lines (first response, fallback, prompts) that were kept from an earlier call (hit) or had to be spoken (miss). Many misses: first responses differ in each call, or nodes restart often.",
      ["outcome"],
    ),
  };
}
