import { parentPort, workerData } from "node:worker_threads";
import { type AudioModel, loadAudioModel } from "./audio-model.ts";
import type { ModelMessage, SoundQuestion } from "./messages.ts";

/** An end-of-turn model's thread: one model that answers questions one after the other. */
const say = (message: ModelMessage): void => parentPort?.postMessage(message);

let work: Promise<void> = loadAudioModel(String(workerData)).then(serve, refuse);

function serve(model: AudioModel): void {
  say({ type: "ready", hearsMs: model.hearsMs });
  parentPort?.on("message", (question: SoundQuestion) => {
    work = work.then(() => answer(model, question));
  });
}

async function answer(model: AudioModel, { id, samples }: SoundQuestion): Promise<void> {
  try {
    say({ type: "answer", id, finished: await model.judge(samples) });
  } catch {
    say({ type: "answer", id });
  }
}

function refuse(error: unknown): void {
  say({ type: "refused", problem: error instanceof Error ? error.message : String(error) });
}
