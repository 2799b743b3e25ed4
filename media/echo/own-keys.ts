import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import { DtmfDetector } from "../dtmf/detector.ts";
import { FRAME_MS } from "../pcm.ts";

/** Latest return of a key after it was played: an echo's longest delay plus the time to detect it. */
const LATEST_MS = 500;
/** An app may play audio earlier than requested. */
const EARLY_SLACK_MS = 100;

export interface OwnKeysOptions {
  readonly leadMs: number;
  /** How late the caller's app really plays, as far as it tells. */
  readonly behindMs: () => number;
}

/** Keys that the agent presses, which an echo returns as the caller's. Each key comes back once. */
export class OwnKeys {
  readonly #options: OwnKeysOptions;
  readonly #detector = new DtmfDetector();
  #keys: { readonly digit: DtmfDigit; readonly playAtMs: number }[] = [];
  #nextAtMs: number | undefined;

  constructor(options: OwnKeysOptions) {
    this.#options = options;
  }

  /** Takes each 20 ms frame of an agent's reply with keys; the frame plays at `playAtMs`. */
  sent(frame: Int16Array, playAtMs: number): void {
    if (this.#nextAtMs !== playAtMs) this.#detector.reset();
    this.#nextAtMs = playAtMs + FRAME_MS;
    const digit = this.#detector.push(frame);
    if (digit !== undefined) this.#keys.push({ digit, playAtMs });
  }

  /** True if the key found in the caller's audio at `nowMs` is an echo of one of the agent's keys. */
  isEcho(digit: DtmfDigit, nowMs: number): boolean {
    const latestMs = LATEST_MS + this.#options.behindMs();
    this.#keys = this.#keys.filter(({ playAtMs }) => nowMs - playAtMs <= latestMs);
    const earliestMs = -this.#options.leadMs - EARLY_SLACK_MS;
    const found = this.#keys.findIndex((key) => key.digit === digit && nowMs - key.playAtMs >= earliestMs);
    if (found === -1) return false;
    this.#keys.splice(found, 1);
    return true;
  }
}
