import { decodeMulaw, encodeMulaw } from "@parley/media/codecs/mulaw.ts";
import { FRAME_SAMPLES, msToSamples, PCM_RATE_HZ } from "@parley/media/pcm.ts";

const LONGEST_MS = 1_000;
/** A telephone's band. */
const LOW_HZ = 300;
const HIGH_HZ = 3_400;
/** A small loudspeaker, turned up too far, clips louder samples. */
const CLIPS_AT = 4_000;
const DRIVE = 3;
/** A room's reflections: their delays are not multiples of each other; 60 dB softer after 400 ms. */
const REFLECTIONS_MS = [17, 31, 47, 71, 103, 149, 211, 293];
const FIRST_REFLECTION = 0.6;
const ROOM_DIES_IN_MS = 400;

/** The path of the agent's voice from the caller's loudspeaker back into the microphone. */
export interface Echo {
  /** How much softer the echo is. */
  readonly lossDb: number;
  /** May depend on the time since the call began. */
  readonly delayMs?: number | ((atMs: number) => number);
  /** When the loudspeaker is switched on; from the start when absent. */
  readonly fromMs?: number;
  /** `telephone`: 300 to 3400 Hz, in G.711; `clipped`: a small loudspeaker; `hall`: a room with bare walls. */
  readonly sound?: "plain" | "telephone" | "clipped" | "hall";
}

/** Computes the echo of a stream of 20 ms frames at 16 kHz. */
export class EchoPath {
  readonly #echo: Echo;
  readonly #gain: number;
  readonly #played = new Float64Array(msToSamples(LONGEST_MS));
  readonly #band = [highPass(LOW_HZ), lowPass(HIGH_HZ)];
  #samples = 0;

  constructor(echo: Echo) {
    this.#echo = echo;
    this.#gain = 10 ** (-echo.lossDb / 20);
  }

  delayMs(atMs: number): number {
    const { delayMs = 0 } = this.#echo;
    return typeof delayMs === "number" ? delayMs : delayMs(atMs);
  }

  /** The echo during the 20 ms in which `played` leaves the loudspeaker. */
  push(played: Int16Array | undefined): Int16Array {
    const { fromMs = 0, sound = "plain" } = this.#echo;
    const atMs = (this.#samples * 1_000) / PCM_RATE_HZ;
    const delay = msToSamples(this.delayMs(atMs));
    const echo = Int16Array.from({ length: FRAME_SAMPLES }, (_, i) => {
      this.#write(played?.[i] ?? 0);
      const heard = this.#read(delay, sound === "hall") * this.#gain;
      return sound === "telephone" ? this.#band.reduce((sample, filter) => filter(sample), heard) : heard;
    });
    if (atMs < fromMs) return new Int16Array(FRAME_SAMPLES);
    return sound === "telephone" ? asOnTheTelephone(echo) : echo;
  }

  #write(sample: number): void {
    const isClipped = this.#echo.sound === "clipped";
    const out = isClipped ? Math.max(-CLIPS_AT, Math.min(CLIPS_AT, sample * DRIVE)) : sample;
    this.#played[this.#samples++ % this.#played.length] = out;
  }

  #read(delay: number, isHall: boolean): number {
    const at = (samples: number): number =>
      this.#played[(this.#samples - 1 - samples + this.#played.length) % this.#played.length] as number;
    if (!isHall) return at(delay);
    return REFLECTIONS_MS.reduce((sum, ms, i) => {
      const loudness = FIRST_REFLECTION * 10 ** ((-3 * ms) / ROOM_DIES_IN_MS) * (i % 2 === 0 ? 1 : -1);
      return sum + at(delay + msToSamples(ms)) * loudness;
    }, at(delay));
  }
}

function asOnTheTelephone(samples: Int16Array): Int16Array {
  const bytes = new Uint8Array(samples.length);
  encodeMulaw(samples, bytes);
  const heard = new Int16Array(samples.length);
  decodeMulaw(bytes, heard);
  return heard;
}

function lowPass(hz: number): (sample: number) => number {
  const share = 1 - Math.exp((-2 * Math.PI * hz) / PCM_RATE_HZ);
  let [first, second] = [0, 0];
  return (sample) => {
    first += share * (sample - first);
    second += share * (first - second);
    return second;
  };
}

function highPass(hz: number): (sample: number) => number {
  const low = lowPass(hz);
  return (sample) => sample - low(sample);
}
