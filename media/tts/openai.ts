import type { Clock } from "@parley/shared/clock.ts";
import { SPEECH_VENDORS } from "@parley/shared/contracts/speech-vendors.ts";
import { SpeechError } from "../speech-error.ts";
import type { VendorDeadlines } from "../vendor-requests/deadlines.ts";
import { VendorHttp } from "../vendor-requests/http.ts";
import { asText, parseObject } from "../vendor-requests/json.ts";
import { assertUsableKey } from "../vendor-requests/keys.ts";
import { type OpenAiAddress, openAiHeaders, openAiUrl } from "../vendor-requests/openai-address.ts";
import { readSse } from "../vendor-requests/sse.ts";
import { openHttpVoice } from "./http-voice.ts";
import { pcmFrom } from "./pcm-stream.ts";
import type { TtsVendor } from "./port.ts";
import { rawAudio } from "./raw-audio.ts";

const VENDOR = "openai";
const { defaultModel: DEFAULT_MODEL, defaultVoice: DEFAULT_VOICE } = SPEECH_VENDORS.openai.tts;
/** The endpoint accepts 4096; the pieces of a split text stay below. */
const MAX_CHARS = 4_000;
/** `response_format: "pcm"` is 16-bit little-endian mono at this rate. */
const SAMPLE_RATE_HZ = 24_000;

export interface OpenAiTtsOptions extends OpenAiAddress {
  readonly clock: Clock;
  readonly deadlines?: VendorDeadlines;
}

/**
 * Any endpoint that implements OpenAI's `POST /audio/speech`. Audio plays as it arrives; the answer's content type
 * decides whether it comes as bytes or as Server-Sent Events.
 */
export function createOpenAiTts({ clock, deadlines, ...address }: OpenAiTtsOptions): TtsVendor {
  if (address.apiKey !== undefined) assertUsableKey(VENDOR, address.apiKey);
  const http = new VendorHttp({ vendor: VENDOR, clock, deadlines });
  const url = openAiUrl(address, "/audio/speech");
  const headers = { ...openAiHeaders(address), "content-type": "application/json" };
  return {
    name: VENDOR,
    close: () => http.close(),
    openReply: ({ voice = DEFAULT_VOICE, model = DEFAULT_MODEL, speed = 1, signal }) =>
      openHttpVoice({
        vendor: VENDOR,
        maxChars: MAX_CHARS,
        signal,
        ask: (input, over) => {
          const pace = speed === 1 ? {} : { speed };
          const body = JSON.stringify({ model, voice, input, response_format: "pcm", ...pace });
          return http.post(url, { headers, body, signal: over });
        },
        read: ({ contentType, chunks }) => {
          const bytes =
            contentType === "text/event-stream" ? audioOf(chunks) : rawAudio(VENDOR, { contentType, chunks });
          return pcmFrom(bytes, SAMPLE_RATE_HZ);
        },
      }),
  };
}

async function* audioOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const data of readSse(VENDOR, chunks)) {
    const event = parseObject(data);
    if (event?.type === "speech.audio.done") return;
    if (event?.type !== "speech.audio.delta") continue;
    yield Buffer.from(asText(event.audio) ?? "", "base64");
  }
  throw new SpeechError(VENDOR, "the audio has no end", { retryable: true });
}
