import { AppError } from "@parley/shared/errors.ts";
import { msToSamples, PCM_RATE_HZ } from "../pcm.ts";
import { tonesOf } from "./keypad.ts";

export interface DtmfTiming {
  readonly toneMs?: number;
  readonly gapMs?: number;
}

/** Duration of 'w' and ',' in a dial string. */
const PAUSE_MS = 500;
/** Amplitude of each tone: about -9 dBFS, the level of a telephone's own keys. */
const TONE_AMPLITUDE = 0.35 * 32_767;
/** Fade at both ends that keeps a tone from clicking. */
const RAMP_SAMPLES = msToSamples(2);

/**
 * Returns the tones of a dial string as 16 kHz PCM, each key followed by a gap; 'w' or ',' pauses for 500 ms. Throws
 * `AppError` validation_failed for any other character that is no key.
 */
export function generateDtmf(digits: string, timing: DtmfTiming = {}): Int16Array {
  const toneSamples = msToSamples(timing.toneMs ?? 100);
  const gapSamples = msToSamples(timing.gapMs ?? 80);
  const samples = new Int16Array(
    [...digits].reduce((sum, digit) => {
      return sum + (isPause(digit) ? msToSamples(PAUSE_MS) : toneSamples + gapSamples);
    }, 0),
  );
  let at = 0;
  for (const digit of digits) {
    if (isPause(digit)) {
      at += msToSamples(PAUSE_MS);
      continue;
    }
    const tones = tonesOf(digit);
    if (tones === undefined) {
      throw new AppError(
        "validation_failed",
        `"${digit}" is not a key. Use 0-9, *, #, A-D, and w or , to pause`,
      );
    }
    writeTone(samples.subarray(at, at + toneSamples), tones);
    at += toneSamples + gapSamples;
  }
  return samples;
}

function isPause(digit: string): boolean {
  return digit === "w" || digit === "W" || digit === ",";
}

function writeTone(out: Int16Array, [rowHz, columnHz]: readonly [number, number]): void {
  for (let i = 0; i < out.length; i++) {
    const radians = (2 * Math.PI * i) / PCM_RATE_HZ;
    const fade = Math.min(1, (i + 1) / RAMP_SAMPLES, (out.length - i) / RAMP_SAMPLES);
    const wave = Math.sin(radians * rowHz) + Math.sin(radians * columnHz);
    out[i] = Math.round(TONE_AMPLITUDE * fade * wave);
  }
}
