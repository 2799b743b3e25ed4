import { levelDb } from "../sounds/level.ts";
import { decimated, POINTS, type SentTimeline } from "./sent-timeline.ts";

/** Likeness (normalized correlation) above which a frame counts as the sent one. */
const SAME = 0.5;
/** A position is searched again with this many frames, which must be this alike. */
const SEARCH_FRAMES = 5;
const FOUND = 0.6;
/** A single frame elsewhere must be this alike, and no farther away than this. */
const SURELY_SAME = 0.9;
const NEAR_FRAMES = 60;
const MOST_SEARCH_FRAMES = 40;
/** How far back to look for late audio. */
const LOOK_BACK_POINTS = POINTS * 100;
/** A filter may shift audio by this much without losing the position. */
const DRIFT_POINTS = 3;
const QUIET_DB = -52;
const MISSING_DB = 20;
/** Audio louder than everything sent is something else. */
const LOUDER_DB = 6;
/** Most silent frames inserted into a word before it becomes unintelligible. */
const MAX_HOLE_FRAMES = 3;
const MIN_SHARE = 0.6;

/**
 * Finds which sent frames reached a recognizer, and where in its stream. Matches by likeness, so that
 * delayed, cut, silence-filled or filtered audio is recognized as such.
 */
export class Alignment {
  readonly #sent: SentTimeline;
  /** Frame number in the stream, by number of the sent frame; and the other way around. */
  readonly #placed = new Map<number, number>();
  readonly #sentAt = new Map<number, number>();
  #recent: Float32Array[] = [];
  #frames = 0;
  /** Points by which the sent audio is ahead of the stream's count. */
  #lag: number | undefined;
  #reached = -1;
  #searchAt = 0;
  /** Doubles with each failed search: audio filtered beyond likeness is not worth a core. */
  #searchEvery = SEARCH_FRAMES;

  constructor(sent: SentTimeline) {
    this.#sent = sent;
  }

  /** The last sent frame that arrived. */
  get reached(): number {
    return this.#reached;
  }

  /** Takes the next 20 ms of the recognizer's stream. */
  push(frame: Int16Array): void {
    const points = decimated(frame);
    this.#recent = [...this.#recent, points].slice(-SEARCH_FRAMES);
    const at = this.#frames++;
    if (this.#lag !== undefined && this.#isExpected(points, levelDb(frame), at * POINTS + this.#lag)) {
      this.#place(at);
      return;
    }
    if (this.#isShifted(points, at)) this.#place(at);
    else if (at >= this.#searchAt) this.#search(at);
  }

  /** Whether almost all of it arrived, in order and in one piece. */
  isWhole(fromFrame: number, toFrame: number): boolean {
    let found = 0;
    let last: { sent: number; at: number } | undefined;
    for (let sent = fromFrame; sent < toFrame; sent++) {
      const at = this.#placed.get(sent);
      if (at === undefined) continue;
      found += 1;
      if (last && (at <= last.at || at - last.at - (sent - last.sent) > MAX_HOLE_FRAMES)) return false;
      last = { sent, at };
    }
    return found >= (toFrame - fromFrame) * MIN_SHARE;
  }

  #isExpected(points: Float32Array, db: number, at: number): boolean {
    const sent = this.#sent;
    const sentFrame = Math.round(at / POINTS);
    // Without speech, nothing can be missing: noise suppression may empty pauses.
    if (sent.voicesDb(sentFrame) <= QUIET_DB && db <= sent.mixDb(sentFrame) + LOUDER_DB) return true;
    if (db < sent.voicesDb(sentFrame) - MISSING_DB) return false;
    let best = { likeness: 0, shift: 0 };
    for (let shift = -DRIFT_POINTS; shift <= DRIFT_POINTS; shift++) {
      // After noise suppression, a soft sound resembles the clean voice instead of the noisy mix.
      for (const there of [sent.points(at + shift, POINTS), sent.voicePoints(at + shift, POINTS)]) {
        const likeness = likenessOf(points, there);
        if (likeness > best.likeness) best = { likeness, shift };
      }
    }
    if (best.likeness < SAME) return false;
    this.#lag = (this.#lag ?? 0) + best.shift;
    return true;
  }

  /** Frames were dropped or inserted: the audio is a whole number of frames off its position. */
  #isShifted(points: Float32Array, at: number): boolean {
    if (this.#lag === undefined || levelDb(points) < QUIET_DB) return false;
    const expected = at * POINTS + this.#lag;
    // A vowel is like itself a period later, so the position may have crept: whole frames are tried, too.
    const whole = Math.round(expected / POINTS) * POINTS;
    for (let n = 0; n <= NEAR_FRAMES; n++) {
      for (const there of [expected, whole].flatMap((from) => [from + n * POINTS, from - n * POINTS])) {
        if (there < 0 || likenessOf(points, this.#sent.points(there, POINTS)) < SURELY_SAME) continue;
        this.#lag = there - at * POINTS;
        return true;
      }
    }
    return false;
  }

  #search(at: number): void {
    this.#searchAt = at + this.#searchEvery;
    const window = joined(this.#recent);
    if (levelDb(window) < QUIET_DB) return;
    const first = (at - this.#recent.length + 1) * POINTS;
    const from = this.#lag === undefined ? 0 : Math.max(0, first + this.#lag - LOOK_BACK_POINTS);
    const start = mostAlike(window, this.#sent.points(from, this.#sent.frames * POINTS));
    this.#searchEvery =
      start === undefined ? Math.min(MOST_SEARCH_FRAMES, this.#searchEvery * 2) : SEARCH_FRAMES;
    if (start === undefined) return;
    this.#lag = from + start - first;
    for (let i = this.#recent.length - 1; i >= 0; i--) this.#place(at - i);
  }

  #place(at: number): void {
    const sent = Math.round((at * POINTS + (this.#lag ?? 0)) / POINTS);
    // A search corrects what the frames just before it were taken for.
    const before = this.#sentAt.get(at);
    if (before !== undefined && this.#placed.get(before) === at) this.#placed.delete(before);
    this.#sentAt.set(at, sent);
    this.#placed.set(sent, at);
    this.#reached = sent;
  }
}

function likenessOf(a: Float32Array, b: Float32Array): number {
  if (b.length < a.length) return 0;
  let [product, powerA, powerB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    product += x * y;
    powerA += x * x;
    powerB += y * y;
  }
  return powerA === 0 || powerB === 0 ? 0 : product / Math.sqrt(powerA * powerB);
}

/** Position in `sent` with enough likeness; keeps a running power, so each position costs one product. */
function mostAlike(window: Float32Array, sent: Float32Array): number | undefined {
  const { length } = window;
  let windowPower = 0;
  let power = 0;
  for (let i = 0; i < length; i++) {
    windowPower += (window[i] as number) ** 2;
    power += (sent[i] ?? 0) ** 2;
  }
  let best: { likeness: number; start: number | undefined } = { likeness: FOUND, start: undefined };
  for (let start = 0; start + length <= sent.length; start++) {
    let product = 0;
    for (let i = 0; i < length; i++) product += (window[i] as number) * (sent[start + i] as number);
    const likeness = product / Math.sqrt(Math.max(1, power) * windowPower);
    if (likeness > best.likeness) best = { likeness, start };
    power += (sent[start + length] ?? 0) ** 2 - (sent[start] as number) ** 2;
  }
  return best.start;
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
