import { SPEECH_VENDORS } from "@parley/shared/contracts/speech-vendors.ts";
import { PCM_RATE_HZ } from "../pcm.ts";
import { asObject, asText, type JsonObject, parseObject } from "../vendor-requests/json.ts";

const { defaultModel: DEFAULT_MODEL } = SPEECH_VENDORS.deepgram.stt;
/** Silence after which Deepgram finalizes by itself; the gateway's Finalize usually comes first. */
const ENDPOINTING_MS = 300;
/** Silence after the last word before `UtteranceEnd`; the minimum that Deepgram accepts. */
const UTTERANCE_END_MS = 1_000;

export const KEEP_ALIVE = JSON.stringify({ type: "KeepAlive" });
export const FINALIZE = JSON.stringify({ type: "Finalize" });
export const CLOSE_STREAM = JSON.stringify({ type: "CloseStream" });

/** Messages of Deepgram's live endpoint that a call needs. Times are seconds of the stream's audio. */
export type DeepgramMessage =
  | {
      readonly type: "results";
      readonly text: string;
      readonly startSecs: number;
      readonly endSecs: number;
      readonly isFinal: boolean;
      readonly fromFinalize: boolean;
      readonly speechFinal: boolean;
    }
  | { readonly type: "utterance_end" }
  | { readonly type: "other" };

export function listenUrl(base: string, options: { language: string; model?: string }): string {
  const url = new URL(`${base.replace(/\/+$/, "")}/v1/listen`);
  url.search = new URLSearchParams({
    model: options.model ?? DEFAULT_MODEL,
    language: options.language,
    encoding: "linear16",
    sample_rate: String(PCM_RATE_HZ),
    channels: "1",
    interim_results: "true",
    endpointing: String(ENDPOINTING_MS),
    utterance_end_ms: String(UTTERANCE_END_MS),
    vad_events: "true",
    smart_format: "true",
  }).toString();
  return url.href;
}

/** The endpoint for recordings, which takes any common file format. */
export function fileUrl(base: string, options: { language: string; model?: string }): string {
  const url = new URL(`${base.replace(/\/+$/, "")}/v1/listen`);
  const { language, model = DEFAULT_MODEL } = options;
  url.search = new URLSearchParams({ model, language, smart_format: "true" }).toString();
  return url.href;
}

export function parseDeepgramMessage(message: string): DeepgramMessage {
  const json = parseObject(message);
  if (json?.type === "UtteranceEnd") return { type: "utterance_end" };
  if (json?.type !== "Results") return { type: "other" };
  const startSecs = numberOf(json, "start");
  return {
    type: "results",
    text: transcriptOf(json),
    startSecs,
    endSecs: startSecs + numberOf(json, "duration"),
    isFinal: json.is_final === true,
    fromFinalize: json.from_finalize === true,
    speechFinal: json.speech_final === true,
  };
}

function transcriptOf(json: JsonObject): string {
  const alternatives = asObject(json.channel)?.alternatives;
  const [best] = Array.isArray(alternatives) ? alternatives : [];
  return asText(asObject(best)?.transcript)?.trim() ?? "";
}

function numberOf(json: JsonObject, key: string): number {
  const value = json[key];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
