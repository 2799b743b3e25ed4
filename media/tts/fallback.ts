import type { OrgSpeechBreakers } from "../speech-breaker.ts";
import { SpeechError, toSpeechError } from "../speech-error.ts";
import { VendorRota } from "../vendor-requests/rota.ts";
import type { CharTime, CharTimes } from "./char-times.ts";
import type { KeptClauses } from "./kept-speech.ts";
import type { TtsReply, TtsVendor, TtsVoice } from "./port.ts";
import { fadeIn, fadeOutFrom } from "./seam.ts";
import { type SpeechRate, type SpeechRates, unspokenPart } from "./spoken-part.ts";
import { isSpeakable } from "./text.ts";
import { trimSilence } from "./trim-silence.ts";

/** Vendors with their voices, in order of preference. */
export interface TtsChoiceOf {
  readonly vendor: TtsVendor;
  readonly voice: TtsVoice;
}

export interface TtsFallbackOptions {
  readonly choices: readonly TtsChoiceOf[];
  readonly breakers: OrgSpeechBreakers;
  /** Reports every failure, even those the caller never notices. */
  readonly onError: (error: SpeechError) => void;
  readonly onFallback: (from: string, to: string) => void;
  /** Reports impossible times from a vendor; words are placed by the rate of speech instead. */
  readonly onTimesUnusable?: (vendor: string, why: string) => void;
  /** How fast the call's voices speak, as far as known. */
  readonly rates: SpeechRates;
  readonly kept?: KeptClauses;
  readonly signal: AbortSignal;
}

/**
 * A reply that switches to the next vendor if one dies, even in the middle of a clause; what was already heard is not
 * repeated. The reply stays with the new vendor to its end, so that the voice changes once; the next reply begins with
 * the preferred vendor. Throws only if no vendor is left.
 */
export function openTtsWithFallback(options: TtsFallbackOptions): TtsReply {
  return new FallbackReply(options);
}

interface Candidate extends TtsChoiceOf {
  readonly name: string;
  readonly style: string;
}

interface Speaker {
  readonly candidate: Candidate;
  readonly reply: TtsReply;
  readonly rate: SpeechRate;
  hasSpoken: boolean;
}

class FallbackReply implements TtsReply {
  readonly #options: TtsFallbackOptions;
  readonly #rota: VendorRota<Candidate>;
  readonly #preferred: Candidate | undefined;
  #speaker: Speaker | undefined;
  #lastError = new SpeechError("tts", "no voice is configured", { retryable: false });

  constructor(options: TtsFallbackOptions) {
    this.#options = options;
    const candidates = options.choices.map((choice) => ({
      ...choice,
      name: choice.vendor.name,
      style: styleOf(choice.voice),
    }));
    this.#preferred = candidates[0];
    this.#rota = new VendorRota(candidates, options.breakers);
    // Opened at once, so that a vendor with a socket connects while the brain still thinks.
    this.#speaker = this.#open(this.#rota.next());
  }

  say(text: string, times?: CharTimes): AsyncGenerator<Int16Array> {
    const { kept } = this.#options;
    return kept?.isKept(text) ? this.#sayKept(kept, text, times) : this.#speak(text, times);
  }

  /** Says a line that every call says in the same words, once per process. */
  async *#sayKept(kept: KeptClauses, text: string, times?: CharTimes): AsyncGenerator<Int16Array> {
    const { signal } = this.#options;
    const known = kept.get(text);
    if (known) {
      yield known;
      return;
    }
    const speaker = this.#speaker;
    const chunks: Int16Array[] = [];
    for await (const samples of this.#speak(text, times)) {
      chunks.push(samples.slice());
      yield samples;
    }
    const isWhole = !signal.aborted && this.#speaker === speaker;
    if (isWhole && speaker?.candidate === this.#preferred) kept.put(text, joined(chunks));
  }

