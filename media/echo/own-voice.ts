import { LIKELY_SAME_VOICE, MAYBE_SAME_VOICE, SAME_VOICE, SURE_BINS, SURE_FRAMES } from "./alike.ts";
import { BANDS, BandLevels, BIN_MS, BINS_A_FRAME } from "./band-levels.ts";
import { EchoLevel } from "./echo-level.ts";
import { EchoTrace } from "./echo-trace.ts";
import { LagCorrelation } from "./lag-correlation.ts";
import { magnitudeOf } from "./magnitude.ts";
import { MovedEcho } from "./moved-echo.ts";
import { SentLevels } from "./sent-levels.ts";

/** Longest delay of an echo after the voice was played: a room, a loudspeaker's buffer, a network. */
const LONGEST_LAG_MS = 400;
/** An app may play audio earlier than requested, and a tick may be late. */
const EARLY_SLACK_MS = 80;
/** How long a room keeps sounding. */
const ROOM_MS = 200;
/** Frames in a row in which an echo is likely. */
const LIKELY_FRAMES = 15;
/** Number of delays kept, since an app's buffer or a network alternates between a few. */
const KEPT_LAGS = 3;
/** Sound that starts after the agent was inaudible for this long is compared from its start: a loudspeaker came on. */
const ONSET_BINS = 250 / BIN_MS;
/**
 * Over so short a stretch, two voices are alike by chance in one of twelve beginnings. For half a second after a
 * beginning, only near-identical sound is an echo; from one second on, the usual likeness is enough. Until then nothing
 * counts as an echo that comes back as loud as a caller: less than 6 dB softer than it was sent, as power.
 */
const ONSET_LOUDEST = 0.25;
const ONSET_SAME_VOICE = 0.99;
const ONSET_STRICT_BINS = 500 / BIN_MS;
const ONSET_OVER_BINS = 1_000 / BIN_MS;
/** The agent counts as loud from -40 dBFS. */
const LOUD = 1e-4;
/** Decay that defines what counts as recent. */
const KEEP = 1 - 1 / (600 / BIN_MS);
/** Envelopes this different are two voices; after enough of them, nothing is left of a known echo. */
const OTHER_VOICE = 0.4;
const DOUBT_FRAMES = 3_000 / (BIN_MS * BINS_A_FRAME);
/** Sound this much above the line's own noise is audible. */
const OVER_NOISE = 4;
/** Mean noise relative to its softest moments. */
const NOISE_MEAN = 2;
/** The line's noise estimate rises by 1.5 dB per second and falls at once. */
const NOISE_RISE = 10 ** (0.15 * (BIN_MS / 1_000));
/** Delays are relative to the app's real playback, which is tracked in steps of this. */
const BEHIND_STEP_MS = 100;
/** Sound this much like the agent's at a delay that is not known is reason to seek a moved echo. */
const MOVED_SAME_VOICE = 0.3;
/** Lags this close to the current one are the same; a room smears an echo by as much. */
const SAME_LAG_BINS = 2;
/** Delay uncertainty after each start of the agent, whose app may buffer differently, until the echo is seen. */
const BUFFER_BINS = 150 / BIN_MS;

/** Where the waveform shows a band's gain, low to high. */
const TRACED_HZ = [
  [250, 600],
  [600, 1_600],
  [1_600, 1_900],
] as const;
/** Sound that is the agent's by this share or more teaches how loud the echo is. */
const MOSTLY_OWN = 0.5;

/** `silent`: nothing of the agent's can come back now. `unknown`: something can, but no echo was found yet. */
export type EchoState = "silent" | "unknown" | "known";

export interface OwnVoiceOptions {
  /** How far ahead of its playing time agent audio is sent. */
  readonly leadMs: number;
  /** How late the caller's app really plays, as far as it tells. */
  readonly behindMs: () => number;
}

/**
 * Tells the agent's own voice, returned into the caller's microphone, from the caller's. Finds the delay at which the
 * envelope of the heard sound matches that of the played one, learns how much softer the voice comes back, and calls
 * whatever that explains own voice. Anything louder belongs to another person, even while the echo goes on. Costs
 * nothing while the agent is silent.
 */
