import { Playback } from "../../../loadtest/callers/playback.ts";
import type { DrillCall } from "./drill-call.ts";

/** How late a caller's frames came against the pace of speech, a run of speech at a time. */
export class Lateness {
  readonly #playback: Playback;
  #latenessMs: number[] = [];

  /** `leadMs`: how far ahead of its playing time the gateway sends. */
  constructor({ caller }: DrillCall, leadMs: number) {
    this.#playback = new Playback(leadMs);
    caller.socket.on("message", (data, isBinary) => {
      if (isBinary) this.#latenessMs.push(this.#playback.push(performance.now()));
      else if (String(data).includes('"listening"')) this.#playback.stop();
    });
  }

  /** The lateness that 99 of 100 frames since the last question kept, ms. */
  takeP99(): number {
    const sorted = this.#latenessMs.toSorted((a, b) => a - b);
    this.#latenessMs = [];
    return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  }
}
