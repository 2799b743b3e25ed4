import { decodeMulaw, encodeMulaw } from "@parley/media/codecs/mulaw.ts";
import { FRAME_SAMPLES, msToSamples, PCM_RATE_HZ } from "@parley/media/pcm.ts";

/** The longest delay plus the longest reflection that is kept. */
const KEPT = 2 ** 15;
/** A telephone's band. */
const LOW_HZ = 300;
const HIGH_HZ = 3_400;
/** A handheld's small loudspeaker: hardly any bass, and one resonance. */
const SPEAKER_LOW_HZ = 700;
const SPEAKER_HIGH_HZ = 5_000;
const SPEAKER_RINGS_AFTER_MS = 0.7;
/** A small loudspeaker, turned up too far, clips louder samples. */
const CLIPS_AT = 4_000;
const DRIVE = 3;

/** A copy of the sound that arrives later. */
interface Tap {
  readonly samples: number;
  readonly gain: number;
}

const DIRECT: readonly Tap[] = [{ samples: 0, gain: 1 }];
const SPEAKER: readonly Tap[] = [...DIRECT, { samples: msToSamples(SPEAKER_RINGS_AFTER_MS), gain: -0.6 }];
/** A room's reflections: their delays are not multiples of each other; 60 dB softer after 400 ms. */
const HALL = reflections([17, 31, 47, 71, 103, 149, 211, 293], { first: 0.6, diesInMs: 400 });
/** A living room: many reflections, of which the first are nearly as loud as the direct sound. */
const ROOM = reflections(
  Array.from({ length: 40 }, (_, i) => 3 + i * 5.3 + (i * i) / 17),
  { first: 0.5, diesInMs: 300 },
);
const TAPS = { plain: DIRECT, telephone: DIRECT, clipped: DIRECT, speaker: SPEAKER, hall: HALL, room: ROOM };

/** The path of the agent's voice from the caller's loudspeaker back into the microphone. */
export interface Echo {
  /** How much softer the echo is. May depend on the time since the call began. */
  readonly lossDb: number | ((atMs: number) => number);
  /** May depend on the time since the call began. */
  readonly delayMs?: number | ((atMs: number) => number);
  /** When the loudspeaker is switched on; from the start when absent. */
  readonly fromMs?: number;
  /**
   * `telephone`: 300 to 3400 Hz, in G.711; `clipped`: turned up too far; `speaker`: a handheld's; `hall`: a room with
   * bare walls; `room`: a living room.
   */
  readonly sound?: "plain" | "telephone" | "clipped" | "speaker" | "hall" | "room";
}

/** Computes the echo of a stream of 20 ms frames at 16 kHz. */
export class EchoPath {
  readonly #echo: Echo;
  readonly #played = new Float64Array(KEPT);
  readonly #band: readonly ((sample: number) => number)[];
  readonly #taps: readonly Tap[];
  #samples = 0;

  constructor(echo: Echo) {
    this.#echo = echo;
    const { sound = "plain" } = echo;
    this.#taps = TAPS[sound];
    const [low, high] = sound === "speaker" ? [SPEAKER_LOW_HZ, SPEAKER_HIGH_HZ] : [LOW_HZ, HIGH_HZ];
    this.#band = sound === "telephone" || sound === "speaker" ? [highPass(low), lowPass(high)] : [];
  }

  delayMs(atMs: number): number {
    return valueAt(this.#echo.delayMs ?? 0, atMs);
  }

  /** The echo during the 20 ms in which `played` leaves the loudspeaker. */
  push(played: Int16Array | undefined): Int16Array {
    const { fromMs = 0, sound = "plain", lossDb } = this.#echo;
    const atMs = (this.#samples * 1_000) / PCM_RATE_HZ;
    const delay = (this.delayMs(atMs) * PCM_RATE_HZ) / 1_000;
    const gain = 10 ** (-valueAt(lossDb, atMs) / 20);
    const echo = new Int16Array(FRAME_SAMPLES);
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      this.#write(played?.[i] ?? 0);
      let heard = this.#read(delay) * gain;
      for (const filter of this.#band) heard = filter(heard);
      echo[i] = heard;
    }
    if (atMs < fromMs) return new Int16Array(FRAME_SAMPLES);
    return sound === "telephone" ? asOnTheTelephone(echo) : echo;
  }

  #write(sample: number): void {
    const isClipped = this.#echo.sound === "clipped";
    const out = isClipped ? Math.max(-CLIPS_AT, Math.min(CLIPS_AT, sample * DRIVE)) : sample;
    this.#played[this.#samples++ % KEPT] = out;
  }

  /** What was played `delay` samples ago, with its reflections; between two samples in proportion. */
  #read(delay: number): number {
    const whole = Math.floor(delay);
    const share = delay - whole;
    let sum = 0;
    for (const { samples, gain } of this.#taps) {
      const at = this.#samples - 1 - whole - samples + KEPT;
      const later = share === 0 ? 0 : (this.#played[(at - 1) % KEPT] as number) * share;
      sum += gain * ((this.#played[at % KEPT] as number) * (1 - share) + later);
    }
    return sum;
  }
}

function valueAt(value: number | ((atMs: number) => number), atMs: number): number {
  return typeof value === "number" ? value : value(atMs);
}

/** The direct sound and copies of it, `atMs` later each, with alternating signs. */
function reflections(
  atMs: readonly number[],
  { first, diesInMs }: { first: number; diesInMs: number },
): Tap[] {
  const taps = atMs.map((ms, i) => ({
    samples: msToSamples(ms),
    gain: first * 10 ** ((-3 * ms) / diesInMs) * (i % 2 === 0 ? 1 : -1),
  }));
  return [...DIRECT, ...taps];
}

/** The samples as they come out of G.711. */
export function asOnTheTelephone(samples: Int16Array): Int16Array {
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
