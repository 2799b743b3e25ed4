import type { Streams } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import {
  CALL_EVENTS_STREAM,
  type CallEvent,
  type CallEventBody,
  encodeCallEvent,
} from "@parley/shared/contracts/call-events.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { IncreasingTime } from "@parley/shared/increasing-time.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Spill } from "./spill.ts";

/** Pause before the bus is tried again. */
const RETRY_MS = 500;
/** Events that are on their way for so long shall outlive this process, whatever becomes of them. */
const SLOW_MS = 250;
/** Events on their way at once; the order within a session is the order of the queue. */
const BATCH = 64;

export interface CallEventWriter {
  /**
   * Hands an event over; it reaches the stream in the order of these calls. Never throws, never waits; false
   * when the log has ended and the event is let go. `at`: when it happened, if that is not now, of `stamp`.
   */
  append(body: CallEventBody, at?: string): boolean;
  /** Now, as nothing else of the call is told to have happened. */
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
 * The gateway's end of the durable stream. Events wait in order and leave in order; while the bus is away
 * they stay in a bounded spill, which a crash does not reach. One whose append failed is sent again under the same id, so that the
 * event projector applies it once whatever had become of the first try.
 */
export class CallEventLog {
  readonly #deps: CallEventLogDeps;
  readonly #spill: Spill;
  #isPumping = false;
  #isAway = false;
  /** A try is due after a pause; until then new events only wait. */
  #isRetryDue = false;
  #cancelRetry: () => void = () => undefined;
  #isClosed = false;
  #emptyWaiters: (() => void)[] = [];

  constructor(deps: CallEventLogDeps) {
    this.#deps = deps;
    this.#spill = deps.spill;
  }

  /** The writer of one call; counts its events. */
  forCall(call: { sessionId: string; orgId: string }): CallEventWriter {
    let seq = 0;
    /** Since another agent goes on. */
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
   * Hands over what waits, for at most `deadlineMs`, and ends; gives how many events still wait in the spill.
   * What is appended afterwards is let go.
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

  /** Sends the oldest events; false when the bus did not take all of them. */
  async #sendBatch(): Promise<boolean> {
    const { streams, clock, metrics, log } = this.#deps;
    const batch = this.#spill.oldest(BATCH);
    const startedMs = clock.monotonicMs();
    const cancelSlow = clock.after(SLOW_MS, () => this.#spill.keep());
    const results = await Promise.allSettled(
      batch.map((entry) => streams.append(CALL_EVENTS_STREAM, entry.payload)),
    );
    cancelSlow();
    metrics.busPublishSeconds.observe((clock.monotonicMs() - startedMs) / 1000);
    const failed = results.findIndex((result) => result.status === "rejected");
    // What follows a failed one goes again too, in order and under the same ids.
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
