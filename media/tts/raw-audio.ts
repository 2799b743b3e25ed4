import { SpeechError } from "../speech-error.ts";
import type { VendorAnswer } from "../vendor-requests/http.ts";

/**
 * Reads the body of an answer that should be audio. Throws `SpeechError` if the content type says otherwise: an error
 * or a page with status 200 would be noise in the caller's ear.
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

/** Some servers label their bytes only as an octet stream, or not at all. */
function isAudio(contentType: string): boolean {
  return contentType.startsWith("audio/") || ["", "application/octet-stream"].includes(contentType);
}
