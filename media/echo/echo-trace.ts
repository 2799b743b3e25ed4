import { FRAME_MS } from "../pcm.ts";
import { LagSpectra, newCrossSpectrum } from "./lag-spectra.ts";
import { SentWaveform } from "./sent-waveform.ts";

/** Longest delay of an echo after the voice was played. */
const LONGEST_LAG_MS = 400;
/** Waveforms that meet this sharply are one sound; over few frames, any two do. */
const SHARP = 0.22;
const SHARP_OF_FEW = 1.2;
/** They meet this much more sharply than at other delays, as those of two voices hardly ever do. */
const STANDS_OUT = 2;
/** The same, sooner and less surely. */
const MAY_STAND_OUT = 1.5;
const FEWEST_FRAMES = 4;
/** Two voices may begin alike, above all two of one synthesizer: for so many frames nothing is sure. */
const SURE_FRAMES = 9;
/** Looks in a row that must find the same delay. */
const SURE_LOOKS = 2;
const SAME_DELAY_MS = 3;
/** Every how manieth lag away from the likeliest is compared with it. */
const OTHERS_STEP = 5;
/** A window covers this many lags. */
const NEAR_LAGS = 3;
/** The echo is lost after this many looks that do not find it. */
const LOST_LOOKS = 8;
/** The share of the power that any sound seems to have in common with the sent one, divided by the frames. */
const CHANCE_SHARE = 2;

/** Frames that are the agent's by this share or more teach the path of its echo. */
const TEACHING_SHARE = 0.5;
/** How what is known of the path fades, from one frame that teaches it to the next: two seconds are remembered. */
const KEEP_PATH = 0.98;
/** The path is known after so many of them. */
const KNOWN_FRAMES = 6;

/** What began alike goes on alike: the last frame is the agent's by this share. */
const STILL_OWN = 0.2;

/** Where and how strongly the agent's waveform comes back. */
interface FoundTrace {
  /** After its playing time. */
  readonly delayMs: number;
}

/**
 * Finds the agent's own voice in the caller's sound by its waveform, which no other voice has: a fifth of a second is
 * enough, and a caller who talks over it does not hide it. Costs nothing while nothing is audible.
 */
export class EchoTrace {
  readonly #leadMs: number;
  readonly #sent = new SentWaveform();
  /** Created with the first audible frame: most calls never need it. */
  #spectra: LagSpectra | undefined;
  #delayMs = 0;
  #sureLooks = 0;
  #lostLooks = LOST_LOOKS;
  #lag = 0;
  #found: FoundTrace | undefined;
  #isPossible = false;
  #share = 0;
  /** The echo's path, which outlasts a pause: lag 0 is what is played right now. */
  readonly #path = newCrossSpectrum();
  #pathLag = 0;
  #pathFrames = 0;

  constructor(leadMs: number) {
    this.#leadMs = leadMs;
  }

  /** The echo in the sound of the last half second, once it is sure. */
  get found(): FoundTrace | undefined {
    return this.#found;
  }

  /** True if the sound resembles the agent's, but not surely. */
  get isPossible(): boolean {
    return this.#isPossible && this.#found === undefined;
  }

  /** The share of the last frames that is surely the agent's, from 0 to 1. */
  get share(): number {
    return this.#share;
  }

  /** The gain at which the echo comes back in a range of frequencies, as power. */
  gain(fromHz: number, toHz: number): number {
    return this.#spectra?.gain(this.#lag, fromHz, toHz) ?? 0;
  }

  /** Takes each 20 ms frame of the agent as it was sent; the frame plays at `playAtMs`. */
  sent(frame: Int16Array, playAtMs: number): void {
    this.#sent.write(playAtMs, frame);
  }

  /** Forgets what was heard: the agent begins anew. */
  reset(): void {
    this.#spectra?.reset();
    this.#lose();
  }

