import { msToSamples } from "../pcm.ts";
import type { OrgSpeechBreakers } from "../speech-breaker.ts";
import { SpeechError } from "../speech-error.ts";
import { VendorRota } from "../vendor-requests/rota.ts";
import type { SttEvent, SttOptions, SttSession, SttVendor } from "./port.ts";
import { ReplayLog } from "./replay-log.ts";

/** After every vendor failed, none is asked for this much caller audio: most network faults are short. */
const REST_SAMPLES = msToSamples(2_000);
/** Consecutive rests before the call has to go on without a recognizer. */
const MAX_RESTS = 2;
/** Afterwards, a vendor is asked each time this much caller audio has arrived. */
const LOST_REST_SAMPLES = msToSamples(5_000);

/** Recognizers with their options, in order of preference. */
export interface SttChoiceOf {
  readonly vendor: SttVendor;
  readonly language: string;
  readonly model?: string;
}

export interface SttFallbackOptions {
  readonly choices: readonly SttChoiceOf[];
  readonly breakers: OrgSpeechBreakers;
  readonly onEvent: SttOptions["onEvent"];
  /** Reports every failure, even those the caller never notices. */
  readonly onError: (error: SpeechError) => void;
  /** Also called on the return to a better vendor. */
  readonly onFallback: (from: string, to: string) => void;
}

/**
 * A recognizer that switches to the next vendor if one fails during a call: unanswered audio is replayed to the new
 * vendor, and owed finals are requested again. Between two utterances it returns to a better vendor that has recovered.
 * If every vendor failed, it rests briefly and tries again, twice; after that, or if every vendor refused, it emits
 * `failed` once. Vendors that did not refuse are still tried at a slower pace, and `recovered` is emitted when one of
 * them gives text. Throws `SpeechError` if there is no choice at all.
 */
export function openSttWithFallback(options: SttFallbackOptions): SttSession {
  return new FallbackSession(options);
}

interface Candidate extends SttChoiceOf {
  readonly name: string;
  readonly style: string;
}

class FallbackSession implements SttSession {
  readonly #options: SttFallbackOptions;
  readonly #rota: VendorRota<Candidate>;
  readonly #log = new ReplayLog();
  #current: Candidate;
  #session: SttSession;
  /** Number of the current session; events of older ones are ignored. */
  #generation = 0;
  #hasWorked = false;
  /** Start of the session's own audio clock within the call's. */
  #startSample = 0;
  #feed: SttSession["feed"];
  #rests = 0;
  /** During a rest: the position in the call's audio at which it tries again. */
  #restEndsAtSample: number | undefined;
  /** True after `failed`, until a vendor gives text. */
  #isLost = false;
  #isClosed = false;

  constructor(options: SttFallbackOptions) {
    this.#options = options;
    const candidates = options.choices.map((choice) => ({
      ...choice,
      name: choice.vendor.name,
      style: `${choice.model ?? ""} ${choice.language}`,
    }));
    this.#rota = new VendorRota(candidates, options.breakers);
    const first = this.#rota.next();
    if (!first) throw new SpeechError("stt", "no recognizer is configured", { retryable: false });
    this.#current = first;
    this.#session = this.#open(first);
    this.#feed = this.#session.feed;
  }

  get feed(): SttSession["feed"] {
    return this.#feed;
  }

  get hasInterims(): boolean {
    return this.#session.hasInterims;
  }

  get answersWithinMs(): number {
    return this.#session.answersWithinMs ?? 0;
  }

  write(frame: Int16Array): void {
    if (this.#isClosed) return;
    this.#log.write(frame);
    if (this.#restEndsAtSample === undefined) this.#session.write(frame);
    else if (this.#log.endSample >= this.#restEndsAtSample) this.#endRest();
  }

  finalize(): void {
    if (this.#isClosed) return;
    this.#log.finalize();
    this.#feed = this.#session.feed;
    if (this.#restEndsAtSample === undefined) this.#session.finalize();
  }

  close(): void {
    this.#isClosed = true;
    this.#session.close();
  }

  #open({ vendor, language, model }: Candidate): SttSession {
    const generation = ++this.#generation;
    this.#hasWorked = false;
    this.#startSample = this.#log.startSample;
    const onEvent = (event: SttEvent): void => {
      if (generation === this.#generation && !this.#isClosed) this.#onEvent(event, generation);
    };
    return vendor.open({ language, ...(model === undefined ? {} : { model }), onEvent });
  }

  #onEvent(event: SttEvent, generation: number): void {
    if (event.type === "failed") {
      // The session may fail while it is being opened or written to; that must finish first.
      queueMicrotask(() => {
        if (generation === this.#generation && !this.#isClosed) this.#moveOn(event);
      });
      return;
    }
    if (event.type === "recovered") return;
    this.#hasWorked = true;
    if (this.#isLost) {
      this.#isLost = false;
      this.#options.onEvent({ type: "recovered" });
    }
    if (event.type === "interim") {
      this.#options.onEvent(event);
      return;
    }
    this.#rests = 0;
    this.#rota.succeeded(this.#current);
    const { text, fromFinalize, endMs } = event;
    if (endMs !== undefined) this.#log.settleAudio(this.#startSample + msToSamples(endMs));
    if (fromFinalize) this.#log.settleFinal();
    if (fromFinalize || text !== "") this.#options.onEvent({ type: "final", text, fromFinalize });
    if (fromFinalize && generation === this.#generation) this.#returnToBetter();
  }

  #moveOn(failure: Extract<SttEvent, { type: "failed" }>): void {
    const failed = this.#current;
    this.#rota.failed(failed, failure.error, { hadWorked: this.#hasWorked });
    this.#options.onError(failure.error);
    const next = this.#rota.next(failed);
    if (next) {
      this.#replaceBy(next);
      return;
    }
    if (this.#rests < MAX_RESTS && this.#rota.startRound()) {
      this.#rest(REST_SAMPLES);
      return;
    }
    const wasLost = this.#isLost;
    this.#isLost = true;
    if (this.#rota.startAfresh()) this.#rest(LOST_REST_SAMPLES);
    else this.close();
    if (!wasLost) this.#options.onEvent(failure);
  }

  #rest(samples: number): void {
    this.#generation += 1;
    this.#rests += 1;
    this.#session.close();
    this.#restEndsAtSample = this.#log.endSample + samples;
  }

  #endRest(): void {
    this.#restEndsAtSample = undefined;
    this.#replaceBy(this.#rota.next() ?? this.#current);
  }

  #returnToBetter(): void {
    if (this.#isClosed || this.#log.owesFinal) return;
    const better = this.#rota.betterThan(this.#current);
    if (better) this.#replaceBy(better);
  }

  #replaceBy(next: Candidate): void {
    const before = { session: this.#session, name: this.#current.name };
    this.#current = next;
    this.#session = this.#open(next);
    before.session.close();
    // Streamed audio keeps no start of the current utterance to replay, so the feed stays a stream.
    const isWithinStream = this.#feed === "stream" && this.#session.feed === "utterance";
    if (!isWithinStream) this.#feed = this.#session.feed;
    if (before.name !== next.name) this.#options.onFallback(before.name, next.name);
    this.#log.replayInto(this.#session);
  }
}
