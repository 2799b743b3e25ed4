import type { OwnVoice } from "./own-voice.ts";

/** A frame counts as the agent's own voice if the echo explains at least this share of it. */
const OWN_SHARE = 0.65;
/** Foreign voice is sought in stretches of 300 ms, because what leaks through the echo estimate is scattered. */
const STRETCH_FRAMES = 15;
/** A stretch with this much unexplained voice contains another person; with at most `NOBODY_FRAMES`, nobody. */
const SOMEBODY_FRAMES = 7;
const NOBODY_FRAMES = 2;
/** What is lost of a stretch of foreign voice with each frame that is none. */
const PAUSE_FRAMES = 0.5;
/** Minimum amount of own voice that distinguishes it from a click. */
const OWN_FRAMES = 5;
/** Decay of sounds without words: half of them are forgotten in about three seconds. */
const KEEP = 0.995;

/** Decay of what was heard over the agent's voice: keeps about five seconds. */
const KEEP_OVER_AGENT = 1 - 1 / 250;
/** A line on which the agent spoke for this long and hardly anything was heard has no echo. */
const ENOUGH_OVER_AGENT = 75;
const QUIET_SHARE = 0.15;

/** Less voice than this counts as none: a click. */
const HEARD_FRAMES = 3;
/** The longest delay of words after their sound; until then earlier sound may belong to the last text. */
const CARRIED_FRAMES = 50;
/** The usual upper bound of that delay. */
const LATE_FRAMES = 25;

/** Whose voice a stretch of sound was, and how much of it certainly was the agent's. */
export interface SoundOrigin {
  /**
   * `unsure`: no echo is known yet, too little was heard, or slightly more than the echo explains. `nobody`: no voice
   * was heard at all.
   */
  readonly whose: "mine" | "theirs" | "unsure" | "nobody";
  readonly ownFrames: number;
  /** The longest stretch of voice that the echo does not explain. */
  readonly theirFrames: number;
}

const NOBODY: SoundOrigin = { whose: "nobody", ownFrames: 0, theirFrames: 0 };

/** Judges frame by frame whose voice is heard, and keeps the evidence until its words arrive. */
export class OwnSound {
  readonly #voice: Pick<OwnVoice, "hear" | "state" | "echoes">;
  readonly #stretch = new Uint8Array(STRETCH_FRAMES);
  #at = 0;
  #theirsInStretch = 0;
  #mostTheirs = 0;
  #theirs = 0;
  #longestTheirs = 0;
  #own = 0;
  /** Voice over the agent's before an echo was found: the agent's own, if there turns out to be one. */
  #unknown = 0;
  /** Voice of either side. */
  #heard = 0;
  #before: SoundOrigin = NOBODY;
  #framesSinceForgotten = 0;
  /** Frames heard over the agent while no echo was known, and how many of them had a voice. */
  #overAgent = 0;
  #voiceOverAgent = 0;
  /** Of those, the ones since the last `forget`, and the ones before it. */
  #voiceSince = 0;
  #voiceBefore = 0;

  constructor(voice: Pick<OwnVoice, "hear" | "state" | "echoes">) {
    this.#voice = voice;
  }

  /** True if the caller's frame that ended at `endMs` holds the agent's own voice and nobody else's. */
  hear(frame: Int16Array, endMs: number, isVoice: boolean): boolean {
    const { echoes } = this.#voice;
    const isOwn = this.#voice.hear(frame, endMs) >= OWN_SHARE;
    const { state } = this.#voice;
    if (this.#voice.echoes > echoes) this.#foundEcho();
    this.#own *= KEEP;
    this.#unknown *= KEEP;
    this.#heard = this.#heard * KEEP + (isVoice ? 1 : 0);
    this.#framesSinceForgotten += 1;
    const mayBeOwn = state === "unknown" && !this.#hasNoEcho(isVoice);
    if (isVoice && mayBeOwn) this.#unknown += 1;
    else if (isVoice && isOwn) this.#own += 1;
    this.#count(isVoice && !isOwn && !mayBeOwn);
    return isOwn;
  }

  /** What was heard before an echo was found, or found at another delay, was that echo. */
  #foundEcho(): void {
    this.#own += this.#unknown + this.#mostTheirs;
    this.#unknown = 0;
    if (this.#before.whose === "theirs") this.#before = { ...this.#before, whose: "unsure" };
    this.#forgetTheirs();
  }

  #forgetTheirs(): void {
    this.#stretch.fill(0);
    this.#theirsInStretch = 0;
    this.#mostTheirs = 0;
    this.#theirs = 0;
    this.#longestTheirs = 0;
  }