  /** Takes the caller's frame that ended at `endMs`; the app plays `behindMs` late. Returns true if it was compared. */
  hear(
    frame: Int16Array,
    { endMs, behindMs, isHeard }: { endMs: number; behindMs: number; isHeard: boolean },
  ): boolean {
    if (!isHeard) this.#share = 0;
    if (!isHeard && !this.#spectra) return false;
    this.#spectra ??= new LagSpectra(this.#sent, (this.#leadMs + LONGEST_LAG_MS) / FRAME_MS + 1);
    const leadMs = this.#leadMs - behindMs;
    const isCompared = this.#spectra.push(frame, { endMs, leadMs, isHeard });
    if (!isCompared) return false;
    this.#look(this.#spectra, behindMs);
    this.#share = this.#found ? shareOf(this.#spectra, this.#lag) : 0;
    this.#followPath(this.#spectra, leadMs / FRAME_MS);
    return true;
  }

  /** What came back once over a path comes back over it again, after however long a pause. */
  #followPath(spectra: LagSpectra, lagOfNow: number): void {
    const lag = this.#pathLag + lagOfNow;
    const isKnown = this.#pathFrames >= KNOWN_FRAMES && lag >= 0 && lag < spectra.lags;
    const share = isKnown ? spectra.shareBy(this.#path, lag) : 0;
    if (this.#found && this.#share >= TEACHING_SHARE) {
      const pathLag = this.#lag - lagOfNow;
      if (pathLag !== this.#pathLag) {
        this.#path.reset();
        this.#pathFrames = 0;
      }
      this.#pathLag = pathLag;
      this.#pathFrames += 1;
      spectra.teach(this.#path, this.#lag, KEEP_PATH);
    }
    this.#share = Math.max(this.#share, share);
  }

  #look(spectra: LagSpectra, behindMs: number): void {
    // After a gap in the sound nothing is remembered.
    if (spectra.frames < SURE_FRAMES) this.#found = undefined;
    if (spectra.frames < FEWEST_FRAMES) return;
    const lag = spectra.likeliest();
    const { peak, offsetMs } = spectra.peak(lag);
    const delayMs = lag * FRAME_MS - this.#leadMs + behindMs + offsetMs;
    const isSame = Math.abs(delayMs - this.#delayMs) <= SAME_DELAY_MS;
    this.#delayMs = delayMs;
    const isSharp = peak >= SHARP + SHARP_OF_FEW / spectra.frames;
    this.#isPossible = peak >= SHARP;
    const share = shareOf(spectra, lag);
    const isSure = spectra.frames >= SURE_FRAMES && share >= STILL_OWN;
    const isFound = isSharp && isSure && this.#standsOut(spectra, lag, peak, isSame);
    if (!isFound || !isSame) this.#sureLooks = 0;
    if (isFound) this.#sureLooks += 1;
    if (this.#sureLooks >= SURE_LOOKS) {
      this.#found = { delayMs };
      this.#lag = lag;
      this.#lostLooks = 0;
    } else if (++this.#lostLooks >= LOST_LOOKS) this.#found = undefined;
  }

  #standsOut(spectra: LagSpectra, lag: number, peak: number, isSame: boolean): boolean {
    // What was found stays so while it is as sharp.
    if (isSame && this.#sureLooks >= SURE_LOOKS) return true;
    let others = 0;
    for (let other = lag % OTHERS_STEP; other < spectra.lags; other += OTHERS_STEP) {
      if (Math.abs(other - lag) > NEAR_LAGS) others = Math.max(others, spectra.peak(other).peak);
    }
    this.#isPossible &&= peak >= others * MAY_STAND_OUT;
    return peak >= others * STANDS_OUT;
  }

  #lose(): void {
    this.#found = undefined;
    this.#share = 0;
    this.#isPossible = false;
    this.#sureLooks = 0;
    this.#lostLooks = LOST_LOOKS;
  }
}

/** The share of the last frame that is the agent's, less what any sound has in common with it. */
function shareOf(spectra: LagSpectra, lag: number): number {
  const chance = Math.min(0.9, CHANCE_SHARE / spectra.frames);
  return Math.max(0, (spectra.share(lag) - chance) / (1 - chance));
}
