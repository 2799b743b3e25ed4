/** Options of a playout buffer. */
export interface PlayoutOptions {
  readonly sampleRateHz: number;
  /** Audio gathered before playback starts, so that late packets do not tear holes. */
  readonly prebufferMs: number;
  /** Most audio held; beyond it, the oldest is dropped, so the call never lags behind. */
  readonly capacityMs: number;
}

/** Defaults for a call: the gateway sends about 200 ms ahead, so little buffering is needed. */
export const CALL_PLAYOUT = { prebufferMs: 60, capacityMs: 10_000 } as const;

/** Limit of marks and turn starts waiting for their sample. */
const MAX_CUES = 512;
/** Fades out the last sample when audio stops abruptly, which would click (about 3 ms at 16 kHz). */
const TAIL_DECAY = 0.92;
const FULL_SCALE = 32_768;

type Cue = { readonly at: number } & (
  | { readonly kind: "mark"; readonly name: string }
  | { readonly kind: "turn" }
);

/**
 * The loudspeaker's jitter buffer: a ring of samples with marks and turn starts at sample positions. Counts
 * the samples of the current agent turn actually rendered, which the call socket's answer to `clear` reports.
 * Pure: driven by the worklet, the fallback player and tests.
 */
export class PlayoutBuffer {
  readonly #ring: Int16Array;
  readonly #prebufferSamples: number;
  #writeAt = 0;
  #readAt = 0;
  #cues: Cue[] = [];
  #playing = false;
  #ranDry = false;
  #waitedSamples = 0;
  #heardSamples = 0;
  #underruns = 0;
  #droppedSamples = 0;
  #tail = 0;

  constructor(options: PlayoutOptions) {
    this.#ring = new Int16Array(Math.ceil((options.sampleRateHz * options.capacityMs) / 1000));
    this.#prebufferSamples = Math.ceil((options.sampleRateHz * options.prebufferMs) / 1000);
  }

  get bufferedSamples(): number {
    return this.#writeAt - this.#readAt;
  }

  /** True while agent audio plays, false in gaps. */
  get playing(): boolean {
    return this.#playing;
  }

  /** How often one turn's audio stopped because the next part was late. */
  get underruns(): number {
    return this.#underruns;
  }

  get droppedSamples(): number {
    return this.#droppedSamples;
  }

  push(samples: Int16Array): void {
    if (this.#ranDry && !this.#cues.some((cue) => cue.kind === "turn")) this.#underruns += 1;
    this.#ranDry = false;
    const kept = samples.length > this.#ring.length ? samples.subarray(-this.#ring.length) : samples;
    for (const sample of kept) {
      this.#ring[this.#writeAt % this.#ring.length] = sample;
      this.#writeAt += 1;
    }
    const overflow = this.bufferedSamples - this.#ring.length;
    if (overflow > 0) this.#skip(overflow);
    this.#droppedSamples += Math.max(0, overflow) + samples.length - kept.length;
  }

  /** Requests a report when everything pushed so far has been rendered. */
  mark(name: string): void {
    this.#addCue({ at: this.#writeAt, kind: "mark", name });
  }

  /** Audio pushed from here on belongs to a new agent turn. */
  startTurn(): void {
    this.#addCue({ at: this.#writeAt, kind: "turn" });
  }

  /**
   * Drops buffered audio and its marks, which were never heard.
   * @returns rendered samples of the current turn; 0 when its first one was still waiting
   */
  clear(): number {
    const heard = this.#cues.some((cue) => cue.kind === "turn") ? 0 : this.#heardSamples;
    this.#readAt = this.#writeAt;
    this.#cues = [];
    this.#stop();
    this.#ranDry = false;
    this.#heardSamples = heard;
    return heard;
  }

  /**
   * Fills `out` (-1 to 1) with the samples due, or silence.
   * @returns the names of the marks reached
   */
  render(out: Float32Array): string[] {
    if (!this.#playing) this.#maybeStart(out.length);
    const count = this.#playing ? Math.min(out.length, this.bufferedSamples) : 0;
    for (let i = 0; i < count; i++) {
      out[i] = (this.#ring[(this.#readAt + i) % this.#ring.length] ?? 0) / FULL_SCALE;
    }
    if (count > 0) this.#tail = out[count - 1] ?? 0;
    for (let i = count; i < out.length; i++) {
      this.#tail *= TAIL_DECAY;
      out[i] = this.#tail;
    }
    const reached = this.#advance(count);
    if (this.#playing && this.bufferedSamples === 0) {
      this.#stop();
      this.#ranDry = true;
    }
    return reached;
  }

  #addCue(cue: Cue): void {
    this.#cues.push(cue);
    if (this.#cues.length > MAX_CUES) this.#cues.shift();
  }

  /** Skipped audio takes its marks with it, as it was not heard. */
  #skip(samples: number): void {
    this.#readAt += samples;
    this.#cues = this.#cues.filter((cue) => cue.kind === "turn" || cue.at > this.#readAt);
  }

  /** A turn's tail may be shorter than the prebuffer, so waiting that long is enough too. */
  #maybeStart(aheadSamples: number): void {
    if (this.bufferedSamples === 0) return;
    this.#playing =
      this.bufferedSamples >= this.#prebufferSamples || this.#waitedSamples >= this.#prebufferSamples;
    this.#waitedSamples += aheadSamples;
  }

  #stop(): void {
    this.#playing = false;
    this.#waitedSamples = 0;
  }

  #advance(count: number): string[] {
    const end = this.#readAt + count;
    const reached: string[] = [];
    let heardFrom = this.#readAt;
    let next = this.#cues[0];
    while (next !== undefined && (next.at < end || (next.at === end && next.kind === "mark"))) {
      if (next.kind === "mark") reached.push(next.name);
      else {
        this.#heardSamples = 0;
        heardFrom = Math.max(next.at, this.#readAt);
      }
      this.#cues.shift();
      next = this.#cues[0];
    }
    this.#heardSamples += end - heardFrom;
    this.#readAt = end;
    return reached;
  }
}