export class OwnVoice {
  readonly #options: OwnVoiceOptions;
  readonly #sent = new SentLevels();
  readonly #sentBands = new BandLevels();
  readonly #heardBands = new BandLevels();
  readonly #firstLag: number;
  readonly #lags: number;
  readonly #correlation: LagCorrelation;
  readonly #powers = new Float64Array(BANDS);
  readonly #magnitudes = new Float64Array(BANDS);
  readonly #loudestSent = new Float64Array(BANDS);
  readonly #level = new EchoLevel();
  readonly #moved: MovedEcho;
  readonly #trace: EchoTrace;
  /** The known echo's gain over all bands, as power. */
  #gain = 0;
  #isHeard = false;
  #isElsewhere = false;
  readonly #noise = new Float64Array(BANDS).fill(Number.POSITIVE_INFINITY);
  /** Start of the lag window, according to the app's own delay. */
  #behindBins = 0;
  /** The echo's delay in bins. */
  #lag: number | undefined;
  /** Previous delays of the echo. */
  #otherLags: readonly number[] = [];
  #echoes = 0;
  #maybeEcho = false;
  #likelyFrames = 0;
  /** Recent bins with audible sound. */
  #voiceBins = 0;
  /** Bins since the last audible sound in which the agent was loud. */
  #unansweredBins = 0;
  /** Bins since the current sound began after the agent was inaudible. */
  #onsetBins: number | undefined;
  #lagSlackBins = SAME_LAG_BINS;
  #alikeFrames = 0;
  #alikeLag = 0;
  #doubtFrames = 0;
  #isSuspected = false;
  #state: EchoState = "silent";

  constructor(options: OwnVoiceOptions) {
    this.#options = options;
    this.#firstLag = -Math.round((options.leadMs + EARLY_SLACK_MS) / BIN_MS);
    this.#lags = LONGEST_LAG_MS / BIN_MS - this.#firstLag + 1;
    this.#correlation = new LagCorrelation(this.#lags);
    this.#moved = new MovedEcho(this.#lags);
    this.#trace = new EchoTrace(options.leadMs);
  }

  get state(): EchoState {
    return this.#state;
  }

  /** The echo's delay after its playing time, once known. */
  get delayMs(): number | undefined {
    return this.#lag === undefined ? undefined : this.#lag * BIN_MS;
  }

  /** How often an echo was found, or found at another delay. */
  get echoes(): number {
    return this.#echoes;
  }