  async *#speak(text: string, times?: CharTimes): AsyncGenerator<Int16Array> {
    const { signal } = this.#options;
    let rest = text;
    let isCut = false;
    let before = 0;
    while (isSpeakable(rest) && !signal.aborted) {
      const speaker = this.#speaker;
      if (!speaker) throw this.#lastError;
      let spokenSamples = 0;
      let last = 0;
      const placed = times && new PlacedTimes(times, { chars: text.length - rest.length, samples: before });
      const { name } = speaker.candidate;
      const told = placed?.from((why) => this.#options.onTimesUnusable?.(name, why));
      const leftOff = (samples: number): void => placed?.leftOff(samples);
      try {
        for await (const samples of trimSilence(speaker.reply.say(rest, told), leftOff)) {
          placed?.tell();
          speaker.hasSpoken = true;
          const isSeam = isCut && spokenSamples === 0;
          spokenSamples += samples.length;
          last = samples.at(-1) ?? last;
          yield isSeam ? fadeIn(samples) : samples;
        }
        if (signal.aborted) return;
        speaker.rate.learn(rest, spokenSamples);
        this.#rota.succeeded(speaker.candidate);
        return;
      } catch (error) {
        if (signal.aborted) return;
        before += spokenSamples;
        if (last !== 0) {
          const fall = fadeOutFrom(last);
          before += fall.length;
          yield fall;
        }
        isCut ||= spokenSamples > 0;
        rest = unspokenPart(rest, spokenSamples, speaker.rate.msPerChar);
        this.#moveOn(speaker, error);
      }
    }
  }

  close(): void {
    this.#speaker?.reply.close();
    this.#speaker = undefined;
  }

  #moveOn({ candidate, reply, hasSpoken }: Speaker, cause: unknown): void {
    const error = toSpeechError(candidate.name, cause);
    this.#lastError = error;
    reply.close();
    this.#rota.failed(candidate, error, { hadWorked: hasSpoken });
    this.#options.onError(error);
    const next = this.#rota.next(candidate);
    this.#speaker = this.#open(next);
    if (next && next !== candidate) this.#options.onFallback(candidate.name, next.name);
  }

  #open(candidate: Candidate | undefined): Speaker | undefined {
    if (!candidate) return undefined;
    const { vendor, voice } = candidate;
    const reply = vendor.openReply({ ...voice, signal: this.#options.signal });
    const rate = this.#options.rates.of(`${candidate.name} ${candidate.style}`);
    return { candidate, reply, rate, hasSpoken: false };
  }
}

/** Converts a vendor's times for its part of a clause to times of the whole clause as the caller hears it. */
class PlacedTimes {
  readonly #times: CharTimes;
  readonly #chars: number;
  #samples: number;
  #told: CharTime[] = [];

  /** `chars` and `samples`: how much of the clause other vendors have said. */
  constructor(times: CharTimes, { chars, samples }: { chars: number; samples: number }) {
    this.#times = times;
    this.#chars = chars;
    this.#samples = samples;
  }

  /** The times that the vendor reports to. */
  from(onUnusable: (why: string) => void): CharTimes {
    return {
      said: (time) => this.#told.push(time),
      unusable: (why) => {
        this.#told = [];
        this.#times.unusable(why);
        onUnusable(why);
      },
    };
  }

  /** Silence before the first sound is not played. */
  leftOff(samples: number): void {
    this.#samples -= samples;
  }

  tell(): void {
    for (const { endChar, endSample } of this.#told) {
      const sample = Math.max(0, endSample + this.#samples);
      this.#times.said({ endChar: endChar + this.#chars, endSample: sample });
    }
    this.#told = [];
  }
}

function joined(chunks: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The way of speaking asked of a vendor, as one word: facts about one way say nothing about another. */
export function styleOf({ model = "", voice = "", speed = 1 }: TtsVoice): string {
  return `${model} ${voice}${speed === 1 ? "" : ` ${speed}`}`;
}
