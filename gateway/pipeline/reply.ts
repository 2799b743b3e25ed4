import { msToSamples, samplesToMs } from "@parley/media/pcm.ts";
import type { CharTimes } from "@parley/media/tts/char-times.ts";
import { heardText, PlaybackTimeline, type SpokenClause } from "../turn/heard.ts";
import { ReplyAudio } from "./reply-audio.ts";

/** Audio kept ahead of the loudspeaker; the voice waits beyond this. */
const MAX_AHEAD_SAMPLES = msToSamples(20_000);

/** Fade-out of a reply that gives way to another. */
const FADE_SAMPLES = msToSamples(100);
/** A reply this near to its end is played to the end. */
const LAST_WORD_SAMPLES = msToSamples(250);

const NO_SAMPLES = new Int16Array(0);

/**
 * One answer: its clauses, its audio on its own sample clock, and how much of it was heard. The voice writes at one end
 * while the output reads at the other; unheard audio stays, so that playback can resume after a false interruption.
 */
export class Reply {
  readonly turn: number;
  readonly interruptible: boolean;
  #clauses: SpokenClause[] = [];
  readonly #audio = new ReplyAudio();
  #cursor = 0;
  /** Index of the last clause whose end was handed out. */
  #endedClause = -1;
  #isComplete = false;
  #hasGivenWay = false;
  #hasKeys = false;
  #roomWaiters: (() => void)[] = [];
  readonly #timeline = new PlaybackTimeline();
  #ackedSamples = 0;
  #reportedSamples: number | undefined;
  #heldAtMs: number | undefined;

  readonly #speed: number;

  /** `speed`: speed of the voice, 1 being its natural speed. */
  constructor(options: { turn: number; interruptible: boolean; speed?: number | undefined }) {
    this.#speed = options.speed ?? 1;
    this.turn = options.turn;
    this.interruptible = options.interruptible;
  }

  get clauses(): readonly SpokenClause[] {
    return this.#clauses;
  }

  /** The text handed to the voice so far. */
  get text(): string {
    return this.#clauses.map((clause) => clause.text.trim()).join(" ");
  }

  /** True if no more audio will be written. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** True if the last clause's audio reached its own end rather than an abort. */
  get isFullyWritten(): boolean {
    return this.#isComplete && !this.#hasGivenWay && this.#clauses.at(-1)?.endSample !== undefined;
  }

  /** True if everything written was handed to the pacer. */
  get isDrained(): boolean {
    return this.#cursor >= this.#audio.end;
  }

  get hasAudio(): boolean {
    return this.#audio.end > 0;
  }

  /** True if the reply contains key tones. */
  get hasKeys(): boolean {
    return this.#hasKeys;
  }

  /** Index of the clause whose audio was handed out last; -1 before the first. */
  get clauseAtCursor(): number {
    return this.#clauses.findLastIndex((clause) => clause.startSample < this.#cursor);
  }

  beginClause(text: string): void {
    this.#clauses.push({ text, startSample: this.#audio.end, endSample: undefined, times: [] });
  }

  /** Collects the times at which the characters of the latest clause are said. */
  get times(): CharTimes {
    const times = this.#clauses.at(-1)?.times ?? [];
    return {
      said: (time) => times.push(time),
      unusable: () => times.splice(0),
    };
  }

