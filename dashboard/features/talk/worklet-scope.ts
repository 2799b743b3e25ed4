/** One audio processor inside an AudioWorklet (Web Audio API, AudioWorkletProcessor). */
interface Processor {
  readonly port: MessagePort;
}

interface WorkletScope {
  readonly AudioWorkletProcessor: new () => Processor;
  /** Sample rate of the worklet's context. */
  readonly sampleRate: number;
  registerProcessor(name: string, processor: new () => Processor): void;
}

/**
 * The globals of an AudioWorklet, which the DOM typings lack. Not an ambient declaration, so that no other
 * file believes it has a global `sampleRate`.
 */
export const workletScope = globalThis as unknown as WorkletScope;

/** Names under which the two processors register. */
export const PLAYER_PROCESSOR = "parley-player";
export const MICROPHONE_PROCESSOR = "parley-microphone";
