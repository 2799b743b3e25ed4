import { createParser } from "eventsource-parser";
import { SpeechError } from "../speech-error.ts";

/** Longest event: a second of 24 kHz audio in base64 is 64 KiB. */
const MAX_EVENT_CHARS = 4 * 1024 * 1024;

/** The data of each Server-Sent Event, however the bytes are cut. Throws `SpeechError` for an endless event. */
export async function* readSse(vendor: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let ready: string[] = [];
  let openChars = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      openChars = 0;
      ready.push(data);
    },
  });
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    openChars += text.length;
    parser.feed(text);
    if (openChars > MAX_EVENT_CHARS + text.length) {
      throw new SpeechError(vendor, "an event has no end", { retryable: true });
    }
    const events = ready;
    ready = [];
    // Not `yield*`, which awaits each event of a list.
    for (const event of events) yield event;
  }
}
