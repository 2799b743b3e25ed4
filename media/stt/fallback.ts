import { msToSamples } from "../pcm.ts";
import type { OrgSpeechBreakers } from "../speech-breaker.ts";
import { SpeechError } from "../speech-error.ts";
import { VendorRota } from "../vendors/rota.ts";
import type { SttEvent, SttOptions, SttSession, SttVendor } from "./port.ts";
import { ReplayLog } from "./replay-log.ts";

/** When everybody failed, nobody is asked for this much of the caller's audio: most faults of a network are short. */
const REST_SAMPLES = msToSamples(2_000);
/** Rests in a row before the call has to go on without a recognizer. */
const MAX_RESTS = 2;
/** From then on somebody is asked each time this much of the caller's audio has come. */
const LOST_REST_SAMPLES = msToSamples(5_000);

/** A recognizer and what is asked of it, in the order of preference. */
export interface SttChoiceOf {
  readonly vendor: SttVendor;
  readonly language: string;
  readonly model?: string;
}

export interface SttFallbackOptions {
  readonly choices: readonly SttChoiceOf[];
  readonly breakers: OrgSpeechBreakers;
  readonly onEvent: SttOptions["onEvent"];
  /** Told of each failure, also of those that the caller never notices. */
  readonly onError: (error: SpeechError) => void;
  /** Also when it goes back to a better vendor. */
  readonly onFallback: (from: string, to: string) => void;
}

/**
 * A recognizer that goes on with the next vendor when one fails in the middle of a call: audio without an
 * answer is played to it again, and finals still owed are asked for again. Between two utterances it
 * returns to a better vendor that has recovered. When everybody failed it rests for a moment and asks
 * again, twice; then, or when everybody refused, it emits `failed`, once. Who did not refuse is asked again all the
 * same, at a slower pace, and `recovered` is emitted when one of them gives text. Throws `SpeechError` when there is no
 * choice at all.
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
  /** Number of the session in use: what an older one still says does not count. */
  #generation = 0;
  #hasWorked = false;
  /** Where the session's own audio clock began in the call's. */
  #startSample = 0;
  #feed: SttSession["feed"];
  #rests = 0;
  /** While it rests: where in the call's audio it asks again. */
  #restEndsAtSample: number | undefined;
  /** `failed` was emitted, and nobody has given text since. */
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
      // It may fail while it is being opened or written to: that has to end first.
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
    // Who listens to a stream has no beginning of the utterance in hand: it goes on as it began.
    const isWithinStream = this.#feed === "stream" && this.#session.feed === "utterance";
    if (!isWithinStream) this.#feed = this.#session.feed;
    if (before.name !== next.name) this.#options.onFallback(before.name, next.name);
    this.#log.replayInto(this.#session);
  }
}
