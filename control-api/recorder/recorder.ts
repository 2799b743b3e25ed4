import type { Bus, StreamEntry } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import {
  CALL_EVENTS_STREAM,
  type CallEvent,
  callEventSchema,
  RECORDER_GROUP,
} from "@parley/shared/contracts/call-events.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { applyEvent } from "./projection.ts";

const BATCH = 100;
const BLOCK_MS = 2_000;
/** Another process that took events and did not acknowledge them by then is dead. */
const CLAIM_AFTER_MS = 10_000;
const RETRY_MS = 500;

/** What else follows from an event. */
export interface Raise {
  /** In the transaction that records it; gives how much there is to send. */
  readonly inTransaction: (trx: Database["db"], event: CallEvent) => Promise<number>;
  /** There is something to send, and it is committed. */
  readonly committed: () => void;
}

export interface RecorderDeps {
  readonly raise?: Raise | undefined;
  /** An event was recorded for the first time; what follows must not hold the recorder up. */
  readonly onRecorded?: ((event: CallEvent) => void) | undefined;
  readonly bus: Bus;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<
    Metrics,
    "recorderAppliedTotal" | "recorderDuplicatesTotal" | "recorderErrorsTotal" | "recorderBacklog"
  >;
}

/**
 * Writes the durable stream into the database. An entry is acknowledged after its commit and never before:
 * a recorder that dies in between leaves it to the next one, which finds it written already.
 */
export class Recorder {
  readonly #deps: RecorderDeps;
  readonly #consumer = newId("nod");
  #isRunning = false;
  #stopped: Promise<void> = Promise.resolve();

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#stopped = this.#run();
  }

  /** Resolves when what was begun is finished. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#stopped;
  }

  async #run(): Promise<void> {
    const { log, metrics, clock } = this.#deps;
    let isStuck = false;
    while (this.#isRunning) {
      try {
        await this.#recordNext();
        if (isStuck) log.info({}, "call events are recorded again");
        isStuck = false;
      } catch (error) {
        metrics.recorderErrorsTotal.inc();
        // One line an outage; the metric counts the tries.
        if (!isStuck) log.error({ err: messageOf(error) }, "call events could not be recorded, trying again");
        isStuck = true;
        await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
      }
    }
  }

  async #recordNext(): Promise<void> {
    const { bus, metrics } = this.#deps;
    const entries = await bus.streams.read(CALL_EVENTS_STREAM, {
      group: RECORDER_GROUP,
      consumer: this.#consumer,
      count: BATCH,
      blockMs: BLOCK_MS,
      claimAfterMs: CLAIM_AFTER_MS,
    });
    if (entries.length === 0) return;
    await this.#apply(entries);
    const entryIds = entries.map(({ entryId }) => entryId);
    await bus.streams.ack(CALL_EVENTS_STREAM, RECORDER_GROUP, entryIds);
    metrics.recorderBacklog.set(await bus.streams.backlog(CALL_EVENTS_STREAM, RECORDER_GROUP));
  }

  async #apply(entries: readonly StreamEntry[]): Promise<void> {
    const { database, metrics, raise } = this.#deps;
    const events = entries.flatMap((entry) => this.#parse(entry));
    let raised = 0;
    const applied = await database.db.transaction().execute(async (trx) => {
      const results: boolean[] = [];
      raised = 0;
      for (const event of events) {
        const isNew = await applyEvent(trx, event);
        if (isNew && raise) raised += await raise.inTransaction(trx, event);
        results.push(isNew);
      }
      return results;
    });
    if (raised > 0) raise?.committed();
    for (const [index, event] of events.entries()) {
      if (applied[index]) {
        metrics.recorderAppliedTotal.inc({ type: event.type });
        this.#deps.onRecorded?.(event);
      } else metrics.recorderDuplicatesTotal.inc();
    }
  }

  /** An entry nobody can read is put aside in the log: it must not keep the others waiting for ever. */
  #parse(entry: StreamEntry): CallEvent[] {
    try {
      return [callEventSchema.parse(JSON.parse(entry.payload))];
    } catch (error) {
      this.#deps.metrics.recorderErrorsTotal.inc();
      this.#deps.log.error(
        { err: messageOf(error), entryId: entry.entryId },
        "an unreadable call event was put aside",
      );
      return [];
    }
  }
}