  /** An echo never begins with a caller's words: if the agent was not heard before, the current voice is the caller. */
  #hasNoEcho(isVoice: boolean): boolean {
    this.#overAgent = this.#overAgent * KEEP_OVER_AGENT + 1;
    this.#voiceOverAgent = this.#voiceOverAgent * KEEP_OVER_AGENT + (isVoice ? 1 : 0);
    if (isVoice) this.#voiceSince += 1;
    return this.#overAgent >= ENOUGH_OVER_AGENT && this.#voiceOverAgent <= this.#overAgent * QUIET_SHARE;
  }

  /**
   * Whose voice was heard since the last `forget` or, while nothing was heard since, before it: words come later than
   * their sound.
   */
  get origin(): SoundOrigin {
    const mayBeOfBefore = this.#framesSinceForgotten <= LATE_FRAMES && this.#before.whose === "theirs";
    const theirFrames = this.#longestTheirs;
    if (mayBeOfBefore) {
      return {
        whose: "theirs",
        ownFrames: this.#before.ownFrames + this.#own,
        theirFrames: Math.max(theirFrames, this.#before.theirFrames),
      };
    }
    if (this.#heard >= OWN_FRAMES) return { whose: this.#whose(), ownFrames: this.#own, theirFrames };
    if (this.#before !== NOBODY && this.#framesSinceForgotten <= CARRIED_FRAMES) return this.#before;
    return this.#heard >= HEARD_FRAMES ? { whose: "unsure", ownFrames: this.#own, theirFrames } : NOBODY;
  }

  /** The last words were another person's, so their voice over the agent's says nothing about an echo. */
  wereTheirs(): void {
    const theirs = Math.min(this.#voiceOverAgent, this.#voiceBefore + this.#voiceSince);
    this.#overAgent -= theirs;
    this.#voiceOverAgent -= theirs;
    this.#voiceBefore = 0;
    this.#voiceSince = 0;
  }

  /** Their voice so far said nothing more than the words that have arrived. */
  spend(): void {
    this.#theirs = 0;
    this.#longestTheirs = 0;
    this.#before = { ...this.#before, theirFrames: 0 };
  }

  /** Forgets the sound whose words have arrived. */
  forget(): void {
    this.#voiceBefore = this.#voiceSince;
    this.#voiceSince = 0;
    this.#before = this.origin;
    this.#framesSinceForgotten = 0;
    this.#own = 0;
    this.#unknown = 0;
    this.#heard = 0;
    this.#forgetTheirs();
  }

  #whose(): SoundOrigin["whose"] {
    if (this.#mostTheirs >= SOMEBODY_FRAMES) return "theirs";
    return this.#own >= OWN_FRAMES && this.#mostTheirs <= NOBODY_FRAMES ? "mine" : "unsure";
  }

  #count(isTheirs: boolean): void {
    const flag = isTheirs ? 1 : 0;
    this.#theirsInStretch += flag - (this.#stretch[this.#at] as number);
    this.#stretch[this.#at] = flag;
    this.#at = (this.#at + 1) % STRETCH_FRAMES;
    this.#mostTheirs = Math.max(this.#mostTheirs, this.#theirsInStretch);
    this.#theirs = isTheirs ? this.#theirs + 1 : Math.max(0, this.#theirs - PAUSE_FRAMES);
    this.#longestTheirs = Math.max(this.#longestTheirs, this.#theirs);
  }
}
