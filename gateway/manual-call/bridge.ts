import { generateDtmf } from "@parley/media/dtmf/generator.ts";
import { SampleQueue } from "@parley/media/pacer/sample-queue.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { type Cadence, HOLD_BEEPS, RING_BACK } from "@parley/media/tones/call-tones.ts";
import type { Playback } from "@parley/media/wav/playback.ts";
import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import type { ArrivalFigures } from "@parley/shared/contracts/call-socket.ts";
import { Arrivals } from "./arrivals.ts";
import { mix } from "./mix.ts";

/** Maximum number of frames to catch up on after a stall. */
const MAX_FRAMES_AT_ONCE = 5;
/** Maximum length of waiting key tones; people do not dial a softphone faster. */
const MAX_WAITING_TONES_MS = 5_000;

export interface BridgeDeps {
  readonly now: () => number;
  /** Sends 20 ms to the phone, with their due time: ticks come slightly early or late, and several frames at once. */
  readonly toPhone: (frame: Int16Array, dueMs: number) => void;
  /** Sends 20 ms to the softphone. */
  readonly toSoftphone: (frame: Int16Array) => void;
}

/**
 * Carries audio between a phone and a softphone frame by frame in real time, together with played files and key tones.
 * Sends nothing if there is nothing to hear.
 */
export class Bridge {
  readonly #deps: BridgeDeps;
  readonly #fromPhone: Arrivals;
  readonly #fromSoftphone: Arrivals;
  readonly #tones = new SampleQueue();
  readonly #startMs: number;
  #carried = 0;
  #playback: Playback | undefined;
  #isHeld = false;
  #isRinging = false;
  /** The tone signal that the phone hears while nobody talks to it, and the position in it. */
  #signal: { readonly cadence: Cadence; at: number } | undefined;

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
    this.#startMs = deps.now();
    this.#fromPhone = new Arrivals(deps.now);
    this.#fromSoftphone = new Arrivals(deps.now);
  }

  hearPhone(samples: Int16Array): void {
    this.#fromPhone.push(samples);
  }

  hearSoftphone(samples: Int16Array): void {
    this.#fromSoftphone.push(samples);
  }

  /** How audio arrived from both ends since the previous call of this method. */
  figures(): { softphone: ArrivalFigures; phone: ArrivalFigures } {
    return { softphone: this.#fromSoftphone.figures(), phone: this.#fromPhone.figures() };
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Queues a key of the softphone as the tone a telephone would make. */
  press(digit: DtmfDigit): void {
    if (this.#tones.length < (MAX_WAITING_TONES_MS / FRAME_MS) * FRAME_SAMPLES)
      this.#tones.push(generateDtmf(digit));
  }

  /** Keeps each side from hearing the other; played files go on. */
  hold(on: boolean): void {
    if (this.#isHeld === on) return;
    this.#isHeld = on;
    this.#chooseSignal();
  }

  /** Plays ringing to the phone until somebody answers. */
  ring(on: boolean): void {
    this.#isRinging = on;
    this.#chooseSignal();
  }

  /** Replaces the current playback. Returns true if there was one: its end may still wait in buffers. */
  play(playback: Playback): boolean {
    const before = this.#playback;
    before?.stop();
    this.#playback = playback;
    return before !== undefined;
  }

  /** Called every 20 ms, possibly late. */
  tick(): void {
    const due = Math.floor((this.#deps.now() - this.#startMs) / FRAME_MS);
    this.#carried = Math.max(this.#carried, due - MAX_FRAMES_AT_ONCE);
    for (; this.#carried < due; this.#carried++) this.#carry();
  }

  close(): void {
    this.#playback?.stop();
  }

  #carry(): void {
    const phone = this.#fromPhone.next();
    const softphone = this.#fromSoftphone.next();
    const played = this.#playback?.next();
    if (!played) this.#playback = undefined;
    const signal = this.#nextSignal();
    // A voice over a key tone would make the tone unreadable.
    const spoken = this.#nextTone() ?? (this.#isHeld ? undefined : softphone);
    const forPhone = mix(spoken, played) ?? signal;
    const forSoftphone = mix(this.#isHeld ? undefined : phone, played);
    if (forPhone) this.#deps.toPhone(forPhone, this.#startMs + this.#carried * FRAME_MS);
    if (forSoftphone) this.#deps.toSoftphone(forSoftphone);
  }

  #nextTone(): Int16Array | undefined {
    if (this.#tones.length === 0) return undefined;
    const frame = new Int16Array(FRAME_SAMPLES);
    this.#tones.take(frame);
    return frame;
  }

  #chooseSignal(): void {
    const held = this.#isHeld ? HOLD_BEEPS : undefined;
    const cadence = this.#isRinging ? RING_BACK : held;
    this.#signal = cadence && { cadence, at: 0 };
  }

  #nextSignal(): Int16Array | undefined {
    if (!this.#signal) return undefined;
    const { cadence, at } = this.#signal;
    this.#signal.at += 1;
    return cadence[at % cadence.length];
  }
}
