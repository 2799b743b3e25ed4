import { FRAME_SAMPLES } from "../pcm.ts";
import { createDenoiser, type Denoiser } from "./denoiser.ts";
import { loadNeuralVad, type NeuralVad, VoiceStream } from "./neural-vad.ts";
import { type FrontEndAnswer, type FrontEndBatch, TASK } from "./tasks.ts";

interface Stream {
  readonly voice: VoiceStream;
  denoiser: Denoiser | undefined;
}

/** Denoises and detects voice in the frames of many streams with one shared model. */
export class FrontEndEngine {
  readonly #vad: NeuralVad;
  readonly #streams = new Map<number, Stream>();

  private constructor(vad: NeuralVad) {
    this.#vad = vad;
  }

  /** Rejects if the model or the denoiser cannot be loaded. */
  static async load(): Promise<FrontEndEngine> {
    (await createDenoiser()).free();
    return new FrontEndEngine(await loadNeuralVad());
  }

  /** Processes a batch, with the streams' windows judged together. Denoised samples overwrite the batch's own. */
  async process({ streams, tasks, samples, closed }: FrontEndBatch): Promise<FrontEndAnswer> {
    const probabilities = new Float32Array(streams.length);
    const due = new Map<VoiceStream, number>();
    const look = async (): Promise<void> => {
      await this.#vad.look([...due.keys()]);
      for (const [voice, i] of due) probabilities[i] = voice.probability;
      due.clear();
    };
    for (const [i, id] of streams.entries()) {
      const frame = samples.subarray(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES);
      const task = tasks[i] as number;
      const stream = this.#streamOf(id);
      const { voice } = stream;
      if (task & TASK.detect) {
        // A stream's windows run one after the other; those of different streams run together.
        if (voice.hasWindow) await look();
        if (task & TASK.restartDetect) voice.restart();
        voice.push(frame);
        if (voice.hasWindow) due.set(voice, i);
        else probabilities[i] = voice.probability;
      }
      if (task & TASK.denoise) await denoise(stream, frame, (task & TASK.restartDenoise) !== 0);
    }
    await look();
    for (const id of closed) this.#close(id);
    return { probabilities, samples };
  }

  async close(): Promise<void> {
    for (const id of [...this.#streams.keys()]) this.#close(id);
    await this.#vad.close();
  }

  #streamOf(id: number): Stream {
    const known = this.#streams.get(id);
    if (known) return known;
    const stream = { voice: new VoiceStream(), denoiser: undefined };
    this.#streams.set(id, stream);
    return stream;
  }

  #close(id: number): void {
    this.#streams.get(id)?.denoiser?.free();
    this.#streams.delete(id);
  }
}

async function denoise(stream: Stream, frame: Int16Array, isRestart: boolean): Promise<void> {
  if (isRestart) {
    stream.denoiser?.free();
    stream.denoiser = undefined;
  }
  stream.denoiser ??= await createDenoiser();
  frame.set(stream.denoiser.process(frame));
}
