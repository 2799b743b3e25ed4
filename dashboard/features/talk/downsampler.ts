/** Half the length of the low-pass, in input samples per output sample: a sharper filter costs more. */
const ZERO_CROSSINGS = 12;
/** Precomputed filter positions between two input samples. */
const PHASES = 256;
/** Keeps the transition band below half the output rate. */
const PASSBAND = 0.92;

/**
 * Resamples a microphone of any rate (44.1, 48, 96 kHz) to the call's rate, block by block without seams: a
 * windowed sinc, evaluated at precomputed phases. It is flat below half the output rate and silent above, so
 * hiss does not fold into the voice. Also upsamples lower rates (8 kHz headsets).
 */
export class Downsampler {
  readonly #stepSamples: number;
  readonly #halfTaps: number;
  readonly #table: Float32Array[];
  #history: Float32Array;
  /** Position of the next output sample, in samples of `#history`. */
  #position: number;

  constructor(fromHz: number, toHz: number) {
    this.#stepSamples = fromHz / toHz;
    const cutoff = Math.min(1, toHz / fromHz) * PASSBAND;
    this.#halfTaps = Math.ceil(ZERO_CROSSINGS / cutoff);
    this.#table = Array.from({ length: PHASES + 1 }, (_, phase) =>
      lowPass(this.#halfTaps, cutoff, phase / PHASES),
    );
    this.#history = new Float32Array(this.#halfTaps);
    this.#position = this.#halfTaps;
  }

  /** @returns the output samples that this block completes */
  process(block: Float32Array): Float32Array {
    const input = new Float32Array(this.#history.length + block.length);
    input.set(this.#history);
    input.set(block, this.#history.length);
    const out: number[] = [];
    while (this.#position + this.#halfTaps < input.length) {
      out.push(this.#sampleAt(input, this.#position));
      this.#position += this.#stepSamples;
    }
    const keepFrom = Math.max(0, Math.min(input.length, Math.floor(this.#position) - this.#halfTaps));
    this.#history = input.slice(keepFrom);
    this.#position -= keepFrom;
    return Float32Array.from(out);
  }

  #sampleAt(input: Float32Array, position: number): number {
    const whole = Math.floor(position);
    const taps = this.#table[Math.round((position - whole) * PHASES)];
    if (taps === undefined) return 0;
    const first = whole - this.#halfTaps + 1;
    let sum = 0;
    for (let i = 0; i < taps.length; i++) sum += (taps[i] ?? 0) * (input[first + i] ?? 0);
    return sum;
  }
}

/** A Blackman-windowed sinc with a gain of 1, centered `fraction` of a sample after its middle. */
function lowPass(halfTaps: number, cutoff: number, fraction: number): Float32Array {
  const taps = new Float32Array(halfTaps * 2);
  let sum = 0;
  for (let i = 0; i < taps.length; i++) {
    const x = i - halfTaps + 1 - fraction;
    const angle = (Math.PI * x) / halfTaps;
    const window = 0.42 + 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle);
    const value = x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x);
    taps[i] = value * window;
    sum += value * window;
  }
  return taps.map((tap) => tap / sum);
}
