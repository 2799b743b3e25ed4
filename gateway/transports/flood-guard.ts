/** A caller's audio may run this far ahead of real time, and catch up after a stall of this length. */
const MAX_AHEAD_MS = 1_000;
const MAX_CATCH_UP_MS = 10_000;
const MAX_MESSAGES_PER_SECOND = 250;
const MAX_MESSAGE_BURST = 750;

/** Keeps one socket from taking more than its share: messages a second, and audio faster than real time. */
export class FloodGuard {
  #messages = MAX_MESSAGE_BURST;
  #messagesAtMs: number;
  #aheadMs = 0;
  #audioAtMs: number;

  constructor(nowMs: number) {
    this.#messagesAtMs = nowMs;
    this.#audioAtMs = nowMs;
  }

  /** False: drop the message. */
  admitMessage(nowMs: number): boolean {
    const refill = ((nowMs - this.#messagesAtMs) * MAX_MESSAGES_PER_SECOND) / 1000;
    this.#messages = Math.min(MAX_MESSAGE_BURST, this.#messages + refill);
    this.#messagesAtMs = nowMs;
    if (this.#messages < 1) return false;
    this.#messages -= 1;
    return true;
  }

  /** False: drop the audio; it comes faster than it can have been spoken. */
  admitAudio(durationMs: number, nowMs: number): boolean {
    this.#aheadMs = Math.max(-MAX_CATCH_UP_MS, this.#aheadMs - (nowMs - this.#audioAtMs));
    this.#audioAtMs = nowMs;
    if (this.#aheadMs + durationMs > MAX_AHEAD_MS) return false;
    this.#aheadMs += durationMs;
    return true;
  }
}
