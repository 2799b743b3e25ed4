import { type PlayoutCommand, PlayoutEngine } from "./playout-engine.ts";
import { PLAYER_PROCESSOR, workletScope } from "./worklet-scope.ts";

class PlayerProcessor extends workletScope.AudioWorkletProcessor {
  readonly #engine = new PlayoutEngine(workletScope.sampleRate, (report) => this.port.postMessage(report));

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<PlayoutCommand>) => this.#engine.handle(data);
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const out = outputs[0]?.[0];
    if (out !== undefined) this.#engine.render(out);
    return true;
  }
}

workletScope.registerProcessor(PLAYER_PROCESSOR, PlayerProcessor);