  /** True if the current sound resembles the agent's voice at a delay that is not known. */
  get maybeEcho(): boolean {
    if (this.#state === "silent") return false;
    return this.#maybeEcho || this.#moved.isPossible || this.#trace.isPossible;
  }

  /** True if the resemblance is long and close enough to treat the agent's words as an echo's. */
  get isLikelyEcho(): boolean {
    if (this.#state === "silent") return false;
    return this.#moved.isLikely || (this.#maybeEcho && this.#likelyFrames >= LIKELY_FRAMES);
  }

  /** How long ago the current sound began, on a line where nothing of the agent was heard just before. */
  get sinceOnsetMs(): number | undefined {
    return this.#onsetBins === undefined ? undefined : this.#onsetBins * BIN_MS;
  }

  /** Takes each 20 ms frame of the agent as it was sent; the frame plays at `playAtMs`. */
  sent(frame: Int16Array, playAtMs: number): void {
    this.#sent.write(playAtMs, this.#sentBands.push(frame));
    this.#trace.sent(frame, playAtMs);
  }

  /**
   * Takes the caller's 20 ms frame that ended at `endMs`. Returns how much of it is the agent's own voice, from 0 to 1;
   * 0 while unknown.
   */
  hear(frame: Int16Array, endMs: number): number {
    const firstBin = Math.round(endMs / BIN_MS) - BINS_A_FRAME;
    if (!this.#mayReturn(firstBin)) return 0;
    const powers = this.#heardBands.push(frame);
    let explainedBins = 0;
    let isHeard = false;
    for (let i = 0; i < BINS_A_FRAME; i++) {
      for (let band = 0; band < BANDS; band++) this.#powers[band] = powers[i * BANDS + band] as number;
      explainedBins += this.#hearBin(this.#powers, firstBin + i);
      isHeard ||= this.#isHeard;
    }
    this.#look();
    if (this.#trace.hear(frame, { endMs, behindMs: this.#behindBins * BIN_MS, isHeard })) this.#followTrace();
    const explained = Math.max(explainedBins / BINS_A_FRAME, this.#trace.share);
    if (this.#state === "known") this.#followMove(explained);
    else this.#moved.end();
    if (this.isLikelyEcho) return 1;
    if (this.#state === "known") return explained;
    return this.#isSuspected ? 1 : 0;
  }

  /** True if any of the agent's audio may still sound in the caller's room. */
  #mayReturn(bin: number): boolean {
    const latest = this.#behindBins + (LONGEST_LAG_MS + ROOM_MS) / BIN_MS;
    if (bin - this.#sent.lastAudibleBin <= latest) {
      if (this.#state === "silent") this.#begin();
      return true;
    }
    this.#state = "silent";
    return false;
  }

  #begin(): void {
    const behindBins = Math.floor(this.#options.behindMs() / BEHIND_STEP_MS) * (BEHIND_STEP_MS / BIN_MS);
    this.#behindBins = behindBins;
    this.#correlation.reset();
    this.#moved.end();
    this.#trace.reset();
    this.#voiceBins = 0;
    this.#alikeFrames = 0;
    this.#unansweredBins = 0;
    this.#onsetBins = undefined;
    this.#lagSlackBins = BUFFER_BINS;
    this.#state = this.#lag === undefined ? "unknown" : "known";
  }

  /** Returns the share of the bin that the echo explains. */
  #hearBin(powers: Float64Array, bin: number): number {
    const last = bin - this.#firstLag - this.#behindBins;
    let isHeard = false;
    for (let band = 0; band < BANDS; band++) {
      const power = powers[band] as number;
      const noise = Math.min(power, (this.#noise[band] as number) * NOISE_RISE);
      this.#noise[band] = noise;
      if (power > noise * OVER_NOISE) isHeard = true;
      this.#magnitudes[band] = magnitudeOf(power);
    }
    this.#isHeard = isHeard;
    this.#followOnset(isHeard, bin);
    this.#voiceBins = this.#voiceBins * KEEP + (isHeard ? 1 : 0);
    const { magnitudes } = this.#sent;
    const from = this.#sent.indexOf(last);
    this.#correlation.push(this.#magnitudes, magnitudes, from);
    this.#moved.push({ heard: this.#magnitudes, sent: magnitudes, from }, isHeard);
    if (this.#lag === undefined) return 0;
    return this.#level.explain({ heard: powers, noise: this.#noise }, this.#loudest(bin, this.#lag));
  }

  #followOnset(isHeard: boolean, bin: number): void {
    if (this.#onsetBins !== undefined) this.#onsetBins += 1;
    if (isHeard && this.#unansweredBins > ONSET_BINS) {
      this.#correlation.reset();
      this.#voiceBins = 0;
      this.#onsetBins = 0;
    }
    if (isHeard) this.#unansweredBins = 0;
    else if (this.#isAgentLoud(bin)) this.#unansweredBins += 1;
  }

  get #isOnset(): boolean {
    return (this.#onsetBins ?? ONSET_OVER_BINS) < ONSET_OVER_BINS;
  }

  /** The required likeness of envelopes of one voice, given how much there is to compare. */
  get #sameVoice(): number {
    const bins = this.#onsetBins ?? ONSET_OVER_BINS;
    const rest = (ONSET_OVER_BINS - bins) / (ONSET_OVER_BINS - ONSET_STRICT_BINS);
    return SAME_VOICE + (ONSET_SAME_VOICE - SAME_VOICE) * Math.min(1, Math.max(0, rest));
  }

  #isAgentLoud(bin: number): boolean {
    const at = bin - this.#behindBins;
    for (let band = 0; band < BANDS; band++) if (this.#sent.loudest(band, at, at) > LOUD) return true;
    return false;
  }

  /** The loudest sent power per band over the times that may be heard in a bin. */
  #loudest(bin: number, lag: number): Float64Array {
    const slack = this.#lagSlackBins;
    for (let band = 0; band < BANDS; band++) {
      let loudest = this.#sent.loudest(band, bin - lag - slack, bin - lag + slack);
      for (const other of this.#otherLags) {
        const from = bin - other - SAME_LAG_BINS;
        loudest = Math.max(loudest, this.#sent.loudest(band, from, from + 2 * SAME_LAG_BINS));
      }
      this.#loudestSent[band] = loudest;
    }
    return this.#loudestSent;
  }

  /** Finds the echo, follows it when it moves, and learns how loud it is. */
  #look(): void {
    const { index, correlation } = this.#correlation.likeliest();
    const lag = this.#firstLag + this.#behindBins + index;
    const mayBeEcho = !this.#isOnset || this.#correlation.gainOfAll(index) <= ONSET_LOUDEST;
    const isAlike = mayBeEcho && correlation >= this.#sameVoice;
    const isSame = Math.abs(lag - this.#alikeLag) <= SAME_LAG_BINS;
    this.#alikeLag = lag;
    this.#maybeEcho = mayBeEcho && correlation >= MAYBE_SAME_VOICE && !this.#isKnownLag(lag);
    const isLikely = mayBeEcho && correlation >= LIKELY_SAME_VOICE && isSame && this.#voiceBins >= SURE_BINS;
    this.#likelyFrames = isLikely ? this.#likelyFrames + 1 : 0;
    this.#isElsewhere =
      correlation >= MOVED_SAME_VOICE && this.#voiceBins >= SURE_BINS && !this.#isKnownLag(lag);
    this.#isSuspected = isAlike && this.#voiceBins < SURE_BINS;
    this.#alikeFrames = isAlike && isSame && this.#voiceBins >= SURE_BINS ? this.#alikeFrames + 1 : 0;
    if (this.#alikeFrames < SURE_FRAMES) this.#doubt(correlation);
    else this.#learn(lag, index, this.#correlation);
  }

  /** Follows a known echo that comes at another delay of a sudden. */
  #followMove(explained: number): void {
    const left = {
      explained,
      isHeard: this.#isHeard,
      isLouder: this.#level.isLouder,
      isElsewhere: this.#isElsewhere,
    };
    const lagOf = (index: number): number => this.#firstLag + this.#behindBins + index;
    const index = this.#moved.seek(left, this.#gain, (found) => this.#isKnownLag(lagOf(found)));
    if (index !== undefined) this.#learn(lagOf(index), index, this.#moved.correlation);
  }

  /** The waveform is the agent's: that is surer than its envelope, and sooner. */
  #followTrace(): void {
    const { found } = this.#trace;
    if (found === undefined) return;
    const lag = Math.round(found.delayMs / BIN_MS);
    const index = lag - this.#firstLag - this.#behindBins;
    if (index < 0 || index >= this.#lags) return;
    if (!this.#isKnownLag(lag)) {
      this.#moveTo(lag);
      for (const [band, [fromHz, toHz]] of TRACED_HZ.entries()) {
        this.#level.learn(band, this.#trace.gain(fromHz, toHz), true);
      }
      this.#gain = this.#trace.gain(0, TRACED_HZ[BANDS - 1]?.[1] ?? 0);
      this.#state = "known";
    } else if (this.#trace.share >= MOSTLY_OWN) this.#learn(lag, index, this.#correlation);
    this.#doubtFrames = 0;
  }

  #moveTo(lag: number): void {
    const before = this.#lag;
    const others = before === undefined ? [] : [before, ...this.#otherLags];
    this.#otherLags = others.filter((other) => Math.abs(other - lag) > SAME_LAG_BINS).slice(0, KEPT_LAGS - 1);
    this.#lag = lag;
    this.#lagSlackBins = SAME_LAG_BINS;
    this.#echoes += 1;
  }

  #learn(lag: number, index: number, correlation: LagCorrelation): void {
    this.#doubtFrames = 0;
    const before = this.#lag;
    const isNew = before === undefined || Math.abs(lag - before) > SAME_LAG_BINS;
    if (isNew) this.#moveTo(lag);
    this.#lagSlackBins = SAME_LAG_BINS;
    this.#gain = correlation.gainOfAll(index);
    for (let band = 0; band < BANDS; band++) {
      const noise = (this.#noise[band] as number) * NOISE_MEAN;
      this.#level.learn(band, correlation.gain(band, index, noise), isNew);
    }
    this.#state = "known";
  }

  /** Drops a supposed echo that never matches again. */
  #doubt(correlation: number): void {
    if (this.#lag === undefined || correlation >= OTHER_VOICE || this.#voiceBins < SURE_BINS) return;
    if (this.#level.isHidden) return;
    this.#doubtFrames += 1;
    if (this.#doubtFrames < DOUBT_FRAMES) return;
    this.#lag = undefined;
    this.#otherLags = [];
    this.#state = "unknown";
  }

  #isKnownLag(lag: number): boolean {
    const isNear = (known: number): boolean => Math.abs(lag - known) <= SAME_LAG_BINS;
    return (this.#lag !== undefined && isNear(this.#lag)) || this.#otherLags.some(isNear);
  }
}
