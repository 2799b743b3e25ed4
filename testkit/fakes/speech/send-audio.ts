import type { Fault } from "./faults.ts";

/** Deliberately odd: samples are split between chunks, as networks do. */
const CHUNK_BYTES = 3_201;

export interface AudioSink {
  write(bytes: Uint8Array): void;
  /** Drops the connection abruptly. */
  destroy(): void;
  /** The other side has disconnected. */
  readonly isGone: boolean;
}

/** Sends audio like a vendor, with an optional fault; returns true when all of it was sent. */
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

/** Lets written data reach the other side before the next step, such as a drop. */
function flushed(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
