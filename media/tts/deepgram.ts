import type { Clock } from "@parley/shared/clock.ts";
import { SPEECH_VENDORS } from "@parley/shared/contracts/speech-vendors.ts";
import { PCM_RATE_HZ } from "../pcm.ts";
import type { VendorDeadlines } from "../vendor-requests/deadlines.ts";
import { VendorHttp } from "../vendor-requests/http.ts";
import { assertUsableKey } from "../vendor-requests/keys.ts";
import { openHttpVoice } from "./http-voice.ts";
import { pcmFrom } from "./pcm-stream.ts";
import type { TtsVendor } from "./port.ts";
import { rawAudio } from "./raw-audio.ts";

const VENDOR = "deepgram";
/** Deepgram's voices are models. */
const DEFAULT_VOICE = SPEECH_VENDORS.deepgram.tts.defaultVoice;
const MAX_CHARS = 2_000;

export interface DeepgramTtsOptions {
  readonly apiKey: string;
  /** Scheme and host. */
  readonly url: string;
  readonly clock: Clock;
  readonly deadlines?: VendorDeadlines;
}

/**
 * Deepgram Aura by streamed `POST /v1/speak`. Its websocket does not fit: it accepts 20 `Flush` a minute, and
 * clause-by-clause speech flushes once per clause.
 */
export function createDeepgramTts({ apiKey, url, clock, deadlines }: DeepgramTtsOptions): TtsVendor {
  assertUsableKey(VENDOR, apiKey);
  const http = new VendorHttp({ vendor: VENDOR, clock, deadlines });
  const headers = { authorization: `Token ${apiKey}`, "content-type": "application/json" };
  return {
    name: VENDOR,
    close: () => http.close(),
    openReply: ({ voice, model, signal }) => {
      const address = speakUrl(url, voice ?? model ?? DEFAULT_VOICE);
      return openHttpVoice({
        vendor: VENDOR,
        maxChars: MAX_CHARS,
        signal,
        ask: (text, over) => http.post(address, { headers, body: JSON.stringify({ text }), signal: over }),
        read: (answer) => pcmFrom(rawAudio(VENDOR, answer), PCM_RATE_HZ),
      });
    },
  };
}

function speakUrl(base: string, model: string): string {
  const url = new URL(`${base.replace(/\/+$/, "")}/v1/speak`);
  url.search = new URLSearchParams({
    model,
    encoding: "linear16",
    sample_rate: String(PCM_RATE_HZ),
    container: "none",
  }).toString();
  return url.href;
}
