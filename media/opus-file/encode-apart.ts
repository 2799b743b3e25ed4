import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { PeakShape } from "../waveforms/peaks.ts";
import type { EncodeAnswer, EncodeQuestion } from "./encode-thread.ts";

/** Size of a block for the thread: ten seconds of sound. */
const BLOCK_BYTES = 640_000;
const BYTES_PER_INSTANT = 4;

/**
 * Makes Ogg Opus and peaks from stereo 16-bit sound at 16 kHz, as laid out in a WAV file, on a separate low-priority
 * thread. Rejects with the signal's reason if aborted.
 */
export async function encodeApart(
  audio: AsyncIterable<Uint8Array>,
  shape: PeakShape,
  signal: AbortSignal,
): Promise<{ file: Uint8Array; peaks: Int8Array }> {
  const worker = new Worker(new URL("./encode-thread.ts", import.meta.url));
  // Also detects the thread's death while no answer is awaited.
  const dead = new AbortController();
  worker.on("error", (error) => dead.abort(error));
  worker.on("exit", () => dead.abort(new Error("the encoder's thread ended")));
  const ends = AbortSignal.any([signal, dead.signal]);
  const ask = async (question: EncodeQuestion): Promise<EncodeAnswer> => {
    ends.throwIfAborted();
    worker.postMessage(question);
    const [answer] = (await once(worker, "message", { signal: ends }).catch((error: unknown) => {
      ends.throwIfAborted();
      throw error;
    })) as [EncodeAnswer];
    return answer;
  };
  try {
    await ask({ type: "begin", shape });
    for await (const bytes of inBlocks(audio)) await ask({ type: "audio", bytes });
    const { made } = await ask({ type: "finish", serial: randomBytes(4).readUInt32LE() });
    if (!made) throw new Error("the encoder's thread made nothing");
    return made;
  } finally {
    await worker.terminate();
  }
}

/** Regroups pieces of any size into blocks of whole samples; drops a partial sample at the end. */
async function* inBlocks(audio: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  for await (const piece of audio) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + BLOCK_BYTES - filled);
      block.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < BLOCK_BYTES) continue;
      yield block;
      block = new Uint8Array(BLOCK_BYTES);
      filled = 0;
    }
  }
  const whole = filled - (filled % BYTES_PER_INSTANT);
  if (whole > 0) yield block.slice(0, whole);
}
