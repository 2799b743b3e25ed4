import { SpeechError } from "../speech-error.ts";
import type { VendorAnswer } from "../vendors/http.ts";

/**
 * The body of an answer that ought to be audio. Throws `SpeechError` when it says it is something else: an
 * error or a page that came with status 200 would be noise in the caller's ear.
 */
export async function* rawAudio(
  vendor: string,
  { contentType, chunks }: VendorAnswer,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (!isAudio(contentType)) throw new SpeechError(vendor, "answered with no audio", { retryable: false });
    yield chunk;
  }
}

/** Some servers name their bytes no closer than a stream of octets, or not at all. */
function isAudio(contentType: string): boolean {
  return contentType.startsWith("audio/") || ["", "application/octet-stream"].includes(contentType);
}
