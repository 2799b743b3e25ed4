/** A synthetic caller's behavior, repeated until the call's time is over. */
export interface CallerScript {
  /** Silence before the first sentence; spreads the callers over a cycle. */
  readonly firstAfterMs: number;
  /** Silence after the agent has finished. */
  readonly pauseMs: number;
  /** Interrupts every n-th answer; 0: none. */
  readonly interruptEvery: number;
  /** How much of an answer plays before the interruption. */
  readonly interruptAfterMs: number;
  /** Sends nothing, like an app whose microphone is off. */
  readonly isMuted: boolean;
}

export const DEFAULT_SCRIPT: CallerScript = {
  firstAfterMs: 0,
  pauseMs: 500,
  interruptEvery: 4,
  interruptAfterMs: 1_200,
  isMuted: false,
};
