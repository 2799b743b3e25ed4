import { EventSourceParserStream } from "eventsource-parser/stream";

/** The messages of server-sent events, as JSON. */
export async function* readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
): AsyncGenerator<unknown> {
  if (body === null) return;
  const reader = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      yield JSON.parse(next.value.data);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
