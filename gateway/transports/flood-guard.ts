/** How far a caller's audio may run ahead of real time; also the longest stall it may catch up on. */
const MAX_AHEAD_MS = 1_000;
const MAX_CATCH_UP_MS = 10_000;
const MAX_MESSAGES_PER_SECOND = 250;
const MAX_MESSAGE_BURST = 750;

/** Limits one socket to its share: messages per second, and audio at the pace of real time. */
export class FloodGuard {
  #messages = MAX_MESSAGE_BURST;
  #messagesAtMs: number;
  #aheadMs = 0;
  #audioAtMs: number;

  constructor(nowMs: number) {
    this.#messagesAtMs = nowMs;
    this.#audioAtMs = nowMs;
  }

  /** Returns false if the message must be dropped. */
  admitMessage(nowMs: number): boolean {
    const refill = ((nowMs - this.#messagesAtMs) * MAX_MESSAGES_PER_SECOND) / 1000;
    this.#messages = Math.min(MAX_MESSAGE_BURST, this.#messages + refill);
    this.#messagesAtMs = nowMs;
    if (this.#messages < 1) return false;
    this.#messages -= 1;
    return true;
  }

  /** Returns false if the audio must be dropped because it arrives faster than it can have been spoken. */
  admitAudio(durationMs: number, nowMs: number): boolean {
    this.#aheadMs = Math.max(-MAX_CATCH_UP_MS, this.#aheadMs - (nowMs - this.#audioAtMs));
    this.#audioAtMs = nowMs;
    if (this.#aheadMs + durationMs > MAX_AHEAD_MS) return false;
    this.#aheadMs += durationMs;
    return true;
  }
}
