import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { speakWithFlite } from "../flite/speak.ts";
import type { FliteAnswer, FliteQuestion, FliteWorkerData } from "./flite-protocol.ts";

/** One flite voice that speaks requested clauses one after the other. */
const { wasmPath } = workerData as FliteWorkerData;
const module = new WebAssembly.Module(readFileSync(wasmPath));

parentPort?.on("message", (question: FliteQuestion) => {
  const answer = speak(question);
  parentPort?.postMessage(answer, "samples" in answer ? [answer.samples.buffer] : []);
});

function speak({ id, text, voice, speed }: FliteQuestion): FliteAnswer {
  try {
    const { sampleRateHz, samples } = speakWithFlite(module, text, voice, speed);
    return { id, sampleRateHz, samples: Int16Array.from(samples) };
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) };
  }
}
