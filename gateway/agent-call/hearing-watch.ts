import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";

export type HearingAction = "say" | "hangup";

/**
 * Decides what a call does once all its recognizers have failed: it tells the caller once, and hangs up on a caller
 * with no other way to take part (`internal_error`). Pure: the call polls it and carries out its actions.
 */
export class HearingWatch {
  readonly #settings: CallPlan["outage"];
  #isLost = false;
  #disturbedMs = 0;
  #isTold = false;

  constructor(settings: CallPlan["outage"]) {
    this.#settings = settings;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  lost(nowMs: number): void {
    this.#isLost = true;
    this.#disturbedMs = nowMs;
    this.#isTold = this.#settings.hearingLine === "";
  }

  recovered(): void {
    this.#isLost = false;
  }

  /** Restarts the countdown because the caller took part by a key or is not on the line. */
  disturb(nowMs: number): void {
    this.#disturbedMs = nowMs;
  }

  /**
   * Returns the action that is due. `isBusy`: the agent is speaking or thinking and may finish. `canType`: the caller's
   * app accepts text, so the call never ends for this reason.
   */
  check(
    nowMs: number,
    { isBusy, canType }: { isBusy: boolean; canType: boolean },
  ): HearingAction | undefined {
    if (!this.#isLost) return undefined;
    if (!this.#isTold && !isBusy) {
      this.#isTold = true;
      return "say";
    }
    const { hangupAfterMs } = this.#settings;
    if (canType || hangupAfterMs === 0 || nowMs - this.#disturbedMs < hangupAfterMs) return undefined;
    return "hangup";
  }
}
