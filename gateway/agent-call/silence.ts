import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";

export type SilenceAction =
  | { readonly action: "prompt"; readonly text: string; readonly silentMs: number }
  | { readonly action: "hangup"; readonly silentMs: number };

/** Counts the silence of both sides: says the prompts in turn, then hangs up (`silence_hangup`). */
export class SilenceWatch {
  readonly #settings: CallPlan["silence"];
  #silentSinceMs: number;
  #promptsSaid = 0;
  #turn = 0;

  constructor(settings: CallPlan["silence"], nowMs: number) {
    this.#settings = settings;
    this.#silentSinceMs = nowMs;
  }

  /** Notes that one side speaks or thinks. */
  disturb(nowMs: number): void {
    this.#silentSinceMs = nowMs;
  }

  /** Notes that the caller took part; prompts start over. */
  callerTookPart(nowMs: number): void {
    this.#promptsSaid = 0;
    this.#silentSinceMs = nowMs;
  }

  /** Notes the number of the last turn begun: a short answer may be over before the next check. */
  noteTurn(turn: number, nowMs: number): void {
    if (turn === this.#turn) return;
    this.#turn = turn;
    this.callerTookPart(nowMs);
  }

  /** Returns the action due at `nowMs` if it has been quiet since the last check. */
  check(nowMs: number): SilenceAction | undefined {
    const { promptAfterMs, prompts, hangupAfterMs } = this.#settings;
    const silentMs = nowMs - this.#silentSinceMs;
    const prompt = promptAfterMs > 0 ? prompts[this.#promptsSaid] : undefined;
    if (prompt !== undefined) {
      if (silentMs < promptAfterMs) return undefined;
      this.#promptsSaid += 1;
      this.#silentSinceMs = nowMs;
      return { action: "prompt", text: prompt, silentMs: Math.round(silentMs) };
    }
    if (hangupAfterMs === 0 || silentMs < hangupAfterMs) return undefined;
    this.#silentSinceMs = nowMs;
    return { action: "hangup", silentMs: Math.round(silentMs) };
  }
}
