import type { CallActivity } from "@parley/shared/contracts/call-socket.ts";

/**
 * Tells from the gateway's messages which audio begins a new agent turn, for the answer to `clear` counts
 * from the turn's first audio. A turn stopped by a false alarm goes on where it was: the gateway says
 * `listening` and `clear`, then sends the rest. `thinking` in between means that it does not.
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

  /** Agent audio came. @returns true when it is the first of a new turn */
  onAudio(): boolean {
    const { thought, listened, cleared } = this.#since;
    this.#since = { thought: false, listened: false, cleared: false };
    return thought || (listened && !cleared);
  }
}
