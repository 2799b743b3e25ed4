import { generateDtmf } from "@parley/media/dtmf/generator.ts";
import { SampleQueue } from "@parley/media/pacer/sample-queue.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import type { DtmfDigit } from "@parley/shared/contracts/call-socket.ts";
import { JitterBuffer } from "./jitter-buffer.ts";
import { mix } from "./mix.ts";
import type { Playback } from "./playback.ts";

/** After a stall no more than this is made up for. */
const MAX_FRAMES_AT_ONCE = 5;
/** Tones of keys that wait; a softphone's owner does not dial faster. */
const MAX_WAITING_TONES_MS = 5_000;

export interface BridgeDeps {
  readonly now: () => number;
  /** 20 ms for the phone. */
  readonly toPhone: (frame: Int16Array) => void;
  /** 20 ms for the softphone. */
  readonly toSoftphone: (frame: Int16Array) => void;
}

/**
 * Carries the sound of a phone to a softphone and back, frame by frame in real time, with what is played and the
 * tones of keys. Where nothing is to be heard nothing is sent.
 */
export class Bridge {
  readonly #deps: BridgeDeps;
  readonly #fromPhone = new JitterBuffer();
  readonly #fromSoftphone = new JitterBuffer();
  readonly #tones = new SampleQueue();
  readonly #startMs: number;
  #carried = 0;
  #playback: Playback | undefined;
  #isHeld = false;

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
    this.#startMs = deps.now();
  }

  hearPhone(samples: Int16Array): void {
    this.#fromPhone.push(samples);
  }

  hearSoftphone(samples: Int16Array): void {
    this.#fromSoftphone.push(samples);
  }

  /** A key of the softphone's, as the tone a telephone makes of it. */
  press(digit: DtmfDigit): void {
    if (this.#tones.length < (MAX_WAITING_TONES_MS / FRAME_MS) * FRAME_SAMPLES)
      this.#tones.push(generateDtmf(digit));
  }

  /** Neither side hears the other; what is played goes on. */
  hold(on: boolean): void {
    this.#isHeld = on;
  }

  /** In the place of what is being played. */
  play(playback: Playback): void {
    this.#playback?.stop();
    this.#playback = playback;
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
    // A voice over a tone would make it unreadable.
    const spoken = this.#nextTone() ?? (this.#isHeld ? undefined : softphone);
    const forPhone = mix(spoken, played);
    const forSoftphone = mix(this.#isHeld ? undefined : phone, played);
    if (forPhone) this.#deps.toPhone(forPhone);
    if (forSoftphone) this.#deps.toSoftphone(forSoftphone);
  }

  #nextTone(): Int16Array | undefined {
    if (this.#tones.length === 0) return undefined;
    const frame = new Int16Array(FRAME_SAMPLES);
    this.#tones.take(frame);
    return frame;
  }
}
