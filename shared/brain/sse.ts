import { createParser } from "eventsource-parser";
import { BrainError } from "./brain-error.ts";

/** Longest event, and longest answer, that is read: a tool's result that is too large is read to say so. */
const MAX_EVENT_CHARS = 4 * 1024 * 1024;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Yields the data of each Server-Sent Event in a byte stream, however the bytes are cut. Drops an event cut off by
 * the stream's end, as the standard requires. Throws `BrainError` too_large.
 */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder("utf-8");
  let ready: string[] = [];
  let openChars = 0;
  let totalBytes = 0;
  const parser = createParser({
    onEvent: (event) => {
      openChars = 0;
      ready.push(event.data);
    },
    onComment: () => {
      openChars = 0;
    },
  });
  for await (const chunk of bytes) {
    totalBytes += chunk.length;
    openChars += chunk.length;
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (openChars > MAX_EVENT_CHARS + chunk.length || totalBytes > MAX_ANSWER_BYTES) {
      throw new BrainError(
        "too_large",
        "The brain's event or answer is too large (4 MiB an event, 16 MiB an answer).",
      );
    }
    const events = ready;
    ready = [];
    // Not `yield*`, which awaits each event of a list.
    for (const event of events) yield event;
  }
}
