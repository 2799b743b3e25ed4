import { SpeechError } from "../speech-error.ts";

const MAX_CHARS = 256 * 1024;

/** Reads an answer to its end as text. Throws `SpeechError` beyond 256 K characters. */
export async function readText(vendor: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_CHARS) {
      throw new SpeechError(vendor, "the transcript has no end", { retryable: true });
    }
  }
  return text + decoder.decode();
}
