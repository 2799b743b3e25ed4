import { PCM_RATE_HZ } from "../pcm.ts";
import { createResampler } from "../resample/resampler.ts";
import { FlitePool } from "./flite-pool.ts";
import type { TtsVendor } from "./port.ts";

const DEFAULT_VOICE = "slt";
/** Voices compiled into the module. */
const VOICES: ReadonlySet<string> = new Set(["awb", "kal", "kal16", "rms", "slt"]);
/** Nothing a voice could say: flite would answer with an empty file. */
const UNSPEAKABLE = /^[\s\p{P}\p{S}]*$/u;

/** The built-in voice: flite (BSD) as WASM in worker threads. Needs no key and no network. */
export function createFlite(options: { threads: number }): TtsVendor {
  const pool = new FlitePool(options.threads);
  return {
    name: "flite",
    warm: () => pool.warm(),
    close: () => pool.close(),
    openReply: ({ voice, signal }) => {
      const name = voice !== undefined && VOICES.has(voice) ? voice : DEFAULT_VOICE;
      return {
        say: async function* say(text) {
          if (signal.aborted || UNSPEAKABLE.test(text)) return;
          try {
            const { samples, sampleRateHz } = await pool.speak(text, name, signal);
            yield await at16kHz(samples, sampleRateHz);
          } catch (error) {
            if (!signal.aborted) throw error;
          }
        },
        close: () => undefined,
      };
    },
  };
}

async function at16kHz(samples: Int16Array, sampleRateHz: number): Promise<Int16Array> {
  if (sampleRateHz === PCM_RATE_HZ) return samples;
  const resampler = await createResampler(sampleRateHz, PCM_RATE_HZ);
  try {
    return resampler.process(samples).slice();
  } finally {
    resampler.free();
  }
}
