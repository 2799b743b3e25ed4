import { msToSamples, PCM_RATE_HZ } from "../pcm.ts";

/** The layers of a room's sound. Each layer wraps around the loop's end, so that the loop has no seam. */

type Random = () => number;

const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

/** Adds the air of a room: noise below `cutoffHz`. */
export function addAir(loop: Float32Array, random: Random, { cutoffHz, level }: AirOptions): void {
  const noise = new Float32Array(loop.length);
  for (let i = 0; i < noise.length; i++) noise[i] = 2 * random() - 1;
  const pull = 1 - Math.exp((-2 * Math.PI * cutoffHz) / PCM_RATE_HZ);
  let [once, twice] = [0, 0];
  // The first round brings the filter to its state at the loop's end; the second round is kept.
  for (const kept of [0, level]) {
    for (let i = 0; i < noise.length; i++) {
      once += pull * ((noise[i] as number) - once);
      twice += pull * (once - twice);
      loop[i] = (loop[i] as number) + kept * twice;
    }
  }
}
interface AirOptions {
  readonly cutoffHz: number;
  readonly level: number;
}

/** Adds a distant talker: syllables with a voice's pitch and formants that are words of no language. */
export function addTalker(loop: Float32Array, random: Random, level: number): void {
  const pitchHz = between(random, 95, 215);
  for (let at = msToSamples(between(random, 0, 1_500)); at < loop.length; ) {
    const syllables = Math.floor(between(random, 4, 18));
    for (let i = 0; i < syllables && at < loop.length; i++) {
      const length = msToSamples(between(random, 110, 260));
      const loudness = level * between(random, 0.5, 1);
      addSyllable(loop, at, { length, loudness, pitchHz: pitchHz * between(random, 0.88, 1.15), random });
      at += Math.round(length * between(random, 0.85, 1.2));
    }
    at += msToSamples(between(random, 400, 2_600));
  }
}

interface Syllable {
  readonly length: number;
  readonly loudness: number;
  readonly pitchHz: number;
  readonly random: Random;
}

function addSyllable(
  loop: Float32Array,
  from: number,
  { length, loudness, pitchHz, random }: Syllable,
): void {
  const low = new Resonance(between(random, 300, 750), 110);
  const high = new Resonance(between(random, 900, 2_100), 160);
  let phase = 0;
  for (let i = 0; i < length; i++) {
    phase += pitchHz / PCM_RATE_HZ;
    if (phase >= 1) phase -= 1;
    const source = 1 - 2 * phase;
    const rise = i / length;
    const envelope = 16 * (rise * (1 - rise)) ** 2;
    const at = from + i < loop.length ? from + i : from + i - loop.length;
    loop[at] = (loop[at] as number) + loudness * envelope * (low.push(source) + 0.4 * high.push(source));
  }
}

/** A filter that passes frequencies near `hz`. */
class Resonance {
  readonly #share: number;
  readonly #turn: number;
  readonly #damp: number;
  #last = 0;
  #before = 0;

  constructor(hz: number, widthHz: number) {
    const radius = Math.exp((-Math.PI * widthHz) / PCM_RATE_HZ);
    this.#share = 1 - radius;
    this.#turn = 2 * radius * Math.cos((2 * Math.PI * hz) / PCM_RATE_HZ);
    this.#damp = radius * radius;
  }

  push(sample: number): number {
    const now = this.#share * sample + this.#turn * this.#last - this.#damp * this.#before;
    this.#before = this.#last;
    this.#last = now;
    return now;
  }
}

/** Adds typing: runs of soft clicks with pauses. */
export function addTyping(loop: Float32Array, random: Random, level: number): void {
  for (let at = msToSamples(between(random, 0, 2_000)); at < loop.length; ) {
    const keys = Math.floor(between(random, 5, 24));
    for (let i = 0; i < keys; i++) {
      const hz = between(random, 1_800, 3_400);
      addRing(loop, at, { tonesHz: [hz], decayMs: 4, level: level * between(random, 0.4, 1) });
      at += msToSamples(between(random, 85, 230));
    }
    at += msToSamples(between(random, 1_500, 5_000));
  }
}

/** Adds cups and spoons, some seconds apart. */
export function addCups(loop: Float32Array, random: Random, level: number): void {
  for (let at = msToSamples(between(random, 0, 2_000)); at < loop.length; ) {
    const hz = between(random, 1_900, 2_900);
    const tonesHz = [hz, hz * 1.53, hz * 2.31];
    addRing(loop, at, { tonesHz, decayMs: between(random, 18, 45), level: level * between(random, 0.3, 1) });
    at += msToSamples(between(random, 500, 4_000));
  }
}

interface Ring {
  readonly tonesHz: readonly number[];
  readonly decayMs: number;
  readonly level: number;
}

/** Adds the ring of a hard object that was touched. */
function addRing(loop: Float32Array, from: number, { tonesHz, decayMs, level }: Ring): void {
  const decay = msToSamples(decayMs);
  const attack = msToSamples(1);
  for (let i = 0; i < 6 * decay; i++) {
    const envelope = Math.min(1, i / attack) * Math.exp(-i / decay);
    const wave = tonesHz.reduce((sum, hz) => sum + Math.sin((2 * Math.PI * hz * i) / PCM_RATE_HZ), 0);
    const at = (from + i) % loop.length;
    loop[at] = (loop[at] as number) + (level * envelope * wave) / tonesHz.length;
  }
}
