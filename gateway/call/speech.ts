import type { SpeechBreakers } from "@parley/media/speech-breaker.ts";
import type { SpeechError } from "@parley/media/speech-error.ts";
import { openSttWithFallback } from "@parley/media/stt/fallback.ts";
import type { SttEvent, SttSession, SttVendor } from "@parley/media/stt/port.ts";
import { createTtsWithFallback } from "@parley/media/tts/fallback.ts";
import type { TtsReply, TtsVendor } from "@parley/media/tts/port.ts";
import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";

export interface SpeechDeps {
  readonly stt: ReadonlyMap<string, SttVendor>;
  readonly tts: ReadonlyMap<string, TtsVendor>;
  readonly breakers: SpeechBreakers;
  readonly metrics: Metrics;
}
