import type { SoundOrigin } from "@parley/media/echo/own-sound.ts";
import { Framer } from "@parley/media/framing/framer.ts";
import { FRAME_MS, FRAME_SAMPLES, samplesToMs } from "@parley/media/pcm.ts";
import { CallerTimeline } from "@parley/media/recorder/caller-timeline.ts";
import type { SttEvent, SttSession } from "@parley/media/stt/port.ts";
import type { ClearVoice } from "@parley/media/vad/clear-voice.ts";
import type { VoiceActivity, VoiceChange } from "@parley/media/vad/voice-activity.ts";
import type { TurnEvent } from "../turn/turn-state.ts";
import { GapPatience } from "./gap-patience.ts";
import type { HeardFrame, Hearing, TakeHeard } from "./hearing.ts";
import { LossConcealment } from "./loss-concealment.ts";
import type { OwnHearing } from "./own-hearing.ts";
import { PreRoll } from "./pre-roll.ts";
import { type RecognizedEvent, UndecidedTexts, type UndecidedTextsOptions } from "./undecided-texts.ts";

/** Frames kept from before a voice's confirmed onset, so that the first syllable is not lost. */
const PRE_ROLL_FRAMES = 15;
const SILENCE = new Int16Array(FRAME_SAMPLES);

export interface AudioInputOptions {
  readonly hearing: Pick<Hearing, "hear" | "lose" | "miss" | "tick" | "close" | "isBehind">;
  readonly activity: VoiceActivity;
  readonly clarity: ClearVoice;
  readonly own: Pick<OwnHearing, "hear" | "origin" | "forget" | "othersText"> & UndecidedTextsOptions["own"];
  readonly openStt: (onEvent: (event: SttEvent) => void) => SttSession;
  readonly now: () => number;
  readonly onEvent: (event: TurnEvent) => void;
  /** Every 20 ms frame of the caller, for listeners such as the in-band key detector. */
  readonly onFrame: (frame: Int16Array) => void;
  /** Called when no recognizer hears the caller any more. */
  readonly onSttFailed: (error: Error) => void;
  /** Called when a recognizer hears the caller again. */
  readonly onSttRecovered: () => void;
  /** Called with the delay between asking for a final and its arrival. */
  readonly onFinal: (delayMs: number) => void;
}

/** Hears the caller: turns voice activity and recognized text into events of the turn. */
export class AudioInput {
  readonly #options: AudioInputOptions;
  readonly #framer = new Framer(FRAME_SAMPLES);
  readonly #preRoll = new PreRoll(PRE_ROLL_FRAMES);
  readonly #stt: SttSession;
  readonly #undecided: UndecidedTexts;
  readonly #timeline: CallerTimeline;
  readonly #losses: LossConcealment;
  readonly #patience = new GapPatience();
  readonly #takeFrame: (frame: Int16Array) => void;
  readonly #takeHeard: TakeHeard;
  readonly #takeMissed: TakeHeard;
  /** When the audio ended that is being cut into frames, and how much of it follows the current frame. */
  #endMs = 0;
  #remainingMs = 0;
  /** When the last frame was spoken or assumed to be silence. */
  #lastFrameMs: number;
  /** True while the current utterance is being written to an utterance-wise recognizer. */
  #isFeeding = false;
  /** Typed text has replaced this utterance; nothing more of it counts until the voice stops. */
  #isDeaf = false;
  /** Finals still owed for utterances that were discarded. */
  #unwantedFinals = 0;
  #asked: { readonly atMs: number; readonly sound: SoundOrigin; readonly echoes: number }[] = [];
  #isLost = false;

