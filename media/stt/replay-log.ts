import { msToSamples } from "../pcm.ts";
import type { SttSession } from "./port.ts";

/** Audio kept for the next vendor; beyond this, the oldest is dropped. */
const MAX_SAMPLES = msToSamples(30_000);

type Entry =
  | { readonly type: "audio"; readonly frame: Int16Array; readonly endSample: number }
  | { readonly type: "finalize" };

/** What a recognizer got and has not answered yet: audio, and the places where a final was requested. */
export class ReplayLog {
  #entries: Entry[] = [];
  #samples = 0;
  #writtenSamples = 0;

  /** Samples from the start of the call to the first one kept. */
  get startSample(): number {
    return this.#writtenSamples - this.#samples;
  }

  /** Samples written since the start of the call. */
  get endSample(): number {
    return this.#writtenSamples;
  }

  /** True while a final is owed. */
  get owesFinal(): boolean {
    return this.#entries.some(({ type }) => type === "finalize");
  }

  /** Copies the frame. */
  write(frame: Int16Array): void {
    this.#writtenSamples += frame.length;
    this.#samples += frame.length;
    this.#entries.push({ type: "audio", frame: frame.slice(), endSample: this.#writtenSamples });
    if (this.#samples <= MAX_SAMPLES) return;
    const oldest = this.#entries.findIndex(({ type }) => type === "audio");
    this.#forget(this.#entries.splice(oldest, 1));
  }

  finalize(): void {
    this.#entries.push({ type: "finalize" });
  }

  /** The oldest requested final came, which settles it and the audio before it. */
  settleFinal(): void {
    const mark = this.#entries.findIndex(({ type }) => type === "finalize");
    if (mark !== -1) this.#forget(this.#entries.splice(0, mark + 1));
  }

  /** The text of all audio up to `sample` is known. A requested final stays owed. */
  settleAudio(sample: number): void {
    const isKnown = (entry: Entry): boolean => entry.type === "audio" && entry.endSample <= sample;
    this.#forget(this.#entries.filter(isKnown));
    this.#entries = this.#entries.filter((entry) => !isKnown(entry));
  }

  replayInto(session: SttSession): void {
    for (const entry of this.#entries) {
      if (entry.type === "audio") session.write(entry.frame);
      else session.finalize();
    }
  }

  #forget(entries: readonly Entry[]): void {
    for (const entry of entries) if (entry.type === "audio") this.#samples -= entry.frame.length;
  }
}
