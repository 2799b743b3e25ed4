import { SpeechError } from "../speech-error.ts";
import type { VendorAnswer } from "../vendor-requests/http.ts";
import type { TtsReply } from "./port.ts";
import { isSpeakable, splitText } from "./text.ts";

export interface HttpVoiceOptions {
  readonly vendor: string;
  /** Longest text of one request. */
  readonly maxChars: number;
  readonly signal: AbortSignal;
  readonly ask: (text: string, signal: AbortSignal) => Promise<VendorAnswer>;
  /** Reads the answer's audio at 16 kHz. */
  readonly read: (answer: VendorAnswer) => AsyncIterable<Int16Array>;
}

/** A reply from a vendor that takes one request per clause; the HTTP pool owns the connection. */
export function openHttpVoice({ vendor, maxChars, signal, ask, read }: HttpVoiceOptions): TtsReply {
  const closed = new AbortController();
  const over = AbortSignal.any([signal, closed.signal]);
  return {
    say: async function* say(text) {
      if (!isSpeakable(text)) return;
      try {
        for (const piece of splitText(text, maxChars)) {
          if (over.aborted) return;
          let hasAudio = false;
          for await (const samples of read(await ask(piece, over))) {
            if (over.aborted) return;
            hasAudio ||= samples.length > 0;
            yield samples;
          }
          if (!hasAudio) throw new SpeechError(vendor, "sent no audio", { retryable: true });
        }
      } catch (error) {
        if (!over.aborted) throw error;
      }
    },
    close: () => closed.abort(),
  };
}
