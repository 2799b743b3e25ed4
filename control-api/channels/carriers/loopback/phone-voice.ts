import { createFlite } from "@parley/media/tts/flite.ts";
import type { TtsVendor } from "@parley/media/tts/port.ts";
import type { Clock } from "@parley/shared/clock.ts";

const RATE_HZ = 16_000;
const BEEP_HZ = 1_000;
const BEEP_MS = 500;
const BEEP_AMPLITUDE = 12_000;

/** The voice of the simulated phones: 16 kHz mono. */
export interface PhoneVoice {
  /** `voice`: one of the built-in ones. */
  say(text: string, signal: AbortSignal, voice?: string): Promise<Int16Array>;
  close(): Promise<void>;
}

/** The voice starts its worker at the first word. */
export function createPhoneVoice(clock: Clock): PhoneVoice {
  let flite: TtsVendor | undefined;
  return {
    say: async (text, signal, voice = "rms") => {
      flite ??= createFlite({ threads: 1, clock });
      const reply = flite.openReply({ voice, signal });
      const chunks: Int16Array[] = [];
      for await (const chunk of reply.say(text)) chunks.push(chunk);
      reply.close();
      return joined(chunks);
    },
    close: async () => {
      await flite?.close?.();
    },
  };
}

/** An answering machine's beep. */
export function beep(): Int16Array {
  const samples = new Int16Array((RATE_HZ * BEEP_MS) / 1_000);
  for (let i = 0; i < samples.length; i++)
    samples[i] = Math.round(BEEP_AMPLITUDE * Math.sin((2 * Math.PI * BEEP_HZ * i) / RATE_HZ));
  return samples;
}

function joined(chunks: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
