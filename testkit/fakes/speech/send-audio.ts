import type { Fault } from "./faults.ts";

/** Odd on purpose: samples are split between chunks, as networks do. */
const CHUNK_BYTES = 3_201;

export interface AudioSink {
  write(bytes: Uint8Array): void;
  /** Drops the connection without a goodbye. */
  destroy(): void;
  /** The other side is gone. */
  readonly isGone: boolean;
}

/** Sends audio as a vendor would, with a fault if there is one; true when all of it was sent. */
export async function sendAudio(sink: AudioSink, audio: Uint8Array, fault?: Fault): Promise<boolean> {
  const chunkBytes = fault?.kind === "drip" ? fault.chunkBytes : CHUNK_BYTES;
  const limit = fault?.kind === "die" || fault?.kind === "stall" ? fault.afterBytes : audio.length;
  for (let at = 0; at < Math.min(limit, audio.length); at += chunkBytes) {
    if (sink.isGone) return false;
    sink.write(audio.subarray(at, Math.min(at + chunkBytes, limit)));
    if (fault?.kind === "drip") await pause(fault.everyMs);
    else await flushed();
  }
  if (fault?.kind === "die") sink.destroy();
  return fault?.kind !== "die" && fault?.kind !== "stall" && !sink.isGone;
}

/** Lets what was written reach the other side before what comes next, a drop for example. */
function flushed(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
