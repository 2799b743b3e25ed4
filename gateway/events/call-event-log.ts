import type { Streams } from "@parley/shared/bus/bus.ts";
import { appendCallEvent } from "@parley/shared/bus/call-event-stream.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { type CallEvent, type CallEventBody, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { IncreasingTime } from "@parley/shared/increasing-time.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Spill } from "./spill.ts";

/** Pause before the next try to reach the bus. */
const RETRY_MS = 500;
/** Events in flight for longer than this must outlive this process, whatever becomes of them. */
const SLOW_MS = 250;
/** Maximum number of events in flight; the queue's order is the order within a session. */
const BATCH = 64;

export interface CallEventWriter {
  /**
   * Queues an event; events reach the stream in the order of these calls. Never throws, never waits. Drops the event
   * and returns false if the log has ended. `at`: a `stamp` of when the event happened, if not now.
   */
  append(body: CallEventBody, at?: string): boolean;
  /** The current time as a stamp that no other event of the call shares. */
  stamp(): string;
}

export interface CallEventLogDeps {
  readonly streams: Streams;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<
    Metrics,
    "callEventsTotal" | "callEventsSpilledTotal" | "eventSpillSize" | "busPublishSeconds"
  >;
  /** Where events wait for the bus. */
  readonly spill: Spill;
}

/**
 * The gateway's end of the durable stream. Events wait and leave in order; while the bus is away they stay in a bounded
 * spill that survives a crash. An event whose append failed is sent again under the same id, so the projector applies
 * it once, whatever became of the first try.
 */
export class CallEventLog {
  readonly #deps: CallEventLogDeps;
  readonly #spill: Spill;
  #isPumping = false;
  #isAway = false;
  /** True while a retry is scheduled; new events only wait until then. */
  #isRetryDue = false;
  #cancelRetry: () => void = () => undefined;
  #isClosed = false;
  #emptyWaiters: (() => void)[] = [];

  constructor(deps: CallEventLogDeps) {
    this.#deps = deps;
    this.#spill = deps.spill;
  }

  /** Returns the writer of one call, which numbers the call's events. */
  forCall(call: { sessionId: string; orgId: string }): CallEventWriter {
    let seq = 0;
    /** Set once another agent has taken over. */
    let agent: { agentId?: string } = {};
    const times = new IncreasingTime();
    const stamp = (): string => times.next(this.#deps.clock.wallMs());
    return {
      stamp,
      append: (body, at = stamp()) => {
        if (body.type === "call.handed_off") agent = { agentId: body.agentId };
        const event = { id: newId("evt"), ...call, ...agent, seq, at, ...body } as CallEvent;
        seq += 1;
        return this.#push(event);
      },
    };
  }

  /**
   * Hands over the waiting events for at most `deadlineMs` and ends the log. Returns how many events still wait in the
   * spill. Events appended afterwards are dropped.
   */
  async close(deadlineMs: number): Promise<number> {
    await this.#untilEmpty(deadlineMs);
    this.#isClosed = true;
    this.#cancelRetry();
    await this.#spill.close();
    return this.#spill.size;
  }

  async #untilEmpty(deadlineMs: number): Promise<void> {
    if (this.#spill.size === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.clock.after(deadlineMs, resolve);
      this.#emptyWaiters.push(() => {
        cancel();
        resolve();
      });
    });
  }

  #push(event: CallEvent): boolean {
    const { metrics, log } = this.#deps;
    if (this.#isClosed) {
      log.error(
        { event: "event_after_stop", sessionId: event.sessionId, type: event.type },
        "an event came after the end of its node",
      );
      return false;
    }
    this.#spill.push({ type: event.type, payload: encodeCallEvent(event) });
    metrics.callEventsTotal.inc({ type: event.type });
    metrics.eventSpillSize.set(this.#spill.size);
    if (this.#isAway) metrics.callEventsSpilledTotal.inc();
    void this.#pump();
    return true;
  }

  async #pump(): Promise<void> {
    if (this.#isPumping || this.#isRetryDue || this.#isClosed) return;
    this.#isPumping = true;
    try {
      while (this.#spill.size > 0) {
        if (!(await this.#sendBatch())) {
          if (!this.#isClosed) this.#retryLater();
          return;
        }
      }
      const waiters = this.#emptyWaiters;
      this.#emptyWaiters = [];
      for (const wake of waiters) wake();
    } finally {
      this.#isPumping = false;
    }
  }

  #retryLater(): void {
    this.#isRetryDue = true;
    this.#cancelRetry = this.#deps.clock.after(RETRY_MS, () => {
      this.#isRetryDue = false;
      void this.#pump();
    });
  }

  /** Sends the oldest events; returns false if the bus did not take all of them. */
  async #sendBatch(): Promise<boolean> {
    const { streams, clock, metrics, log } = this.#deps;
    const batch = this.#spill.oldest(BATCH);
    const startedMs = clock.monotonicMs();
    const cancelSlow = clock.after(SLOW_MS, () => this.#spill.keep());
    const results = await Promise.allSettled(batch.map((entry) => appendCallEvent(streams, entry.payload)));
    cancelSlow();
    metrics.busPublishSeconds.observe((clock.monotonicMs() - startedMs) / 1000);
    const failed = results.findIndex((result) => result.status === "rejected");
    // Events after a failed one are sent again too, in order and under the same ids.
    this.#spill.drop(batch, failed === -1 ? batch.length : failed);
    metrics.eventSpillSize.set(this.#spill.size);
    const failure = results[failed];
    if (failure?.status !== "rejected") {
      if (this.#isAway)
        log.info({ event: "bus_back", waiting: this.#spill.size }, "the bus is back, events flow again");
      this.#isAway = false;
      return true;
    }
    if (!this.#isAway)
      log.warn(
        { event: "bus_away", err: messageOf(failure.reason) },
        "failed to write call events to the bus, they wait",
      );
    this.#isAway = true;
    this.#spill.keep();
    return false;
  }
}
