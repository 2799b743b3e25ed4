/** What a synthetic caller does, again and again, until the call's time is over. */
export interface CallerScript {
  /** Quiet before it speaks the first time; spreads the callers over a cycle. */
  readonly firstAfterMs: number;
  /** Quiet after the agent has finished. */
  readonly pauseMs: number;
  /** Every n-th answer is talked over; 0: none. */
  readonly interruptEvery: number;
  /** How much of an answer it hears before it talks over it. */
  readonly interruptAfterMs: number;
  /** Sends nothing, as an app does whose microphone is off. */
  readonly isMuted: boolean;
}

export const DEFAULT_SCRIPT: CallerScript = {
  firstAfterMs: 0,
  pauseMs: 500,
  interruptEvery: 4,
  interruptAfterMs: 1_200,
  isMuted: false,
};
