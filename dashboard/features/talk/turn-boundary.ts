import type { CallActivity } from "@parley/shared/contracts/call-socket.ts";

/**
 * Detects from the gateway's messages which audio begins a new agent turn, since the answer to `clear` counts
 * from the turn's first audio. A turn stopped by a false alarm resumes where it was: the gateway sends
 * `listening` and `clear`, then the rest. `thinking` in between means that it does not resume.
 */
export class TurnBoundary {
  #since: { thought: boolean; listened: boolean; cleared: boolean } = {
    thought: true,
    listened: false,
    cleared: false,
  };

  onState(state: CallActivity): void {
    if (state === "thinking") this.#since.thought = true;
    if (state === "listening") this.#since.listened = true;
  }

  onClear(): void {
    this.#since.cleared = true;
  }

  /** Handles agent audio. @returns true when it is the first of a new turn */
  onAudio(): boolean {
    const { thought, listened, cleared } = this.#since;
    this.#since = { thought: false, listened: false, cleared: false };
    return thought || (listened && !cleared);
  }
}
