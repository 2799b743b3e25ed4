import { AppError } from "@parley/shared/errors.ts";
import { readWav, type WavAudio } from "./wav-reader.ts";

/** Limits that exclude rates no sound card has, which would only cost work. */
const RATES_HZ = { min: 4_000, max: 192_000 } as const;

/**
 * Reads a WAV file to be played into a call. Throws `AppError` as `readWav` does, and validation_failed for a rate that
 * cannot be resampled.
 */
export function readPlayableWav(bytes: Uint8Array): WavAudio {
  const wav = readWav(bytes);
  if (wav.sampleRateHz < RATES_HZ.min || wav.sampleRateHz > RATES_HZ.max)
    throw new AppError(
      "validation_failed",
      `the WAV file has ${wav.sampleRateHz} Hz; use ${RATES_HZ.min} to ${RATES_HZ.max}`,
    );
  return wav;
}

/** Playing time in whole milliseconds. */
export function durationMsOf({ samples, channels, sampleRateHz }: WavAudio): number {
  return Math.round((samples.length / channels / sampleRateHz) * 1_000);
}
