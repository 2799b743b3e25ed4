import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";

export type HearingAction = "say" | "hangup";

/**
 * What a call does whose recognizers have all failed: the caller is told once, and who has no other way in is hung up on
 * (`internal_error`). Pure: the call looks at it and carries out what it says.
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

  /** The countdown begins again: the caller took part by a key, or is not on the line. */
  disturb(nowMs: number): void {
    this.#disturbedMs = nowMs;
  }

  /**
   * What is due. `isBusy`: the agent says or thinks something, which is let come to its end. `canType`: the caller's app
   * takes text, so that the call never ends for this.
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
