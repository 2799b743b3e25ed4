import type { Clock } from "@parley/shared/clock.ts";
import { SPEECH_VENDORS } from "@parley/shared/contracts/speech-vendors.ts";
import { FormData } from "undici";
import { msToSamples, PCM_RATE_HZ } from "../pcm.ts";
import { SpeechError } from "../speech-error.ts";
import { DEFAULT_DEADLINES, FILE_DEADLINES, type VendorDeadlines } from "../vendor-requests/deadlines.ts";
import { VendorHttp } from "../vendor-requests/http.ts";
import { asText, parseObject } from "../vendor-requests/json.ts";
import { assertUsableKey } from "../vendor-requests/keys.ts";
import { type OpenAiAddress, openAiHeaders, openAiUrl } from "../vendor-requests/openai-address.ts";
import { readText } from "../vendor-requests/read-text.ts";
import { readSse } from "../vendor-requests/sse.ts";
import { encodeWav } from "../wav/encode-wav.ts";
import type { SpeechFile, SttOptions, SttVendor } from "./port.ts";
import { openUtteranceSession } from "./utterance-session.ts";

const VENDOR = "openai";
const { defaultModel: DEFAULT_MODEL } = SPEECH_VENDORS.openai.stt;
/** The endpoint refuses less than a tenth of a second. */
const MIN_SAMPLES = msToSamples(100);
/** Files that the endpoint decodes, by media type. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  "audio/mp4": "message.m4a",
  "audio/mpeg": "message.mp3",
  "audio/ogg": "message.ogg",
  "audio/wav": "message.wav",
  "audio/webm": "message.webm",
  "video/mp4": "message.mp4",
};

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
  const files = new VendorHttp({ vendor: VENDOR, clock, deadlines: FILE_DEADLINES });
  const transcribe = async (file: NamedFile, options: Asked, by = http): Promise<string> => {
    const { signal, onInterim } = options;
    const { contentType, chunks } = await by.post(url, { headers, body: formOf(file, options), signal });
    if (contentType === "text/event-stream") return readDeltas(chunks, onInterim);
    const answer = await readText(VENDOR, chunks);
    if (contentType !== "application/json") return answer;
    return textFrom(asText(parseObject(answer)?.text));
  };
  return {
    name: VENDOR,
    open: (options) =>
      openUtteranceSession(VENDOR, { ...options, answersWithinMs }, async (samples, asked) => {
        if (samples.length < MIN_SAMPLES) return "";
        const bytes = encodeWav(samples, PCM_RATE_HZ);
        return transcribe(
          { bytes, contentType: "audio/wav", name: "utterance.wav" },
          { ...options, ...asked },
        );
      }),
    transcribeFile: async (file, options) => {
      const name = FILE_NAMES[file.contentType];
      if (name === undefined)
        throw new SpeechError(VENDOR, `takes no ${file.contentType}`, { retryable: false });
      const asked = { ...options, onInterim: () => undefined };
      return (await transcribe({ ...file, name }, asked, files)).trim();
    },
  };
}

/** The endpoint goes by the ending of a file's name. */
interface NamedFile extends SpeechFile {
  readonly name: string;
}

interface Asked extends Pick<SttOptions, "language" | "model"> {
  readonly signal: AbortSignal;
  readonly onInterim: (text: string) => void;
}

function formOf({ bytes, contentType, name }: NamedFile, options: Asked): FormData {
  const form = new FormData();
  form.set("file", new Blob([Buffer.from(bytes)], { type: contentType }), name);
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

function textFrom(text: string | undefined): string {
  if (text === undefined) throw new SpeechError(VENDOR, "answered without a text", { retryable: true });
  return text;
}
