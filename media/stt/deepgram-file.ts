import { SpeechError } from "../speech-error.ts";
import type { VendorHttp } from "../vendor-requests/http.ts";
import { asObject, asText, parseObject } from "../vendor-requests/json.ts";
import { readText } from "../vendor-requests/read-text.ts";
import { fileUrl } from "./deepgram-protocol.ts";
import type { FileOptions, SpeechFile } from "./port.ts";

const VENDOR = "deepgram";

export interface DeepgramFileDeps {
  readonly apiKey: string;
  readonly url: string;
  readonly http: VendorHttp;
}

/** Transcribes a whole file at Deepgram's endpoint for recordings, which decodes what phones record. */
export async function transcribeAtDeepgram(
  { bytes, contentType }: SpeechFile,
  { signal, ...options }: FileOptions,
  { apiKey, url, http }: DeepgramFileDeps,
): Promise<string> {
  const headers = { authorization: `Token ${apiKey}`, "content-type": contentType };
  const { chunks } = await http.post(fileUrl(url, options), { headers, body: bytes, signal });
  const text = transcriptIn(await readText(VENDOR, chunks));
  if (text === undefined) throw new SpeechError(VENDOR, "answered without a text", { retryable: true });
  return text.trim();
}

function transcriptIn(answer: string): string | undefined {
  const [channel] = listOf(asObject(parseObject(answer)?.results)?.channels);
  const [best] = listOf(asObject(channel)?.alternatives);
  return asText(asObject(best)?.transcript);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
