import { samplesToMs } from "../pcm.ts";
import type { SpeechBreakers } from "../speech-breaker.ts";
import { SpeechError, toSpeechError } from "../speech-error.ts";
import type { TtsReply, TtsVendor, TtsVoice } from "./port.ts";

/** A vendor and how it should sound, in the order of preference. */
export interface TtsChoiceOf {
  readonly vendor: TtsVendor;
  readonly voice: TtsVoice;
}

export interface TtsFallbackOptions {
  readonly choices: readonly TtsChoiceOf[];
  readonly breakers: SpeechBreakers;
  readonly onError: (error: SpeechError) => void;
  readonly onFallback: (from: string, to: string) => void;
  readonly signal: AbortSignal;
}

/** A middling speech rate: how much of a clause a vendor had spoken when it died. */
const CHARS_PER_MS = 15 / 1000;

/**
 * A reply that goes on with the next vendor when one dies, also in the middle of a clause: what was heard
 * already is not said again. Throws only when every vendor failed.
 */
export function openTtsWithFallback(options: TtsFallbackOptions): TtsReply {
  const { choices, breakers, signal, onError, onFallback } = options;
  const admitted = choices.filter(({ vendor }) => breakers.admits(vendor.name));
  // With every circuit open the first is tried all the same: silence is worse than a delay.
  const usable = admitted.length > 0 ? admitted : choices.slice(0, 1);
  let index = 0;
  let reply: TtsReply | undefined;

  const current = (): { name: string; reply: TtsReply } | undefined => {
    const choice = usable[index];
    if (!choice) return undefined;
    reply ??= choice.vendor.openReply({ ...choice.voice, signal });
    return { name: choice.vendor.name, reply };
  };

  const moveOn = (from: string, error: SpeechError): void => {
    breakers.failed(from, error);
    onError(error);
    reply?.close();
    reply = undefined;
    index += 1;
    const next = usable[index];
    if (!next) throw error;
    onFallback(from, next.vendor.name);
  };

  return {
    say: async function* say(text) {
      let rest = text;
      while (rest !== "") {
        const voice = current();
        if (!voice) throw new SpeechError("tts", "every configured voice failed", { retryable: true });
        let spokenMs = 0;
        try {
          for await (const samples of voice.reply.say(rest)) {
            spokenMs += samplesToMs(samples.length);
            yield samples;
          }
          breakers.succeeded(voice.name);
          return;
        } catch (error) {
          if (signal.aborted) return;
          moveOn(voice.name, toSpeechError(voice.name, error));
          rest = unspoken(rest, spokenMs);
        }
      }
    },
    close: () => reply?.close(),
  };
}

/** What is left of a clause after `spokenMs` of it, from a word's beginning on. */
function unspoken(text: string, spokenMs: number): string {
  const chars = Math.floor(spokenMs * CHARS_PER_MS);
  if (chars === 0) return text;
  if (chars >= text.length) return "";
  const wordStart = text.lastIndexOf(" ", chars) + 1;
  return text.slice(wordStart);
}
