/** A window's spectrum, as many bins of it as are compared. */
export interface Spectrum {
  readonly re: Float32Array;
  readonly im: Float32Array;
}

/** What the spectra of sent and heard windows have in common at one delay: the filter from one to the other. */
export class CrossSpectrum {
  readonly #re: Float32Array;
  readonly #im: Float32Array;
  readonly #sentPower: Float32Array;

  constructor(bins: number) {
    this.#re = new Float32Array(bins);
    this.#im = new Float32Array(bins);
    this.#sentPower = new Float32Array(bins);
  }

  reset(): void {
    this.#re.fill(0);
    this.#im.fill(0);
    this.#sentPower.fill(0);
  }

  /** Adds a pair of windows; of what was there before, the share `keep` stays. */
  add(heard: Spectrum, sent: Spectrum, keep: number): void {
    const [re, im, power] = [this.#re, this.#im, this.#sentPower];
    const { re: sentRe, im: sentIm } = sent;
    const { re: heardRe, im: heardIm } = heard;
    for (let k = 0; k < re.length; k++) {
      const a = sentRe[k] as number;
      const b = sentIm[k] as number;
      const c = heardRe[k] as number;
      const d = heardIm[k] as number;
      re[k] = (re[k] as number) * keep + c * a + d * b;
      im[k] = (im[k] as number) * keep + d * a - c * b;
      power[k] = (power[k] as number) * keep + a * a + b * b;
    }
  }

  /** How alike the sounds are over all frequencies, given the power heard at each. */
  coherence(heardPower: Float32Array): number {
    const [re, im, power] = [this.#re, this.#im, this.#sentPower];
    let sum = 0;
    for (let k = 0; k < re.length; k++) {
      const scale = (power[k] as number) * (heardPower[k] as number);
      const a = re[k] as number;
      const b = im[k] as number;
      if (scale > 0) sum += (a * a + b * b) / scale;
    }
    return sum;
  }

  /** Writes the conjugate spectrum, in which each frequency weighs the same, into `re` and `im`. */
  whiten(heardPower: Float32Array, re: Float64Array, im: Float64Array): void {
    for (let k = 0; k < this.#re.length; k++) {
      const scale = Math.sqrt((this.#sentPower[k] as number) * (heardPower[k] as number));
      if (scale === 0) continue;
      re[k] = (this.#re[k] as number) / scale;
      im[k] = -(this.#im[k] as number) / scale;
    }
  }

  /**
   * The share of a heard window that is the sent one, as it comes back, from 0 to 1. Its loudness does not matter,
   * because a loudspeaker may be turned up; the rest is somebody else's. Too large while few windows were added.
   */
  share(heard: Spectrum, sent: Spectrum): number {
    let [heardPower, echo, togetherRe, togetherIm] = [0, 0, 0, 0];
    for (let k = 0; k < this.#re.length; k++) {
      const power = this.#sentPower[k] as number;
      const scale = power > 0 ? 1 / power : 0;
      const gainRe = (this.#re[k] as number) * scale;
      const gainIm = (this.#im[k] as number) * scale;
      const x = sent.re[k] as number;
      const y = sent.im[k] as number;
      const echoRe = gainRe * x - gainIm * y;
      const echoIm = gainRe * y + gainIm * x;
      const a = heard.re[k] as number;
      const b = heard.im[k] as number;
      heardPower += a * a + b * b;
      echo += echoRe * echoRe + echoIm * echoIm;
      togetherRe += a * echoRe + b * echoIm;
      togetherIm += b * echoRe - a * echoIm;
    }
    const together = togetherRe * togetherRe + togetherIm * togetherIm;
    return heardPower * echo > 0 ? together / (heardPower * echo) : 0;
  }

  /** The gain at which the sent sound comes back in a range of bins, as power. */
  gain(from: number, to: number): number {
    let [sent, echo] = [0, 0];
    for (let k = from; k < to; k++) {
      const power = this.#sentPower[k] as number;
      const re = this.#re[k] as number;
      const im = this.#im[k] as number;
      sent += power;
      if (power > 0) echo += (re * re + im * im) / power;
    }
    return sent > 0 ? echo / sent : 0;
  }
}
