import type { Clock } from "@parley/shared/clock.ts";
import { CLOSE } from "@parley/shared/contracts/close-codes.ts";
import { OrgShare } from "@parley/shared/org-share.ts";
import type { LiveCall } from "./live-call.ts";

/** Interval at which every call is ticked. */
const TICK_MS = 20;
/** Number of spokes over which calls are spread, so that a thousand calls never tick in one go. */
const SPOKES = 5;
const SPOKE_MS = TICK_MS / SPOKES;

/** The live calls of this node, and the wheel whose single timer ticks them. */
export class CallRegistry {
  readonly #calls = new Map<string, LiveCall>();
  /** The organization of each call. */
  readonly #orgIds = new Map<string, string>();
  readonly #share: OrgShare;
  readonly #spokes: readonly Map<string, LiveCall>[] = Array.from({ length: SPOKES }, () => new Map());
  readonly #clock: Clock;
  readonly #startMs: number;
  /** Number of spokes turned since the start. */
  #turned = 0;
  readonly #stopWheel: () => void;
  readonly #onTickFailed: (error: unknown, sessionId: string) => void;
  readonly #onSize: (calls: number) => void;
  #idleWaiters: (() => void)[] = [];

  constructor(deps: {
    clock: Clock;
    maxCalls: number;
    onTickFailed: (error: unknown, sessionId: string) => void;
    onSize: (calls: number) => void;
  }) {
    this.#onTickFailed = deps.onTickFailed;
    this.#onSize = deps.onSize;
    this.#clock = deps.clock;
    this.#share = new OrgShare(deps.maxCalls);
    this.#startMs = deps.clock.monotonicMs();
    this.#stopWheel = deps.clock.every(SPOKE_MS, () => this.#catchUp());
  }

  get size(): number {
    return this.#calls.size;
  }

  get(sessionId: string): LiveCall | undefined {
    return this.#calls.get(sessionId);
  }

  /** True if the organization may begin one more call. */
  hasRoom(orgId: string): boolean {
    return this.#share.hasRoom(orgId);
  }

  add(sessionId: string, orgId: string, call: LiveCall): void {
    this.#calls.set(sessionId, call);
    this.#orgIds.set(sessionId, orgId);
    this.#share.take(orgId);
    const [emptiest] = [...this.#spokes].sort((a, b) => a.size - b.size);
    emptiest?.set(sessionId, call);
    this.#onSize(this.#calls.size);
  }

  remove(sessionId: string): void {
    this.#calls.delete(sessionId);
    const orgId = this.#orgIds.get(sessionId);
    if (orgId !== undefined && this.#orgIds.delete(sessionId)) this.#share.giveBack(orgId);
    for (const spoke of this.#spokes) spoke.delete(sessionId);
    this.#onSize(this.#calls.size);
    if (this.#calls.size > 0) return;
    const waiters = this.#idleWaiters;
    this.#idleWaiters = [];
    for (const wake of waiters) wake();
  }

  /** Resolves when no call is left. */
  async whenIdle(): Promise<void> {
    if (this.#calls.size === 0) return;
    await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  /** Ends each call for the node's restart as soon as its agent has finished the current sentence. */
  finishSentences(): void {
    for (const call of this.#calls.values()) call.endAfterSentence("node_draining", CLOSE.restarting);
  }

  /** Ends every call for the node's restart; resolves when their records are complete. */
  async endAll(): Promise<void> {
    const calls = [...this.#calls.values()];
    for (const call of calls) call.end("node_draining", CLOSE.restarting);
    await Promise.allSettled(calls.map((call) => call.ended));
  }

  close(): void {
    this.#stopWheel();
  }

  /** Turns every due spoke at most once, so that a late timer does not slow the calls down. */
  #catchUp(): void {
    const due = Math.floor((this.#clock.monotonicMs() - this.#startMs) / SPOKE_MS);
    this.#turned = Math.max(this.#turned, due - SPOKES);
    for (; this.#turned < due; this.#turned++) this.#turn(this.#turned % SPOKES);
  }

  #turn(index: number): void {
    const spoke = this.#spokes[index];
    for (const [sessionId, call] of spoke ?? []) {
      try {
        call.tick();
      } catch (error) {
        // A fault in one call must not stop the wheel for the others.
        this.#onTickFailed(error, sessionId);
        call.end("internal_error");
      }
    }
  }
}
