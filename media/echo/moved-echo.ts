import { LIKELY_SAME_VOICE, MAYBE_SAME_VOICE, SAME_VOICE, SURE_BINS, SURE_FRAMES } from "./alike.ts";
import { BIN_MS, BINS_A_FRAME } from "./band-levels.ts";
import { LagCorrelation } from "./lag-correlation.ts";

/** The search begins when this many of the last OF_FRAMES frames are not explained by the known echo, though no louder. */
const UNEXPLAINED_FRAMES = 2;
const OF_FRAMES = 8;
const EXPLAINED = 0.65;
/** Frames in a row in which the sound is most like the agent's at a delay that is not known. */
const ELSEWHERE_FRAMES = 2;
/** How long a moved echo is sought. */
const SOUGHT_BINS = 1_500 / BIN_MS;
/** Frames in a row in which a moved echo is likely. */
const LIKELY_FRAMES = 4;
/** An echo begins to show within this long after it moved. */
const BEGINS_BINS = 400 / BIN_MS;
const SAME_LAG_BINS = 2;
/** A moved echo is about as loud as before: within 6 dB, as power. */
const SAME_GAIN = 4;

/** What the known echo leaves of a frame. */
export interface LeftOver {
  /** The share of the frame that the echo explains. */
  readonly explained: number;
  readonly isHeard: boolean;
  /** The sound is louder than the echo: a person talks over it. */
  readonly isLouder: boolean;
  /** The sound of the last seconds is most like the agent's at a delay that is not known. */
  readonly isElsewhere: boolean;
}

/** Levels heard in a bin, and those sent at each lag; see `LagCorrelation.push`. */
export interface BinOfSound {
  readonly heard: Float64Array;
  readonly sent: Float64Array;
  readonly from: number;
}

/**
 * Seeks a known echo that comes at another delay of a sudden, because the caller's device changed its loudspeaker or its
 * buffer. Compares the sound from there on only: what was heard before belongs to the old delay, and would hide the new
 * one for more than a second, in which the agent takes its own words for the caller's. Costs nothing while the known
 * echo explains what is heard.
 */
export class MovedEcho {
  readonly correlation: LagCorrelation;
  #unexplained = 0;
  #elsewhereFrames = 0;
  /** Bins since the search began; undefined while nothing is sought. */
  #bins: number | undefined;
  #heardBins = 0;
  #alikeFrames = 0;
  #alikeIndex = 0;
  #isPossible = false;
  #likelyFrames = 0;

  /** `lags`: how many delays are compared. */
  constructor(lags: number) {
    this.correlation = new LagCorrelation(lags);
  }

  /** True while the sound resembles the agent's at another delay than the known one. */
  get isPossible(): boolean {
    return this.#isPossible || (this.#bins !== undefined && this.#bins <= BEGINS_BINS);
  }

  /** True if the resemblance is long and close enough to treat the sound as the echo. */
  get isLikely(): boolean {
    return this.#likelyFrames >= LIKELY_FRAMES;
  }

  /** Takes each bin of sound, as the correlation does. */
  push({ heard, sent, from }: BinOfSound, isHeard: boolean): void {
    if (this.#bins === undefined) return;
    this.#bins += 1;
    if (isHeard) this.#heardBins += 1;
    this.correlation.push(heard, sent, from);
  }

  /**
   * Takes what is left of each frame. `gain` is the known echo's, as power. Returns the index of the delay at which the
   * echo comes now, once that is sure.
   */
  seek(left: LeftOver, gain: number, isKnown: (index: number) => boolean): number | undefined {
    this.#isPossible = false;
    if (left.isLouder) this.end();
    else if (this.#bins === undefined) this.#mayBegin(left);
    else if (this.#bins > SOUGHT_BINS) this.end();
    else return this.#look(gain, isKnown);
    return undefined;
  }

  end(): void {
    this.#bins = undefined;
    this.#unexplained = 0;
    this.#elsewhereFrames = 0;
    this.#isPossible = false;
    this.#likelyFrames = 0;
  }

  #mayBegin({ explained, isHeard, isElsewhere }: LeftOver): void {
    const flag = isHeard && explained < EXPLAINED ? 1 : 0;
    this.#unexplained = ((this.#unexplained << 1) | flag) & ((1 << OF_FRAMES) - 1);
    this.#elsewhereFrames = isElsewhere ? this.#elsewhereFrames + 1 : 0;
    const isMissing = countOf(this.#unexplained) >= UNEXPLAINED_FRAMES;
    if (!isMissing && this.#elsewhereFrames < ELSEWHERE_FRAMES) return;
    this.correlation.reset();
    this.#bins = 0;
    this.#heardBins = 0;
    this.#alikeFrames = 0;
  }

  #look(gain: number, isKnown: (index: number) => boolean): number | undefined {
    const { index, correlation } = this.correlation.likeliest();
    const now = this.correlation.gainOfAll(index);
    const isAsLoud = now <= gain * SAME_GAIN && gain <= now * SAME_GAIN;
    const isEnough = this.#heardBins >= SURE_BINS;
    const isSame = Math.abs(index - this.#alikeIndex) <= SAME_LAG_BINS;
    this.#alikeIndex = index;
    const isAlike = isAsLoud && isEnough && isSame && correlation >= SAME_VOICE;
    this.#alikeFrames = isAlike ? this.#alikeFrames + 1 : 0;
    const isNew = isAsLoud && this.#heardBins >= BINS_A_FRAME * OF_FRAMES && !isKnown(index);
    this.#isPossible = isNew && correlation >= MAYBE_SAME_VOICE;
    const isLikely = isNew && isSame && correlation >= LIKELY_SAME_VOICE;
    this.#likelyFrames = isLikely ? this.#likelyFrames + 1 : 0;
    if (this.#alikeFrames < SURE_FRAMES) return undefined;
    this.end();
    return index;
  }
}

function countOf(flags: number): number {
  let count = 0;
  for (let left = flags; left !== 0; left &= left - 1) count += 1;
  return count;
}
