import { FRAME_SAMPLES, PCM_RATE_HZ } from "../pcm.ts";

/** Waveforms are compared at 4 kHz: what a voice, a small loudspeaker and a telephone share lies below 2 kHz. */
const DECIMATION = 4;
export const WAVEFORM_RATE_HZ = PCM_RATE_HZ / DECIMATION;
export const WAVEFORM_FRAME = FRAME_SAMPLES / DECIMATION;
/** Four seconds: the longest delay that is searched, behind an app that plays late. */
const KEPT = 16_384;
/** Its slot in the ring is a position's lower bits. */
const SLOT = KEPT - 1;

/** The agent's audio at 4 kHz by playing time: the last four seconds, with silence where nothing was sent. */
export class SentWaveform {
  readonly #samples = new Int16Array(KEPT);
  #end = 0;

  /** Position after the last sample that was written. */
  get end(): number {
    return this.#end;
  }

  /** Writes a frame of 20 ms at 16 kHz that plays from `playAtMs` on; drops what was to be played after it. */
  write(playAtMs: number, frame: Int16Array): void {
    const at = waveformAt(playAtMs);
    for (let gap = Math.max(this.#end, at - KEPT); gap < at; gap++) this.#samples[gap & SLOT] = 0;
    const samples = this.#samples;
    for (let i = 0; i < WAVEFORM_FRAME; i++) samples[(at + i) & SLOT] = decimated(frame, i);
    this.#end = at + WAVEFORM_FRAME;
  }

  /** Copies the samples before position `end` (`waveformAt`) into `into`, as many as it holds. */
  copyBefore(end: number, into: Float64Array): void {
    const from = end - into.length;
    const samples = this.#samples;
    const kept = Math.max(0, this.#end - KEPT);
    for (let i = 0; i < into.length; i++) {
      const at = from + i;
      into[i] = at >= kept && at < this.#end ? (samples[at & SLOT] as number) : 0;
    }
  }
}

/** The position of a time in the waveform. */
export function waveformAt(ms: number): number {
  return Math.round((ms * WAVEFORM_RATE_HZ) / 1_000);
}

/** Sample `i` of a frame at 4 kHz. */
export function decimated(frame: Int16Array, i: number): number {
  const at = i * DECIMATION;
  const sum =
    (frame[at] as number) + (frame[at + 1] as number) + (frame[at + 2] as number) + (frame[at + 3] as number);
  return sum / DECIMATION;
}
