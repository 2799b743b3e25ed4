import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import { DtmfDetector } from "../dtmf/detector.ts";
import { FRAME_MS } from "../pcm.ts";

/** A key comes back this long after it was played at the latest: an echo's longest delay, and what finding it takes. */
const LATEST_MS = 500;
/** An app may play sooner than it was asked to. */
const EARLY_SLACK_MS = 100;

export interface OwnKeysOptions {
  readonly leadMs: number;
  /** How long after its time the caller's app really plays, as far as it tells. */
  readonly behindMs: () => number;
}

/** The keys the agent presses, which come back as keys of the caller's where there is an echo. Each comes back once. */
export class OwnKeys {
  readonly #options: OwnKeysOptions;
  readonly #detector = new DtmfDetector();
  #keys: { readonly digit: DtmfDigit; readonly playAtMs: number }[] = [];
  #nextAtMs: number | undefined;

  constructor(options: OwnKeysOptions) {
    this.#options = options;
  }

  /** The agent's frame of 20 ms, in a reply that has keys, which plays at `playAtMs`. */
  sent(frame: Int16Array, playAtMs: number): void {
    if (this.#nextAtMs !== playAtMs) this.#detector.reset();
    this.#nextAtMs = playAtMs + FRAME_MS;
    const digit = this.#detector.push(frame);
    if (digit !== undefined) this.#keys.push({ digit, playAtMs });
  }

  /** True when the key found in the caller's audio at `nowMs` is one of the agent's come back. */
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
