import type { Clock } from "../clock.ts";

/** Failures in a row after which a host is left alone for a while. */
const OPENS_AFTER = 5;
const COOL_DOWN_MS = 10_000;
/** Hosts remembered; the one that failed longest ago gives way. */
const MAX_HOSTS = 1_000;

interface Host {
  failures: number;
  openUntilMs: number;
}

/**
 * Circuit breaker a host: a dead brain costs its callers no connect time-out each. After the cool-down one
 * request probes; its success closes the circuit.
 */
export class BrainBreaker {
  readonly #clock: Clock;
  readonly #hosts = new Map<string, Host>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** False: do not even try. */
  admits(host: string): boolean {
    const state = this.#hosts.get(host);
    if (!state || state.failures < OPENS_AFTER) return true;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < state.openUntilMs) return false;
    // Everybody but this probe keeps waiting.
    state.openUntilMs = nowMs + COOL_DOWN_MS;
    return true;
  }

  succeeded(host: string): void {
    this.#hosts.delete(host);
  }

  failed(host: string): void {
    const state = this.#hosts.get(host) ?? { failures: 0, openUntilMs: 0 };
    state.failures += 1;
    state.openUntilMs = this.#clock.monotonicMs() + COOL_DOWN_MS;
    this.#hosts.delete(host);
    this.#hosts.set(host, state);
    const oldest = this.#hosts.keys().next().value;
    if (this.#hosts.size > MAX_HOSTS && oldest !== undefined) this.#hosts.delete(oldest);
  }
}
