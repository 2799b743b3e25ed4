import { parentPort } from "node:worker_threads";
import { FrontEndEngine } from "./engine.ts";
import type { FrontEndBatch, FrontEndMessage } from "./tasks.ts";

/** A front end's thread: one engine that answers batches in order. */
const say = (message: FrontEndMessage, transfer: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transfer);

let work: Promise<void> = FrontEndEngine.load().then(serve, fail);

function serve(engine: FrontEndEngine): void {
  say({ type: "ready" });
  parentPort?.on("message", (batch: FrontEndBatch) => {
    work = work.then(() => answer(engine, batch)).catch(fail);
  });
}

async function answer(engine: FrontEndEngine, batch: FrontEndBatch): Promise<void> {
  const { probabilities, samples } = await engine.process(batch);
  say({ type: "answer", probabilities, samples }, [probabilities.buffer, samples.buffer]);
}

function fail(error: unknown): void {
  say({ type: "failed", problem: error instanceof Error ? error.message : String(error) });
}
