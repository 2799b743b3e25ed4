import type { Clock } from "@parley/shared/clock.ts";
import { CLOSE } from "@parley/shared/contracts/close-codes.ts";
import type { Call } from "./call.ts";

/** One timer turns the wheel for every call of the node. */
const TICK_MS = 20;

/** The live calls of this node, and the one wheel that moves them. */
export class CallRegistry {
  readonly #calls = new Map<string, Call>();
  readonly #stopWheel: () => void;
  readonly #onTickFailed: (error: unknown) => void;
  readonly #onSize: (calls: number) => void;
  #idleWaiters: (() => void)[] = [];

  constructor(deps: {
    clock: Clock;
    onTickFailed: (error: unknown) => void;
    onSize: (calls: number) => void;
  }) {
    this.#onTickFailed = deps.onTickFailed;
    this.#onSize = deps.onSize;
    this.#stopWheel = deps.clock.every(TICK_MS, () => this.#tick());
  }

  get size(): number {
    return this.#calls.size;
  }

  get(sessionId: string): Call | undefined {
    return this.#calls.get(sessionId);
  }

  add(sessionId: string, call: Call): void {
    this.#calls.set(sessionId, call);
    this.#onSize(this.#calls.size);
  }

  remove(sessionId: string): void {
    this.#calls.delete(sessionId);
    this.#onSize(this.#calls.size);
    if (this.#calls.size > 0) return;
    const waiters = this.#idleWaiters;
    this.#idleWaiters = [];
    for (const wake of waiters) wake();
  }

  /** Resolves when the last call is gone. */
  async whenIdle(): Promise<void> {
    if (this.#calls.size === 0) return;
    await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  /** Ends every call because the node restarts; resolves when their records are complete. */
  async endAll(): Promise<void> {
    const calls = [...this.#calls.values()];
    for (const call of calls) call.end("node_draining", CLOSE.restarting);
    await Promise.allSettled(calls.map((call) => call.ended));
  }

  close(): void {
    this.#stopWheel();
  }

  #tick(): void {
    for (const call of this.#calls.values()) {
      try {
        call.tick();
      } catch (error) {
        // One call's fault must not stop the wheel of the others.
        this.#onTickFailed(error);
        call.end("internal_error");
      }
    }
  }
}
