import { SpeechError, toSpeechError } from "../speech-error.ts";
import type { SttOptions, SttSession } from "./port.ts";
import { UtteranceBuffer } from "./utterance-buffer.ts";

/** Waiting utterances per call; any more means that the recognizer is too slow for a call. */
const MAX_WAITING = 16;

/** Recognizes one whole utterance (16 kHz PCM); may report interim text on the way. */
export type RecognizeUtterance = (
  samples: Int16Array,
  context: { signal: AbortSignal; onInterim: (text: string) => void },
) => Promise<string>;

/**
 * A session for recognizers that take one utterance at a time. Utterances are recognized one after the other, so finals
 * come in the order of their requests.
 */
export function openUtteranceSession(
  vendor: string,
  { onEvent, answersWithinMs }: Pick<SttOptions, "onEvent"> & Pick<SttSession, "answersWithinMs">,
  recognize: RecognizeUtterance,
): SttSession {
  const buffer = new UtteranceBuffer();
  const closed = new AbortController();
  let queue = Promise.resolve();
  let waiting = 0;
  const fail = (error: unknown): void => {
    if (closed.signal.aborted) return;
    closed.abort();
    onEvent({ type: "failed", error: toSpeechError(vendor, error) });
  };
  const run = async (samples: Int16Array): Promise<void> => {
    if (closed.signal.aborted) return;
    const onInterim = (text: string): void => {
      if (!closed.signal.aborted) onEvent({ type: "interim", text });
    };
    try {
      const text = samples.length === 0 ? "" : await recognize(samples, { signal: closed.signal, onInterim });
      if (!closed.signal.aborted) onEvent({ type: "final", text: text.trim(), fromFinalize: true });
    } catch (error) {
      fail(error);
    } finally {
      waiting -= 1;
    }
  };
  return {
    feed: "utterance",
    hasInterims: false,
    answersWithinMs,
    write: (frame) => {
      if (!closed.signal.aborted) buffer.push(frame);
    },
    finalize: () => {
      if (closed.signal.aborted) return;
      const samples = buffer.take();
      waiting += 1;
      if (waiting > MAX_WAITING) {
        fail(new SpeechError(vendor, "is too slow for this call", { retryable: true }));
        return;
      }
      queue = queue.then(() => run(samples));
    },
    close: () => closed.abort(),
  };
}
