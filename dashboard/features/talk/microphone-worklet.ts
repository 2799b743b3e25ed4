import { CALL_RATE_HZ } from "./call-format.ts";
import { MicrophoneFramer } from "./microphone-framer.ts";
import { MICROPHONE_PROCESSOR, workletScope } from "./worklet-scope.ts";

class MicrophoneProcessor extends workletScope.AudioWorkletProcessor {
  readonly #framer = new MicrophoneFramer(workletScope.sampleRate, CALL_RATE_HZ);

  process(inputs: Float32Array[][]): boolean {
    const block = inputs[0]?.[0];
    if (block === undefined) return true;
    for (const frame of this.#framer.push(block)) {
      this.port.postMessage(frame, [frame.samples.buffer]);
    }
    return true;
  }
}

workletScope.registerProcessor(MICROPHONE_PROCESSOR, MicrophoneProcessor);
