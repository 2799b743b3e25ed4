import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { PCM_RATE_HZ, samplesToMs } from "../pcm.ts";
import { createResampler } from "../resample/resampler.ts";
import { type Clause, FlitePool } from "./flite-pool.ts";
import type { TtsVendor } from "./port.ts";
import { splitText } from "./text.ts";

/** Voices compiled into the module; `kal` and `kal16` are the robotic ones. */
export const FLITE_VOICES = ["slt", "awb", "rms", "kal", "kal16"] as const;

const DEFAULT_VOICE = "slt";
/** About ten seconds of speech or 100 ms of work; longer text is spoken in pieces, so that it begins soon. */
const MAX_CHARS = 160;

/** The built-in voice: flite (BSD) as WASM in worker threads. Needs no key and no network. */
export function createFlite(options: { readonly threads: number; readonly clock?: Clock }): TtsVendor {
  const { threads, clock = systemClock } = options;
  const pool = new FlitePool({ threads, clock });
  const speak = async (clause: Clause, signal: AbortSignal): Promise<Int16Array> => {
    const { samples, sampleRateHz } = await pool.speak(clause, signal);
    return at16kHz(samples, sampleRateHz);
  };
  return {
    name: "flite",
    warm: () => pool.warm(),
    close: () => pool.close(),
    openReply: ({ voice, speed, signal }) => {
      const name = FLITE_VOICES.find((known) => known === voice) ?? DEFAULT_VOICE;
      const closed = new AbortController();
      const over = AbortSignal.any([signal, closed.signal]);
      let runsDryAtMs = 0;
      return {
        say: async function* say(text) {
          try {
            for (const piece of splitText(text, MAX_CHARS)) {
              if (over.aborted) return;
              const neededAtMs = Math.max(runsDryAtMs, clock.monotonicMs());
              const samples = await speak({ text: piece, voice: name, speed, neededAtMs }, over);
              runsDryAtMs = Math.max(runsDryAtMs, clock.monotonicMs()) + samplesToMs(samples.length);
              if (over.aborted) return;
              yield samples;
            }
          } catch (error) {
            if (!over.aborted) throw error;
          }
        },
        close: () => closed.abort(),
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
