/** One audio processor inside an AudioWorklet (Web Audio API, AudioWorkletProcessor). */
interface Processor {
  readonly port: MessagePort;
}

interface WorkletScope {
  readonly AudioWorkletProcessor: new () => Processor;
  /** Rate of the context the worklet runs in. */
  readonly sampleRate: number;
  registerProcessor(name: string, processor: new () => Processor): void;
}

/**
 * The globals of an AudioWorklet, which the DOM typings lack. Read through this instead of ambient
 * declarations, so that no other file believes it has a global `sampleRate`.
 */
export const workletScope = globalThis as unknown as WorkletScope;

/** Names under which the two processors register. */
export const PLAYER_PROCESSOR = "parley-player";
export const MICROPHONE_PROCESSOR = "parley-microphone";
