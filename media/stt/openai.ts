import type { Clock } from "@parley/shared/clock.ts";
import { SPEECH_VENDORS } from "@parley/shared/contracts/speech-vendors.ts";
import { FormData } from "undici";
import { msToSamples, PCM_RATE_HZ } from "../pcm.ts";
import { SpeechError } from "../speech-error.ts";
import { DEFAULT_DEADLINES, type VendorDeadlines } from "../vendor-requests/deadlines.ts";
import { VendorHttp } from "../vendor-requests/http.ts";
import { asText, parseObject } from "../vendor-requests/json.ts";
import { assertUsableKey } from "../vendor-requests/keys.ts";
import { type OpenAiAddress, openAiHeaders, openAiUrl } from "../vendor-requests/openai-address.ts";
import { readSse } from "../vendor-requests/sse.ts";
import { encodeWav } from "../wav/encode-wav.ts";
import type { SttVendor } from "./port.ts";
import { openUtteranceSession } from "./utterance-session.ts";

const VENDOR = "openai";
const { defaultModel: DEFAULT_MODEL } = SPEECH_VENDORS.openai.stt;
/** The endpoint refuses less than a tenth of a second. */
const MIN_SAMPLES = msToSamples(100);
const MAX_ANSWER_CHARS = 256 * 1024;

export interface OpenAiSttOptions extends OpenAiAddress {
  readonly clock: Clock;
  readonly deadlines?: VendorDeadlines;
}

/**
 * Any endpoint that implements OpenAI's `POST /audio/transcriptions`, one utterance at a time. Requests streaming, but
 * goes by the response's content type, because many servers do not stream.
 */
export function createOpenAiStt({ clock, deadlines, ...address }: OpenAiSttOptions): SttVendor {
  if (address.apiKey !== undefined) assertUsableKey(VENDOR, address.apiKey);
  const http = new VendorHttp({ vendor: VENDOR, clock, deadlines });
  const url = openAiUrl(address, "/audio/transcriptions");
  const headers = openAiHeaders(address);
  const { firstByteMs, idleMs } = deadlines ?? DEFAULT_DEADLINES;
  const answersWithinMs = firstByteMs + idleMs;
  return {
    name: VENDOR,
    open: (options) =>
      openUtteranceSession(
        VENDOR,
        { ...options, answersWithinMs },
        async (samples, { signal, onInterim }) => {
          if (samples.length < MIN_SAMPLES) return "";
          const body = formOf(samples, options);
          const { contentType, chunks } = await http.post(url, { headers, body, signal });
          if (contentType === "text/event-stream") return readDeltas(chunks, onInterim);
          const answer = await readText(chunks);
          if (contentType !== "application/json") return answer;
          return textFrom(asText(parseObject(answer)?.text));
        },
      ),
  };
}

function formOf(samples: Int16Array, options: { language: string; model?: string }): FormData {
  const form = new FormData();
  const wav = new Blob([Buffer.from(encodeWav(samples, PCM_RATE_HZ))], { type: "audio/wav" });
  form.set("file", wav, "utterance.wav");
  form.set("model", options.model ?? DEFAULT_MODEL);
  const language = isoLanguage(options.language);
  if (language !== undefined) form.set("language", language);
  form.set("response_format", "json");
  form.set("stream", "true");
  return form;
}

/**
 * The endpoint takes ISO 639, while a call's language is BCP 47 or a vendor's own word (Deepgram's `multi`). Languages
 * that the endpoint would refuse are left out, and it detects the language.
 */
function isoLanguage(language: string): string | undefined {
  return /^([a-z]{2,3})(?:-|$)/.exec(language.toLowerCase())?.[1];
}

async function readDeltas(
  chunks: AsyncIterable<Uint8Array>,
  onInterim: (text: string) => void,
): Promise<string> {
  let text = "";
  for await (const data of readSse(VENDOR, chunks)) {
    const event = parseObject(data);
    if (event?.type === "transcript.text.delta") {
      text += asText(event.delta) ?? "";
      onInterim(text);
    } else if (event?.type === "transcript.text.done") {
      return asText(event.text) ?? text;
    } else if (event?.type === "error") {
      throw new SpeechError(VENDOR, "gave up in the middle of a transcript", { retryable: true });
    }
  }
  throw new SpeechError(VENDOR, "the transcript has no end", { retryable: true });
}

async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ANSWER_CHARS) {
      throw new SpeechError(VENDOR, "the transcript has no end", { retryable: true });
    }
  }
  return text + decoder.decode();
}

function textFrom(text: string | undefined): string {
  if (text === undefined) throw new SpeechError(VENDOR, "answered without a text", { retryable: true });
  return text;
}
