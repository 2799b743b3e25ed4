import { encodeVoiceNote } from "@parley/media/opus-file/voice-note.ts";
import { SpeechError } from "@parley/media/speech-error.ts";
import type { TtsVendor, TtsVoice } from "@parley/media/tts/port.ts";
import { splitText } from "@parley/media/tts/text.ts";
import type { Clock } from "@parley/shared/clock.ts";

/** What WhatsApp shows as a voice message. */
export const VOICE_TYPE = "audio/ogg; codecs=opus";
const PIECE_CHARS = 1_000;
const TIMEOUT_MS = 60_000;
const STANDARD = "flite";

/** One of an agent's voices. */
interface Choice {
  readonly vendor: string;
  readonly voice?: string | undefined;
  readonly model?: string | undefined;
}

/** A text as a voice message. */
export interface Spoken {
  readonly file: Uint8Array;
  readonly vendor: string;
}

interface SpeakerDeps {
  readonly voices: ReadonlyMap<string, TtsVendor>;
  readonly clock: Clock;
}

/**
 * Speaks a text with the first of an agent's voices that can, as Ogg Opus. Where this installation has none of them, its
 * own voice speaks. Throws `SpeechError`.
 */
export async function speakMessage(
  text: string,
  { choices, speed }: { readonly choices: readonly Choice[]; readonly speed: number },
  signal: AbortSignal,
  { voices, clock }: SpeakerDeps,
): Promise<Spoken> {
  let failure: unknown = new SpeechError("no voice", "is here", { retryable: false });
  const own: readonly Choice[] = choices.filter(({ vendor }) => voices.has(vendor));
  for (const { vendor: name, voice, model } of own.length > 0 ? own : [{ vendor: STANDARD }]) {
    const vendor = voices.get(name);
    if (!vendor) continue;
    try {
      const sound = await soundOf(
        text,
        { vendor, voice: { ...(voice && { voice }), ...(model && { model }), speed } },
        signal,
        clock,
      );
      return { file: await encodeVoiceNote(sound), vendor: name };
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}

async function soundOf(
  text: string,
  { vendor, voice }: { readonly vendor: TtsVendor; readonly voice: TtsVoice },
  signal: AbortSignal,
  clock: Clock,
): Promise<Int16Array> {
  const late = new AbortController();
  const cancelTimer = clock.after(TIMEOUT_MS, () => late.abort());
  const reply = vendor.openReply({ ...voice, signal: AbortSignal.any([signal, late.signal]) });
  const chunks: Int16Array[] = [];
  try {
    for (const piece of splitText(text, PIECE_CHARS))
      for await (const chunk of reply.say(piece)) chunks.push(chunk.slice());
  } finally {
    cancelTimer();
    reply.close();
  }
  signal.throwIfAborted();
  // A vendor whose signal is aborted ends early and silently.
  if (late.signal.aborted) throw new SpeechError(vendor.name, "took too long", { retryable: true });
  const whole = new Int16Array(chunks.reduce((sum, { length }) => sum + length, 0));
  if (whole.length === 0)
    throw new SpeechError(vendor.name, "made no sound of the text", { retryable: false });
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
