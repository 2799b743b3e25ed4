import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WASI } from "node:wasi";
import { parentPort, workerData } from "node:worker_threads";
import { readWav } from "../wav/wav-reader.ts";
import type { FliteAnswer, FliteQuestion, FliteWorkerData } from "./flite-protocol.ts";

/** One flite voice: speaks what it is asked, one clause after the other. */
const { wasmPath } = workerData as FliteWorkerData;
const module = new WebAssembly.Module(readFileSync(wasmPath));
const directory = mkdtempSync(join(tmpdir(), "parley-flite-"));

process.on("exit", () => rmSync(directory, { recursive: true, force: true }));

parentPort?.on("message", (question: FliteQuestion) => {
  const answer = speak(question);
  parentPort?.postMessage(answer, "samples" in answer ? [answer.samples.buffer] : []);
});

function speak({ id, text, voice }: FliteQuestion): FliteAnswer {
  try {
    const args = ["flite", "-voice", voice, "-t", text, "-o", "/out/speech.wav"];
    const wasi = new WASI({ version: "preview1", args, preopens: { "/out": directory }, returnOnExit: true });
    const instance = new WebAssembly.Instance(module, wasi.getImportObject() as WebAssembly.Imports);
    const exitCode = wasi.start(instance);
    if (exitCode !== 0) return { id, problem: `flite ended with ${exitCode}` };
    const wav = readWav(readFileSync(join(directory, "speech.wav")));
    return { id, sampleRateHz: wav.sampleRateHz, samples: Int16Array.from(wav.samples) };
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) };
  }
}
