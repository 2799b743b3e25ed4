import type { MicrophoneOptions } from "./microphone.ts";
import type { PlayerOptions } from "./player.ts";
import type { RecognitionOptions } from "./recognition.ts";

/** What plays the agent. See `Player`. */
export interface Loudspeaker {
  play(samples: Int16Array<ArrayBuffer>): void;
  mark(name: string): void;
  startTurn(): void;
  /** @returns ms of the current agent turn that were heard */
  clear(): Promise<number>;
  close(): Promise<void>;
}

/** Where the caller's voice comes from. See `Microphone`. */
export interface CallerMicrophone {
  readonly track: MediaStreamTrack | undefined;
  mute(): void;
  unmute(): void;
  close(): Promise<void>;
}

/** What turns speech into text in the browser. See `Recognition`. */
export interface Recognizer {
  start(): void;
  stop(): void;
}

/** A call's devices, injected so that tests run without a browser. */
export interface CallDevices {
  openLoudspeaker(options: PlayerOptions): Promise<Loudspeaker>;
  /** @throws MicrophoneError */
  openMicrophone(options: MicrophoneOptions, signal: AbortSignal): Promise<CallerMicrophone>;
  /** @returns undefined where there is none */
  createRecognizer(options: RecognitionOptions): Recognizer | undefined;
}
