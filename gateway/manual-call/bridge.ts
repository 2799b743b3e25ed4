import { generateDtmf } from "@parley/media/dtmf/generator.ts";
import { SampleQueue } from "@parley/media/pacer/sample-queue.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { type Cadence, HOLD_BEEPS, RING_BACK } from "@parley/media/tones/call-tones.ts";
import type { Playback } from "@parley/media/wav/playback.ts";
import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import type { ArrivalFigures } from "@parley/shared/contracts/call-socket.ts";
import { Arrivals } from "./arrivals.ts";
import { mix } from "./mix.ts";

/** After a stall no more than this is made up for. */
const MAX_FRAMES_AT_ONCE = 5;
/** Tones of keys that wait; a softphone's owner does not dial faster. */
const MAX_WAITING_TONES_MS = 5_000;

export interface BridgeDeps {
  readonly now: () => number;
  /** 20 ms for the phone, and when they are due: ticks come a little early or late, and several frames at once. */
  readonly toPhone: (frame: Int16Array, dueMs: number) => void;
  /** 20 ms for the softphone. */
  readonly toSoftphone: (frame: Int16Array) => void;
}

/**
 * Carries the sound of a phone to a softphone and back, frame by frame in real time, with what is played and the
 * tones of keys. Where nothing is to be heard nothing is sent.
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
  /** What the phone hears while nobody talks to it, and how far it is. */
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

  /** How both arrived since it was asked last. */
  figures(): { softphone: ArrivalFigures; phone: ArrivalFigures } {
    return { softphone: this.#fromSoftphone.figures(), phone: this.#fromPhone.figures() };
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** A key of the softphone's, as the tone a telephone makes of it. */
  press(digit: DtmfDigit): void {
    if (this.#tones.length < (MAX_WAITING_TONES_MS / FRAME_MS) * FRAME_SAMPLES)
      this.#tones.push(generateDtmf(digit));
  }

  /** Neither side hears the other; what is played goes on. */
  hold(on: boolean): void {
    if (this.#isHeld === on) return;
    this.#isHeld = on;
    this.#chooseSignal();
  }

  /** The phone hears that it rings, until somebody answers. */
  ring(on: boolean): void {
    this.#isRinging = on;
    this.#chooseSignal();
  }

  /** In the place of what is being played. True when something was: its end may still wait in buffers. */
  play(playback: Playback): boolean {
    const before = this.#playback;
    before?.stop();
    this.#playback = playback;
    return before !== undefined;
  }

  /** Called every 20 ms, or late. */
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
    // A voice over a tone would make it unreadable.
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
