import { toSpeechError } from "../speech-error.ts";
import type { SttOptions, SttSession } from "./port.ts";
import { UtteranceBuffer } from "./utterance-buffer.ts";

/** Recognises one whole utterance (16 kHz PCM); may tell interim text on the way. */
export type RecogniseUtterance = (
  samples: Int16Array,
  context: { signal: AbortSignal; onInterim: (text: string) => void },
) => Promise<string>;

/**
 * A session for recognisers that take an utterance at a time. Utterances are recognised one after the
 * other, so finals come in the order they were asked for.
 */
export function openUtteranceSession(
  vendor: string,
  { onEvent }: Pick<SttOptions, "onEvent">,
  recognise: RecogniseUtterance,
): SttSession {
  const buffer = new UtteranceBuffer();
  const closed = new AbortController();
  let queue = Promise.resolve();
  const run = async (samples: Int16Array): Promise<void> => {
    if (closed.signal.aborted) return;
    try {
      const onInterim = (text: string): void => onEvent({ type: "interim", text });
      const text = samples.length === 0 ? "" : await recognise(samples, { signal: closed.signal, onInterim });
      if (!closed.signal.aborted) onEvent({ type: "final", text: text.trim(), fromFinalize: true });
    } catch (error) {
      if (closed.signal.aborted) return;
      closed.abort();
      onEvent({ type: "failed", error: toSpeechError(vendor, error) });
    }
  };
  return {
    feed: "utterance",
    hasInterims: false,
    write: (frame) => {
      if (!closed.signal.aborted) buffer.push(frame);
    },
    finalize: () => {
      const samples = buffer.take();
      queue = queue.then(() => run(samples));
    },
    close: () => closed.abort(),
  };
}
