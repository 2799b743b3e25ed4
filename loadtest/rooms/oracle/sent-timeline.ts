import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { levelDb } from "../sounds/level.ts";

/** Audio is compared at 4 kHz: enough to tell positions of a recording apart, at a sixteenth of the work. */
const DECIMATION = 4;
export const POINTS = FRAME_SAMPLES / DECIMATION;

/** A word spoken into the microphone, in frames of 20 ms since the call began. */
export interface SentWord {
  readonly text: string;
  readonly speaker: "caller" | "agent";
  readonly fromFrame: number;
  readonly toFrame: number;
}

/** The components of one 20 ms frame. */
export interface SentFrame {
  /** The frame as sent. */
  readonly mix: Int16Array;
  /** Its voices, without the room. */
  readonly voices: Float32Array;
  /** Level of the agent's voice from the loudspeaker. */
  readonly echoDb: number;
  /** Level of everything else. */
  readonly restDb: number;
}

/**
 * Everything a caller's microphone picked up, whether or not it arrives: the reference for a recognizer's
 * audio.
 */
export class SentTimeline {
  readonly words: SentWord[] = [];
  #points = new Float32Array(POINTS * 4_096);
  #voices = new Float32Array(POINTS * 4_096);
  readonly #levels: { mixDb: number; voicesDb: number; echoDb: number; restDb: number }[] = [];

  /** Number of frames so far. */
  get frames(): number {
    return this.#levels.length;
  }

  push({ mix, voices, echoDb, restDb }: SentFrame): void {
    const at = this.frames * POINTS;
    if (at + POINTS > this.#points.length) {
      this.#points = doubled(this.#points);
      this.#voices = doubled(this.#voices);
    }
    this.#points.set(decimated(mix), at);
    this.#voices.set(decimated(voices), at);
    this.#levels.push({ mixDb: levelDb(mix), voicesDb: levelDb(voices), echoDb, restDb });
  }

  /** Adds a word of `speaker` from `startMs` to `endMs` after the start of frame `fromFrame`. */
  say(
    speaker: SentWord["speaker"],
    text: string,
    { from, startMs, endMs }: { from: number; startMs: number; endMs: number },
  ): void {
    const fromFrame = from + Math.round(startMs / FRAME_MS);
    const toFrame = Math.max(fromFrame + 1, from + Math.round(endMs / FRAME_MS));
    this.words.push({ text, speaker, fromFrame, toFrame });
  }

  /** Samples at 4 kHz from a point on; fewer at the end of what was sent. */
  points(from: number, count: number): Float32Array {
    return this.#from(this.#points, from, count);
  }

  /** Samples of the voices alone: what remains after noise suppression. */
  voicePoints(from: number, count: number): Float32Array {
    return this.#from(this.#voices, from, count);
  }

  #from(points: Float32Array, from: number, count: number): Float32Array {
    const start = Math.max(0, from);
    return points.subarray(start, Math.min(start + count, this.frames * POINTS));
  }

  mixDb(frame: number): number {
    return this.#levels[frame]?.mixDb ?? -120;
  }

  voicesDb(frame: number): number {
    return this.#levels[frame]?.voicesDb ?? -120;
  }

  /** How far the agent's voice exceeds everything else over some frames, in dB. */
  echoOverRestDb(fromFrame: number, toFrame: number): number {
    const power = (pick: (level: { echoDb: number; restDb: number }) => number): number =>
      this.#levels.slice(fromFrame, toFrame).reduce((sum, level) => sum + 10 ** (pick(level) / 10), 1e-15);
    return 10 * Math.log10(power(({ echoDb }) => echoDb) / power(({ restDb }) => restDb));
  }
}

function doubled(points: Float32Array): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(points.length * 2);
  larger.set(points);
  return larger;
}

export function decimated(samples: Int16Array | Float32Array): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / DECIMATION) }, (_, i) => {
    const at = i * DECIMATION;
    return (
      ((samples[at] ?? 0) + (samples[at + 1] ?? 0) + (samples[at + 2] ?? 0) + (samples[at + 3] ?? 0)) /
      DECIMATION
    );
  });
}
