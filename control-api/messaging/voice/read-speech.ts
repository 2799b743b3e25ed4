import { mp4DurationMs } from "@parley/media/mp4-file/duration.ts";
import { decodeVoiceNote } from "@parley/media/opus-file/voice-note.ts";
import { samplesToMs } from "@parley/media/pcm.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { RecordedSpeech } from "./transcribe.ts";

const MAX_MS = 600_000;

/**
 * Reads a voice message. WhatsApp's Ogg Opus is decoded, and what is said after ten minutes is left off. Instagram's
 * MP4 (AAC) is left to the recognizers that take files. Throws `AppError` validation_failed for anything else, and for
 * an MP4 file of more than ten minutes.
 */
export async function readSpeech(
  bytes: Uint8Array,
  mimeType: string,
): Promise<{ readonly speech: RecordedSpeech; readonly durationMs: number }> {
  const durationMs = mp4DurationMs(bytes);
  if (durationMs === undefined) {
    const samples = await decodeVoiceNote(bytes, MAX_MS);
    return { speech: samples, durationMs: samplesToMs(samples.length) };
  }
  if (durationMs > MAX_MS)
    throw new AppError("validation_failed", "A voice message of more than ten minutes is not transcribed.");
  const contentType = mimeType.startsWith("video/") ? "video/mp4" : "audio/mp4";
  return { speech: { bytes, contentType }, durationMs };
}
