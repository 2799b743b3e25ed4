import { Framer } from "@parley/media/framing/framer.ts";
import { FRAME_MS, FRAME_SAMPLES, samplesToMs } from "@parley/media/pcm.ts";
import type { SttEvent, SttSession } from "@parley/media/stt/port.ts";
import type { VoiceActivity } from "@parley/media/vad/voice-activity.ts";
import type { Vad } from "@parley/media/vad/webrtc-vad.ts";
import type { TurnEvent } from "../turn/turn-state.ts";
import { PreRoll } from "./pre-roll.ts";

/** Speech kept from before its onset was sure, so that the first syllable is not lost. */
const PRE_ROLL_FRAMES = 15;
/** Audio that stops arriving for this long is taken for silence: a muted app sends nothing at all. */
const GAP_IS_SILENCE_MS = 240;
const SILENCE = new Int16Array(FRAME_SAMPLES);

export interface EarsOptions {
  readonly vad: Vad;
  readonly activity: VoiceActivity;
  readonly openStt: (onEvent: (event: SttEvent) => void) => SttSession;
  readonly now: () => number;
  readonly onEvent: (event: TurnEvent) => void;
  /** Every 20 ms frame of the caller, for those who listen along (in-band keys). */
  readonly onFrame: (frame: Int16Array) => void;
  readonly onSttFailed: (error: Error) => void;
  /** A final came this long after it was asked for. */
  readonly onFinal: (delayMs: number) => void;
}

/** Hears the caller: voice activity and recognised text become events of the turn. */
export class Ears {
  readonly #options: EarsOptions;
  readonly #framer = new Framer(FRAME_SAMPLES);
  readonly #preRoll = new PreRoll(PRE_ROLL_FRAMES);
  readonly #stt: SttSession;
  #lastFrameMs: number;
  /** The current utterance is being written to an utterance-wise recogniser. */
  #isFeeding = false;
  /** Typed text took this utterance's place: nothing more of it counts until the voice stops. */
  #isDeaf = false;
  /** Finals still owed for utterances that were discarded. */
  #unwantedFinals = 0;
  #askedAtMs: number[] = [];

  constructor(options: EarsOptions) {
    this.#options = options;
    this.#lastFrameMs = options.now();
    this.#stt = options.openStt((event) => this.#onStt(event));
  }

  /** Takes caller audio of any length, 16 kHz mono; `samples` may be reused afterwards. */
  hear(samples: Int16Array): void {
    const nowMs = this.#options.now();
    this.#lastFrameMs = nowMs;
    let remainingMs = samplesToMs(samples.length);
    this.#framer.push(samples, (frame) => {
      remainingMs -= FRAME_MS;
      this.#onFrame(frame, nowMs - Math.max(0, remainingMs));
    });
  }

  /** Called every 20 ms: fills gaps in the caller's audio while a voice is on. */
  tick(nowMs: number): void {
    if (!this.#options.activity.isActive || nowMs - this.#lastFrameMs < GAP_IS_SILENCE_MS) return;
    while (this.#lastFrameMs + FRAME_MS <= nowMs && this.#options.activity.isActive) {
      this.#lastFrameMs += FRAME_MS;
      this.#onFrame(SILENCE, this.#lastFrameMs);
    }
  }

  /** Asks for the text of what was said up to now. */
  finalize(): void {
    this.#isFeeding = false;
    this.#askedAtMs.push(this.#options.now());
    this.#stt.finalize();
  }

  /** Forgets the utterance in hand, and what the recogniser still owes of it. */
  discard(): void {
    const { isActive } = this.#options.activity;
    // What was written already would otherwise come back in front of the next utterance.
    if (isActive && this.#stt.feed !== "none") this.finalize();
    this.#unwantedFinals = this.#askedAtMs.length;
    this.#isDeaf = isActive;
  }

  close(): void {
    this.#stt.close();
    this.#options.vad.free();
  }

  #onFrame(frame: Int16Array, atMs: number): void {
    const { activity, vad, onFrame, onEvent } = this.#options;
    const change = activity.push(vad.isVoice(frame));
    onFrame(frame);
    this.#feed(frame, change?.type === "started");
    if (this.#isDeaf) {
      if (change?.type === "ended") this.#hearAgain();
      return;
    }
    const happenedMs = change ? atMs - (activity.nowMs - change.atMs) : atMs;
    if (change?.type === "started") onEvent({ type: "voice_started", atMs: happenedMs, nowMs: atMs });
    if (change?.type === "ended") onEvent({ type: "voice_ended", atMs: happenedMs, nowMs: atMs });
    if (activity.isActive) onEvent({ type: "voice_runs", voiceMs: activity.voiceMs, nowMs: atMs });
  }

  #hearAgain(): void {
    this.#isDeaf = false;
    if (this.#stt.feed !== "stream") return;
    this.finalize();
    this.#unwantedFinals = this.#askedAtMs.length;
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

  #onStt(event: SttEvent): void {
    const nowMs = this.#options.now();
    if (event.type === "failed") {
      this.#options.onSttFailed(event.error);
      return;
    }
    if (event.type === "final" && event.fromFinalize) {
      const askedAtMs = this.#askedAtMs.shift();
      if (askedAtMs !== undefined) this.#options.onFinal(nowMs - askedAtMs);
      if (this.#unwantedFinals > 0) {
        this.#unwantedFinals -= 1;
        return;
      }
    }
    if (this.#isDeaf || this.#unwantedFinals > 0) return;
    this.#options.onEvent({ ...event, nowMs });
  }
}