  /** Appends a copy of `samples`. */
  write(samples: Int16Array): void {
    if (!this.#isComplete) this.#audio.write(samples);
  }

  /** Appends key tones. */
  writeKeys(samples: Int16Array): void {
    this.#hasKeys = true;
    this.write(samples);
  }

  endClause(): void {
    const last = this.#clauses.at(-1);
    if (last) this.#clauses[this.#clauses.length - 1] = { ...last, endSample: this.#audio.end };
  }

  complete(): void {
    this.#isComplete = true;
    this.#wakeWriter();
  }

  /** Resolves when the loudspeaker has come close enough for more audio. */
  async room(): Promise<void> {
    while (!this.#isComplete && this.#audio.end - this.#cursor > MAX_AHEAD_SAMPLES) {
      await new Promise<void>((resolve) => this.#roomWaiters.push(resolve));
    }
  }

  /**
   * Returns the next stretch of audio for the pacer, never across a clause's end; undefined if there is none. The
   * stretch is empty if a clause turns out to end where all its audio had been handed out. It stays unchanged until it
   * is forgotten, skipped or released.
   */
  read(maxSamples: number): { samples: Int16Array; endsClause: number | undefined } | undefined {
    const clauseEnd = this.#clauses.find(
      (c) => c.endSample === undefined || c.endSample > this.#cursor,
    )?.endSample;
    const untilClauseEnd = clauseEnd === undefined ? Number.POSITIVE_INFINITY : clauseEnd - this.#cursor;
    const overdue = this.#clauseEndAtCursor();
    if (overdue !== undefined) return { samples: NO_SAMPLES, endsClause: overdue };
    const samples = this.#audio.read(this.#cursor, Math.min(maxSamples, untilClauseEnd));
    if (!samples) return undefined;
    this.#cursor += samples.length;
    this.#wakeWriter();
    return { samples, endsClause: this.#clauseEndAtCursor() };
  }

  #clauseEndAtCursor(): number | undefined {
    const ended = this.#clauses.findLastIndex((clause) => clause.endSample === this.#cursor);
    if (ended <= this.#endedClause) return undefined;
    this.#endedClause = ended;
    return ended;
  }

  /** The pacer sent `samples` to the caller, due at the loudspeaker at `playAtMs`. */
  sent(playAtMs: number, samples: number): void {
    this.#timeline.sent(playAtMs, samples);
  }

  /** The caller's app reports that clause `index` was played out. */
  acknowledge(index: number): void {
    const end = this.#clauses[index]?.endSample;
    if (end !== undefined) this.#ackedSamples = Math.max(this.#ackedSamples, end);
  }

  /** The caller's app reports how much of this answer was really heard, counted from its first audio. */
  report(playedMs: number): void {
    this.#reportedSamples = msToSamples(playedMs);
  }

  /** The loudspeaker stopped after playing what was due at `nowMs`; nothing more is heard until `rewind`. */
  hold(nowMs: number): void {
    this.#heldAtMs = nowMs;
  }

  /** Samples heard at `nowMs`: as the app reported, or else estimated from marks and the clock. */
  heardSamples(nowMs: number): number {
    const estimate = this.#reportedSamples ?? this.#timeline.playedSamples(this.#heldAtMs ?? nowMs);
    return Math.min(Math.max(estimate, this.#ackedSamples), this.#timeline.sentSamples, this.#audio.end);
  }

  heardText(nowMs: number): string {
    return heardText(this.#clauses, this.heardSamples(nowMs), this.#speed);
  }

  heardMs(nowMs: number): number {
    return Math.round(samplesToMs(this.heardSamples(nowMs)));
  }

  unheardMs(nowMs: number): number {
    return samplesToMs(this.#audio.end - this.heardSamples(nowMs));
  }

  /** Goes back to the end of what was heard, so that `read` returns the rest again. */
  rewind(nowMs: number): void {
    // An app that played much less than estimated may name audio that is already gone.
    const heard = Math.max(this.heardSamples(nowMs), this.#audio.start);
    this.#timeline.restartAt(heard);
    this.#cursor = heard;
    this.#endedClause = this.#clauses.findLastIndex((clause) => (clause.endSample ?? Infinity) <= heard);
    this.#reportedSamples = undefined;
    this.#heldAtMs = undefined;
  }

  /** Forgets audio that was written but not heard; new audio continues after the heard part. */
  skip(nowMs: number): void {
    const heard = this.heardSamples(nowMs);
    const text = this.heardText(nowMs);
    this.#clauses = text === "" ? [] : [{ text, startSample: 0, endSample: heard, times: [] }];
    this.#audio.restart(heard);
    this.rewind(nowMs);
    this.#wakeWriter();
  }

  /** False once the reply has given way, or if it is about to end by itself. */
  get canGiveWay(): boolean {
    if (this.#hasGivenWay) return false;
    return !this.#isComplete || this.#audio.end - this.#timeline.sentSamples > LAST_WORD_SAMPLES;
  }

  /** Ends soon: plays what was already sent, then at most the beginning of the rest, fading out. */
  giveWay(): void {
    const sent = Math.min(Math.max(this.#timeline.sentSamples, this.#audio.start), this.#audio.end);
    const faded = sent === 0 ? NO_SAMPLES : this.#fadedFrom(sent);
    this.#audio.restart(sent);
    this.#audio.write(faded);
    this.#cursor = sent;
    this.#hasGivenWay = true;
    this.complete();
  }

  #fadedFrom(start: number): Int16Array {
    const out = new Int16Array(Math.min(FADE_SAMPLES, this.#audio.end - start));
    for (let at = 0; at < out.length; ) {
      const part = this.#audio.read(start + at, out.length - at);
      if (!part) break;
      out.set(part, at);
      at += part.length;
    }
    return out.map((sample, i) => Math.round(sample * (1 - (i + 1) / out.length)));
  }

  /** Frees audio that was certainly heard. */
  forget(beforeSample: number): void {
    this.#audio.forget(beforeSample);
  }

  /** Frees all audio, because nothing reads it any more. */
  release(): void {
    this.#audio.restart(this.#audio.end);
  }

  #wakeWriter(): void {
    const waiters = this.#roomWaiters;
    if (waiters.length === 0) return;
    this.#roomWaiters = [];
    for (const wake of waiters) wake();
  }
}
