import { CALL_PLAYOUT, PlayoutBuffer } from "./playout-buffer.ts";

/** Messages from the page to the loudspeaker. */
export type PlayoutCommand =
  | { readonly type: "audio"; readonly samples: Int16Array<ArrayBuffer> }
  | { readonly type: "mark"; readonly name: string }
  | { readonly type: "turn" }
  | { readonly type: "clear" };

/** Messages from the loudspeaker to the page. */
export type PlayoutReport =
  | { readonly type: "mark"; readonly name: string }
  /** Answer to `clear`: how much of the current agent turn was rendered. */
  | { readonly type: "cleared"; readonly heardMs: number }
  /** About 16 times a second: root mean square (0 to 1) of the audio rendered since the last report. */
  | {
      readonly type: "level";
      readonly level: number;
      readonly playing: boolean;
      readonly underruns: number;
    };

const REPORT_EVERY_MS = 60;

/** Drives a playout buffer by messages, so the worklet and the fallback node share the same few lines. */
export class PlayoutEngine {
  readonly #buffer: PlayoutBuffer;
  readonly #sampleRateHz: number;
  readonly #report: (report: PlayoutReport) => void;
  #squares = 0;
  #renderedSamples = 0;

  constructor(sampleRateHz: number, report: (report: PlayoutReport) => void) {
    this.#buffer = new PlayoutBuffer({ sampleRateHz, ...CALL_PLAYOUT });
    this.#sampleRateHz = sampleRateHz;
    this.#report = report;
  }

  handle(command: PlayoutCommand): void {
    if (command.type === "audio") this.#buffer.push(command.samples);
    else if (command.type === "mark") this.#buffer.mark(command.name);
    else if (command.type === "turn") this.#buffer.startTurn();
    else {
      const heardMs = (this.#buffer.clear() * 1000) / this.#sampleRateHz;
      this.#report({ type: "cleared", heardMs });
    }
  }

  /** Fills one block for the sound card. */
  render(out: Float32Array): void {
    for (const name of this.#buffer.render(out)) this.#report({ type: "mark", name });
    for (const sample of out) this.#squares += sample * sample;
    this.#renderedSamples += out.length;
    if (this.#renderedSamples * 1000 < REPORT_EVERY_MS * this.#sampleRateHz) return;
    const level = Math.sqrt(this.#squares / this.#renderedSamples);
    const { playing, underruns } = this.#buffer;
    this.#report({ type: "level", level, playing, underruns });
    this.#squares = 0;
    this.#renderedSamples = 0;
  }
}
