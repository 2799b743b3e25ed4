import type { SpeechBreakers } from "../speech-breaker.ts";
import { SpeechError } from "../speech-error.ts";
import type { SttEvent, SttOptions, SttSession, SttVendor } from "./port.ts";
import { UtteranceBuffer } from "./utterance-buffer.ts";

export interface SttChoiceOf {
  readonly vendor: SttVendor;
  readonly language: string;
  readonly model?: string;
}

export interface SttFallbackOptions {
  readonly choices: readonly SttChoiceOf[];
  readonly breakers: SpeechBreakers;
  readonly onEvent: SttOptions["onEvent"];
  readonly onError: (error: SpeechError) => void;
  readonly onFallback: (from: string, to: string) => void;
}

/**
 * A recogniser that goes on with the next vendor when one fails in the middle of a call: the utterance in
 * hand is played to it again, and finals still owed are asked for again.
 */
export function openSttWithFallback(options: SttFallbackOptions): SttSession {
  return new FallbackSession(options);
}

class FallbackSession implements SttSession {
  readonly #options: SttFallbackOptions;
  readonly #choices: readonly SttChoiceOf[];
  #index = 0;
  #session: SttSession;
  /** Audio since the last final that was asked for, and of utterances whose final is still owed. */
  #inHand = new UtteranceBuffer();
  #owed: Int16Array[] = [];
  #isClosed = false;

  constructor(options: SttFallbackOptions) {
    this.#options = options;
    const admitted = options.choices.filter(({ vendor }) => options.breakers.admits(vendor.name));
    this.#choices = admitted.length > 0 ? admitted : options.choices;
    this.#session = this.#open();
  }

  get feed(): SttSession["feed"] {
    return this.#session.feed;
  }

  get hasInterims(): boolean {
    return this.#session.hasInterims;
  }

  write(frame: Int16Array): void {
    if (this.#isClosed) return;
    if (this.#choices.length > 1) this.#inHand.push(frame);
    this.#session.write(frame);
  }

  finalize(): void {
    if (this.#isClosed) return;
    this.#owed.push(this.#inHand.take());
    this.#session.finalize();
  }

  close(): void {
    this.#isClosed = true;
    this.#session.close();
  }

  #open(): SttSession {
    const choice = this.#choices[this.#index];
    if (!choice) throw new SpeechError("stt", "no recogniser is configured", { retryable: false });
    const opened = this.#index;
    const { vendor, language, model } = choice;
    return vendor.open({
      language,
      ...(model === undefined ? {} : { model }),
      onEvent: (event) => {
        // A vendor that was left may still talk.
        if (opened === this.#index && !this.#isClosed) this.#onEvent(event, vendor.name);
      },
    });
  }

  #onEvent(event: SttEvent, vendor: string): void {
    if (event.type === "failed") {
      this.#moveOn(vendor, event);
      return;
    }
    if (event.type === "final" && event.fromFinalize) {
      this.#owed.shift();
      this.#options.breakers.succeeded(vendor);
    }
    this.#options.onEvent(event);
  }

  #moveOn(from: string, event: Extract<SttEvent, { type: "failed" }>): void {
    const { breakers, onError, onFallback, onEvent } = this.#options;
    breakers.failed(from, event.error);
    onError(event.error);
    this.#session.close();
    this.#index += 1;
    const next = this.#choices[this.#index];
    if (!next) {
      this.#isClosed = true;
      onEvent(event);
      return;
    }
    onFallback(from, next.vendor.name);
    this.#session = this.#open();
    for (const utterance of this.#owed) {
      this.#session.write(utterance);
      this.#session.finalize();
    }
    const inHand = this.#inHand.take();
    if (inHand.length === 0) return;
    this.#inHand.push(inHand);
    this.#session.write(inHand);
  }
}
