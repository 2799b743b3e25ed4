import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { PeakMeter, type PeakShape } from "../waveforms/peaks.ts";
import { OpusFileEncoder } from "./encoder.ts";

/** What the thread is sent, in this order; each is answered before the next comes. */
export type EncodeQuestion =
  | { readonly type: "begin"; readonly shape: PeakShape }
  | { readonly type: "audio"; readonly bytes: Uint8Array }
  | { readonly type: "finish"; readonly serial: number };
export interface EncodeAnswer {
  /** With the last one. */
  readonly made?: { readonly file: Uint8Array; readonly peaks: Int8Array };
}

yieldToCalls();
let encoder: OpusFileEncoder | undefined;
let meter: PeakMeter | undefined;

parentPort?.on("message", (question: EncodeQuestion) => {
  void answer(question).then((made) => parentPort?.postMessage(made));
});

async function answer(question: EncodeQuestion): Promise<EncodeAnswer> {
  if (question.type === "begin") {
    encoder = await OpusFileEncoder.create();
    meter = new PeakMeter(question.shape);
  } else if (question.type === "audio") {
    const { bytes } = question;
    encoder?.push(new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2));
    meter?.push(bytes);
  } else if (encoder && meter) return { made: { file: encoder.finish(question.serial), peaks: meter.peaks } };
  return {};
}

/** The lowest priority, for this thread alone: Linux knows threads by ids of their own, where there is no Linux it stays as it is. */
function yieldToCalls(): void {
  try {
    const threadId = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(threadId, constants.priority.PRIORITY_LOW);
  } catch {
    // Then it shares as others do.
  }
}
