/** Why there is no microphone. */
export type MicrophoneFault = "refused" | "missing" | "busy" | "insecure" | "lost" | "broken";

/** Thrown when a microphone cannot be opened; `fault` says what the person can do. */
export class MicrophoneError extends Error {
  readonly fault: MicrophoneFault;

  constructor(fault: MicrophoneFault, cause?: unknown) {
    super(`no microphone: ${fault}`, { cause });
    this.fault = fault;
  }
}