  constructor(options: AudioInputOptions) {
    this.#options = options;
    const startMs = options.now();
    this.#lastFrameMs = startMs;
    this.#timeline = new CallerTimeline({
      startMs,
      write: (at, samples) => this.#take(samples, startMs + samplesToMs(at + samples.length)),
    });
    this.#losses = new LossConcealment({
      place: (atMs, samples) => this.#timeline.push(atMs, samples),
      fill: (samples) => this.#fill(samples, startMs),
    });
    this.#takeFrame = (frame) => this.#onFrame(frame);
    this.#takeHeard = (heard, atMs) => this.#hear(heard, atMs);
    this.#takeMissed = (heard, atMs) => this.#tell(this.#detect(heard), atMs);
    this.#undecided = new UndecidedTexts({
      own: options.own,
      tell: (event, { text, own }, nowMs) => this.#tellText({ ...event, text, ...(own && { own }), nowMs }),
    });
    this.#stt = options.openStt((event) => this.#onStt(event));
  }

  /** True if every recognizer has failed and none has recovered. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** True if the current recognizer gives text while the caller still speaks. */
  get hasInterims(): boolean {
    return this.#stt.hasInterims;
  }

  /** The current recognizer answers or fails within this time after `finalize`, if it has such a bound. */
  get answersWithinMs(): number {
    return this.#stt.answersWithinMs ?? 0;
  }

  /** Takes caller audio of any length, 16 kHz mono; `samples` may be reused afterwards. */
  hear(samples: Int16Array): void {
    const nowMs = this.#options.now();
    this.#patience.arrived(nowMs, samples.length);
    this.#losses.push(nowMs, samples);
  }

  /**
   * Called every 20 ms. Audio that stops arriving during a voice counts as silence for the voice detector, so that the
   * turn can end. The recognizer gets none of that silence: if the audio does arrive later, it hears it once and whole.
   */
  tick(nowMs: number): void {
    this.#losses.tick(nowMs);
    this.#timeline.tick(nowMs);
    const { activity, hearing } = this.#options;
    hearing.tick(nowMs);
    this.#undecided.tick(nowMs);
    if (!activity.isActive || nowMs - this.#lastFrameMs < this.#patience.ms) return;
    while (this.#lastFrameMs + FRAME_MS <= nowMs && activity.isActive) {
      this.#lastFrameMs += FRAME_MS;
      hearing.miss(SILENCE, this.#lastFrameMs, this.#takeMissed);
    }
  }

  /**
   * True while what the caller does at `nowMs` is unknown: a stalling line delays their audio, delayed audio has just
   * arrived and is being judged, or a voice may be starting.
   */
  isUnsure(nowMs: number): boolean {
    const { activity, hearing } = this.#options;
    return activity.isStirring || hearing.isBehind || this.#patience.holds(nowMs - this.#lastFrameMs);
  }

  /** Asks for the text of what was said so far. */
  finalize(): void {
    this.#isFeeding = false;
    const { now, own } = this.#options;
    this.#asked.push({ atMs: now(), sound: own.origin, echoes: own.echoes });
    own.forget();
    this.#stt.finalize();
  }

  /** Forgets the current utterance and the text that the recognizer still owes for it. */
  discard(): void {
    const { isActive } = this.#options.activity;
    // Audio already written would otherwise come back as text in front of the next utterance.
    if (isActive && this.#stt.feed !== "none") this.finalize();
    this.#unwantedFinals = this.#asked.length;
    this.#undecided.drop();
    this.#isDeaf = isActive;
  }

  close(): void {
    this.#stt.close();
    this.#options.hearing.close();
  }

  /** Takes audio whose last sample was spoken at `endMs`. */
  #take(samples: Int16Array, endMs: number): void {
    this.#endMs = endMs;
    this.#remainingMs = samplesToMs(samples.length);
    this.#framer.push(samples, this.#takeFrame);
  }

  #onFrame(frame: Int16Array): void {
    this.#remainingMs -= FRAME_MS;
    const atMs = this.#endMs - Math.max(0, this.#remainingMs);
    this.#lastFrameMs = Math.max(this.#lastFrameMs, atMs);
    this.#options.onFrame(frame);
    this.#options.hearing.hear(frame, atMs, this.#takeHeard);
  }

  /** Takes concealed audio: it spares the recognizer a gap, and never counts as voice or keys. */
  #fill(samples: Int16Array, startMs: number): void {
    const from = this.#framer.isEmpty ? this.#timeline.skip(samples.length) : undefined;
    if (from === undefined) return;
    for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
      const atMs = startMs + samplesToMs(from + at) + FRAME_MS;
      this.#lastFrameMs = Math.max(this.#lastFrameMs, atMs);
      this.#options.hearing.lose(samples.subarray(at, at + FRAME_SAMPLES), atMs, this.#takeHeard);
    }
  }

  #hear(heard: HeardFrame, atMs: number): void {
    const isOwn = this.#options.own.hear(heard.original, atMs, heard.isVoice);
    const change = this.#detect(isOwn ? withoutVoice(heard) : heard);
    this.#feed(heard.clean, change?.type === "started");
    this.#tell(change, atMs);
  }

  #detect({ isVoice, detected, levelDb }: HeardFrame): VoiceChange | undefined {
    const { activity, clarity } = this.#options;
    const change = activity.push(isVoice, detected);
    if (change?.type === "started") clarity.begin();
    clarity.push(levelDb, isVoice);
    return change;
  }

  /** Reports the frame that ended at `atMs`. */
  #tell(change: VoiceChange | undefined, atMs: number): void {
    const { activity, clarity, onEvent } = this.#options;
    if (this.#isDeaf) {
      if (change?.type === "ended") this.#hearAgain();
      return;
    }
    const happenedMs = change ? atMs - (activity.nowMs - change.atMs) : atMs;
    if (change?.type === "started") onEvent({ type: "voice_started", atMs: happenedMs, nowMs: atMs });
    if (change?.type === "ended") onEvent({ type: "voice_ended", atMs: happenedMs, nowMs: atMs });
    if (!activity.isActive) return;
    const { voiceMs } = activity;
    onEvent({ type: "voice_runs", voiceMs, clearMs: Math.min(voiceMs, clarity.clearMs), nowMs: atMs });
  }

  #hearAgain(): void {
    this.#isDeaf = false;
    if (this.#stt.feed !== "stream") return;
    this.finalize();
    this.#unwantedFinals = this.#asked.length;
  }

  #feed(frame: Int16Array, isOnset: boolean): void {
    const { feed } = this.#stt;
    if (feed === "none") return;
    if (feed === "stream") {
      this.#stt.write(frame);
      return;
    }
    if (isOnset && !this.#isDeaf) {
      this.#isFeeding = true;
      this.#preRoll.drain((earlier) => this.#stt.write(earlier));
    }
    if (this.#isFeeding) this.#stt.write(frame);
    else this.#preRoll.push(frame);
  }

  /** New text may still belong to what was heard before an owed final. */
  #soundOfText(): SoundOrigin {
    const { origin } = this.#options.own;
    const before = this.#asked[0] && this.#soundOf(this.#asked[0]);
    return before?.whose === "theirs" ? before : origin;
  }

  /** An echo that was found meanwhile was in it, too. */
  #soundOf({ sound, echoes }: { readonly sound: SoundOrigin; readonly echoes: number }): SoundOrigin {
    const isRevised = sound.whose === "theirs" && this.#options.own.echoes > echoes;
    return isRevised ? { ...sound, whose: "unsure" } : sound;
  }

  #onStt(event: SttEvent): void {
    const nowMs = this.#options.now();
    if (event.type === "failed") {
      this.#isLost = true;
      this.#options.onSttFailed(event.error);
      return;
    }
    if (event.type === "recovered") {
      this.#isLost = false;
      this.#options.onSttRecovered();
      return;
    }
    let sound = this.#soundOfText();
    if (event.type === "final" && event.fromFinalize) {
      const asked = this.#asked.shift();
      if (asked !== undefined) this.#options.onFinal(nowMs - asked.atMs);
      if (asked !== undefined) sound = this.#soundOf(asked);
      if (this.#unwantedFinals > 0) {
        this.#unwantedFinals -= 1;
        return;
      }
    }
    if (this.#isDeaf || this.#unwantedFinals > 0) return;
    this.#judge(event, sound, nowMs);
  }

  #judge(event: RecognizedEvent, sound: SoundOrigin, nowMs: number): void {
    const { own } = this.#options;
    const isFinal = event.type === "final";
    const others = own.othersText({ text: event.text, isFinal }, sound, nowMs);
    if (isFinal && !event.fromFinalize) own.forget();
    this.#undecided.take(event, others, nowMs);
  }

  #tellText(event: Extract<TurnEvent, { type: "interim" | "final" }>): void {
    if (event.text !== "") this.#options.clarity.learn();
    this.#options.onEvent(event);
  }
}

/** The frame as seen by listeners that ask whether the caller speaks. */
function withoutVoice(heard: HeardFrame): HeardFrame {
  return { ...heard, isVoice: false, detected: heard.detected === undefined ? undefined : false };
}
