import type { InferenceSession, OnnxValue } from "onnxruntime-node";
import { PCM_RATE_HZ, samplesToMs } from "../../pcm.ts";
import { HOP_SAMPLES, logMel, MEL_BANDS } from "./log-mel.ts";

/** A model that hears whether a caller is done. */
export interface AudioModel {
  /** How much audio the model takes; shorter turns are padded with silence in front. */
  readonly hearsMs: number;
  /** Returns 0 to 1. Rejects if the model gives anything else. */
  judge(samples: Int16Array): Promise<number>;
  close(): Promise<void>;
}

/** What a model's single input takes. */
type InputForm = { readonly kind: "samples" | "log-mel"; readonly samples: number };

const DEFAULT_SAMPLES = 8 * PCM_RATE_HZ;
const LEAST_SAMPLES = PCM_RATE_HZ / 10;
const MOST_SAMPLES = 30 * PCM_RATE_HZ;
const FULL_SCALE = 32_768;
const WANTED_INPUT = `one float32 input is expected, [1, samples] of 16 kHz sound or [1, ${MEL_BANDS}, columns] of Whisper's log-mel`;
const WANTED_OUTPUT = "one float32 output is expected, a single probability from 0 to 1";

/**
 * Loads the ONNX model at `path` and tries it on silence. Rejects with a description of what does not fit: the file,
 * its inputs, its outputs, or a machine without an ONNX runtime binary. Requirements for a model:
 * docs/turn-taking.md#a-model-of-your-own.
 */
export async function loadAudioModel(path: string): Promise<AudioModel> {
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const session = await InferenceSession.create(path, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
  });
  const form = inputForm(session.inputMetadata);
  const input = session.inputNames[0] ?? "";
  const output = outputName(session.outputMetadata);
  const judge = async (samples: Int16Array): Promise<number> => {
    const window = windowOf(samples, form.samples);
    const tensor =
      form.kind === "samples"
        ? new Tensor("float32", window, [1, form.samples])
        : new Tensor("float32", logMel(window), [1, MEL_BANDS, form.samples / HOP_SAMPLES]);
    const answers = await session.run({ [input]: tensor });
    return probabilityIn(answers[output]);
  };
  await judge(new Int16Array(0));
  return { hearsMs: samplesToMs(form.samples), judge, close: () => session.release() };
}

/** Throws a description of what is wrong with the inputs. */
function inputForm(inputs: readonly InferenceSession.ValueMetadata[]): InputForm {
  const [only, ...more] = inputs;
  if (!only || more.length > 0) {
    const names = inputs.map(({ name }) => name).join(", ");
    throw new Error(`it has ${inputs.length} inputs (${names}); ${WANTED_INPUT}`);
  }
  const misfit = new Error(`its input ${shown(only)} does not fit; ${WANTED_INPUT}`);
  if (!only.isTensor || only.type !== "float32") throw misfit;
  const [batch, ...rest] = only.shape;
  if (batch !== 1 && typeof batch !== "string") throw misfit;
  const form = formOf(rest);
  if (!form) throw misfit;
  if (form.samples >= LEAST_SAMPLES && form.samples <= MOST_SAMPLES) return form;
  const seconds = form.samples / PCM_RATE_HZ;
  throw new Error(`its input ${shown(only)} is ${seconds} s of sound; from 0.1 to 30 s are expected`);
}

/** An open dimension counts as that of 8 s. */
function formOf(shape: readonly (number | string)[]): InputForm | undefined {
  const sizeOf = (size: number | string, open: number): number => (typeof size === "string" ? open : size);
  const [first, second, ...more] = shape;
  if (first === undefined || more.length > 0) return undefined;
  if (second === undefined) return { kind: "samples", samples: sizeOf(first, DEFAULT_SAMPLES) };
  if (sizeOf(first, MEL_BANDS) !== MEL_BANDS) return undefined;
  return { kind: "log-mel", samples: sizeOf(second, DEFAULT_SAMPLES / HOP_SAMPLES) * HOP_SAMPLES };
}

/** Throws a description of what is wrong with the outputs; trying silence reveals their size. */
function outputName(outputs: readonly InferenceSession.ValueMetadata[]): string {
  const [only, ...more] = outputs;
  if (!only || more.length > 0) {
    const names = outputs.map(({ name }) => name).join(", ");
    throw new Error(`it has ${outputs.length} outputs (${names}); ${WANTED_OUTPUT}`);
  }
  if (!only.isTensor || only.type !== "float32") {
    throw new Error(`its output ${shown(only)} does not fit; ${WANTED_OUTPUT}`);
  }
  return only.name;
}

function shown(value: InferenceSession.ValueMetadata): string {
  if (!value.isTensor) return `"${value.name}" (no tensor)`;
  return `"${value.name}" (${value.type} [${value.shape.map((size) => size || "?").join(", ")}])`;
}

function probabilityIn(answer: OnnxValue | undefined): number {
  const data: unknown = answer && "data" in answer ? answer.data : undefined;
  if (!(data instanceof Float32Array) || data.length !== 1) {
    const count = data instanceof Float32Array ? data.length : "no";
    throw new Error(`it answers with ${count} numbers; ${WANTED_OUTPUT}`);
  }
  const [probability = Number.NaN] = data;
  if (probability >= 0 && probability <= 1) return probability;
  throw new Error(`it answers ${probability}; ${WANTED_OUTPUT}: end the model with a sigmoid`);
}

/** The last `length` samples, from -1 to 1, padded with silence in front if there are fewer. */
function windowOf(samples: Int16Array, length: number): Float32Array {
  const window = new Float32Array(length);
  const last = samples.subarray(Math.max(0, samples.length - length));
  const from = length - last.length;
  for (let i = 0; i < last.length; i++) window[from + i] = (last[i] as number) / FULL_SCALE;
  return window;
}
