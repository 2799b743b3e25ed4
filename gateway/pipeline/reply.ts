import { msToSamples, samplesToMs } from "@parley/media/pcm.ts";
import type { CharTimes } from "@parley/media/tts/char-times.ts";
import { heardText, PlaybackTimeline, type SpokenClause } from "../turn/heard.ts";
import { ReplyAudio } from "./reply-audio.ts";

/** Audio of an answer kept ahead of the loudspeaker; the voice waits when it is that far ahead. */
const MAX_AHEAD_SAMPLES = msToSamples(20_000);

/** Of what gives way to something else. */
const FADE_SAMPLES = msToSamples(100);
/** What is that near to its end is said to it. */
const LAST_WORD_SAMPLES = msToSamples(250);

const NO_SAMPLES = new Int16Array(0);

/**
 * One answer: its clauses, its audio on a sample clock of its own, and how much of it was heard. The voice
 * writes at one end while the output reads at the other; what was not heard yet stays, so that a false interruption
 * can go on where it stopped.
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

  /** `speed`: of the voice, 1 being its own. */
  constructor(options: { turn: number; interruptible: boolean; speed?: number | undefined }) {
    this.#speed = options.speed ?? 1;
    this.turn = options.turn;
    this.interruptible = options.interruptible;
  }

  get clauses(): readonly SpokenClause[] {
    return this.#clauses;
  }

  /** The whole text handed to the voice so far. */
  get text(): string {
    return this.#clauses.map((clause) => clause.text.trim()).join(" ");
  }

  /** True when no more audio will be written. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** True when the last clause's audio came to its own end, rather than to an abort. */
  get isFullyWritten(): boolean {
    return this.#isComplete && !this.#hasGivenWay && this.#clauses.at(-1)?.endSample !== undefined;
  }

  /** True when everything written was handed to the pacer. */
  get isDrained(): boolean {
    return this.#cursor >= this.#audio.end;
  }

  get hasAudio(): boolean {
    return this.#audio.end > 0;
  }

  /** True when there are tones of keys in it. */
  get hasKeys(): boolean {
    return this.#hasKeys;
  }

  /** Index of the clause whose audio was handed out last; -1 before any. */
  get clauseAtCursor(): number {
    return this.#clauses.findLastIndex((clause) => clause.startSample < this.#cursor);
  }

  beginClause(text: string): void {
    this.#clauses.push({ text, startSample: this.#audio.end, endSample: undefined, times: [] });
  }

  /** Takes when the characters of the clause that was begun last are said. */
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

  /** Appends the tones of keys. */
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

  /** Resolves when the loudspeaker has come near enough for more audio. */
  async room(): Promise<void> {
    while (!this.#isComplete && this.#audio.end - this.#cursor > MAX_AHEAD_SAMPLES) {
      await new Promise<void>((resolve) => this.#roomWaiters.push(resolve));
    }
  }

  /**
   * The next stretch of audio for the pacer, never across a clause's end; undefined when there is none. It is empty when a
   * clause turned out to end where all of its audio had been handed out. It stays as it is until it is forgotten, skipped
   * or released.
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

  /** The pacer handed `samples` to the caller, due at the loudspeaker at `playAtMs`. */
  sent(playAtMs: number, samples: number): void {
    this.#timeline.sent(playAtMs, samples);
  }

  /** The caller's app says that clause `index` was played out. */
  acknowledge(index: number): void {
    const end = this.#clauses[index]?.endSample;
    if (end !== undefined) this.#ackedSamples = Math.max(this.#ackedSamples, end);
  }

  /** The caller's app says how much of this answer was really heard, counted from its first audio. */
  report(playedMs: number): void {
    this.#reportedSamples = msToSamples(playedMs);
  }

  /** The loudspeaker was stopped when it had played what was due at `nowMs`: nothing more is heard until `rewind`. */
  hold(nowMs: number): void {
    this.#heldAtMs = nowMs;
  }

  /** What was heard at `nowMs`: the app's own word where there is one, else marks and the clock. */
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

  /** Goes back to what was heard, so that `read` gives the rest again. */
  rewind(nowMs: number): void {
    // An app that played much less than it seemed to may name audio that is gone.
    const heard = Math.max(this.heardSamples(nowMs), this.#audio.start);
    this.#timeline.restartAt(heard);
    this.#cursor = heard;
    this.#endedClause = this.#clauses.findLastIndex((clause) => (clause.endSample ?? Infinity) <= heard);
    this.#reportedSamples = undefined;
    this.#heldAtMs = undefined;
  }

  /** Forgets what was written and not heard; what comes next follows on what was. */
  skip(nowMs: number): void {
    const heard = this.heardSamples(nowMs);
    const text = this.heardText(nowMs);
    this.#clauses = text === "" ? [] : [{ text, startSample: 0, endSample: heard, times: [] }];
    this.#audio.restart(heard);
    this.rewind(nowMs);
    this.#wakeWriter();
  }

  /** False once it has given way, and where it is about to end by itself. */
  get canGiveWay(): boolean {
    if (this.#hasGivenWay) return false;
    return !this.#isComplete || this.#audio.end - this.#timeline.sentSamples > LAST_WORD_SAMPLES;
  }

  /** Ends soon: what was sent already is played, of the rest no more than the beginning, fading out. */
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

  /** Lets go of audio that was heard for certain. */
  forget(beforeSample: number): void {
    this.#audio.forget(beforeSample);
  }

  /** Lets go of all audio: nobody reads it any more. */
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
