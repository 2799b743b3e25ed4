import type { SpeechBreakers } from "@parley/media/speech-breaker.ts";
import { openSttWithFallback } from "@parley/media/stt/fallback.ts";
import type { SttEvent, SttSession, SttVendor } from "@parley/media/stt/port.ts";
import { atVolume } from "@parley/media/tts/at-volume.ts";
import { openTtsWithFallback, styleOf, type TtsChoiceOf } from "@parley/media/tts/fallback.ts";
import type { KeptClauses, KeptSpeech } from "@parley/media/tts/kept-speech.ts";
import type { TtsReply, TtsVendor } from "@parley/media/tts/port.ts";
import { SpeechRates } from "@parley/media/tts/spoken-part.ts";
import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { clausesOf } from "../pipeline/clauses.ts";
import { keepLines, linesToKeep } from "./keep-lines.ts";
import { timedVoice } from "./timed-voice.ts";

export interface SpeechDeps {
  readonly stt: ReadonlyMap<string, SttVendor>;
  readonly tts: ReadonlyMap<string, TtsVendor>;
  readonly breakers: SpeechBreakers;
  readonly kept: KeptSpeech;
  readonly now: () => number;
  readonly metrics: Pick<
    Metrics,
    "speechErrorsTotal" | "speechFallbacksTotal" | "ttsFirstByteSeconds" | "keptSpeechTotal"
  >;
}

/** The voices of one call. */
export interface CallVoice {
  /** Opens a voice for one answer. */
  open(signal: AbortSignal): TtsReply;
  /** Synthesizes the lines that this call may need, without playing them, so that they are kept. Never throws. */
  keepLines(signal: AbortSignal): Promise<void>;
}

/** The speech vendors of this node as one call uses them: in the plan's order, with fallback. */
export class Speech {
  readonly #deps: SpeechDeps;

  constructor(deps: SpeechDeps) {
    this.#deps = deps;
  }

  /** "client" if the first recognizer of the plan that this node has takes no audio. */
  recognitionFor(plan: CallPlan): "client" | "server" {
    return this.#recognizers(plan)[0]?.vendor.name === "client" ? "client" : "server";
  }

  sttFor(plan: CallPlan, log: Logger): (onEvent: (event: SttEvent) => void) => SttSession {
    const breakers = this.#deps.breakers.of(plan.orgId);
    const choices = this.#recognizers(plan);
    return (onEvent) => openSttWithFallback({ choices, breakers, onEvent, ...this.#watch("stt", log) });
  }

  voiceFor(plan: CallPlan, log: Logger): CallVoice {
    const { tts } = this.#deps;
    const { speed, volumeDb } = plan.sound;
    const breakers = this.#deps.breakers.of(plan.orgId);
    const choices = plan.tts.flatMap(({ vendor: name, voice, model }) => {
      const vendor = tts.get(name);
      const style = {
        ...(voice === undefined ? {} : { voice }),
        ...(model === undefined ? {} : { model }),
        speed,
      };
      return vendor ? [{ vendor: this.#timed(vendor), voice: style }] : [];
    });
    for (const { vendor } of choices) vendor.warm?.();
    const rates = new SpeechRates(speed);
    const kept = this.#keptBy(plan, choices[0]);
    let hasToldOfTimes = false;
    const onTimesUnusable = (vendor: string, why: string): void => {
      if (!hasToldOfTimes)
        log.warn(
          { event: "word_times_unusable", vendor, why },
          "the voice's times of its words cannot be used",
        );
      hasToldOfTimes = true;
    };
    const open = (signal: AbortSignal): TtsReply =>
      atVolume(
        openTtsWithFallback({
          choices,
          breakers,
          rates,
          kept,
          signal,
          onTimesUnusable,
          ...this.#watch("tts", log),
        }),
        volumeDb,
      );
    return { open, keepLines: (signal) => keepLines(linesToKeep(plan), { kept, open, signal }) };
  }

  #keptBy({ orgId, agentId, ...plan }: CallPlan, choice: TtsChoiceOf | undefined): KeptClauses {
    const { kept, metrics } = this.#deps;
    const manner = { agentId, vendor: choice?.vendor.name ?? "", style: styleOf(choice?.voice ?? {}) };
    const clauses = new Set([plan.firstResponse ?? "", ...linesToKeep(plan)].flatMap(clausesOf));
    return {
      isKept: (text) => clauses.has(text.trim()),
      has: (text) => kept.get(orgId, manner, text) !== undefined,
      get: (text) => {
        const known = kept.get(orgId, manner, text);
        metrics.keptSpeechTotal.inc({ outcome: known ? "hit" : "miss" });
        return known;
      },
      put: (text, samples) => kept.put(orgId, manner, { text, samples }),
    };
  }

  #recognizers(plan: CallPlan) {
    const known = plan.stt.flatMap(({ vendor: name, language, model }) => {
      const vendor = this.#deps.stt.get(name);
      return vendor ? [{ vendor, language, ...(model === undefined ? {} : { model }) }] : [];
    });
    const client = this.#deps.stt.get("client");
    return known.length > 0 || !client ? known : [{ vendor: client, language: "en" }];
  }

  #timed(vendor: TtsVendor): TtsVendor {
    const { now, metrics } = this.#deps;
    return timedVoice(vendor, now, (afterMs) =>
      metrics.ttsFirstByteSeconds.observe({ vendor: vendor.name }, afterMs / 1000),
    );
  }

  #watch(kind: "stt" | "tts", log: Logger) {
    const { speechErrorsTotal, speechFallbacksTotal } = this.#deps.metrics;
    return {
      onError: (error: { vendor: string; message: string }) => {
        speechErrorsTotal.inc({ vendor: error.vendor, kind });
        log.warn(
          { event: "speech_vendor_failed", vendor: error.vendor, err: error.message },
          "a speech vendor failed",
        );
      },
      onFallback: (from: string, to: string) => {
        speechFallbacksTotal.inc({ kind });
        log.warn(
          { event: "speech_vendor_switched", kind, from, to },
          "the call goes on with the next speech vendor",
        );
      },
    };
  }
}
