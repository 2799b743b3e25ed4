import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { PeakMeter, type PeakShape } from "../waveforms/peaks.ts";
import { OpusFileEncoder } from "./encoder.ts";

/** Messages to the thread, in this order; the thread answers each before the next arrives. */
export type EncodeQuestion =
  | { readonly type: "begin"; readonly shape: PeakShape }
  | { readonly type: "audio"; readonly bytes: Uint8Array }
  | { readonly type: "finish"; readonly serial: number };
export interface EncodeAnswer {
  /** Only in the last answer. */
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

/** Gives this thread alone the lowest priority: Linux has ids per thread; elsewhere the priority stays unchanged. */
function yieldToCalls(): void {
  try {
    const threadId = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(threadId, constants.priority.PRIORITY_LOW);
  } catch {
    // The thread then shares the CPU like any other.
  }
}
