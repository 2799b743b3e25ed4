import type { Bus, StreamEntry } from "@parley/shared/bus/bus.ts";
import { type Clock, toTimestamp } from "@parley/shared/clock.ts";
import { type CallEvent, decodeCallEvent, PROJECTOR_GROUP } from "@parley/shared/contracts/call-events.ts";
import { DEAD_EVENTS_STREAM, type DeadEvent, MAX_DEAD_EVENTS } from "@parley/shared/contracts/dead-events.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Database } from "../../database/open.ts";
import type { EventFeed } from "../../subscriptions/event-feed.ts";
import { isCounted } from "./apply-events.ts";
import { type Written, writeBatch } from "./batches.ts";
import { HeldItems, type Item } from "./items.ts";
import { isPatienceOver, lookAgainInMs, MAX_TRIES, TRY_AGAIN_MS } from "./patience.ts";

const BATCH = 200;
const BLOCK_MS = 2_000;
/** Events waiting for another try. Beyond this the database refuses everything, and the rest is safer in the stream. */
const MAX_HELD = 5_000;
/** A process that has not acknowledged its events by then is dead. */
const CLAIM_AFTER_MS = 10_000;
const RETRY_MS = 500;

export interface EventProjectorDeps {
  /** The lane of the durable stream that it writes down. */
  readonly stream: string;
  readonly feed: Pick<EventFeed, "append" | "announce">;
  /** Called with the events of a batch that are recorded for the first time; must not block the event projector. */
  readonly onRecorded?: ((events: readonly CallEvent[]) => void) | undefined;
  readonly bus: Bus;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<
    Metrics,
    | "recorderAppliedTotal"
    | "recorderDuplicatesTotal"
    | "recorderErrorsTotal"
    | "recorderDeadTotal"
    | "recorderGapsTotal"
  >;
}

/**
 * Writes a lane of the durable stream into the database. Entries are acknowledged only after their commit: if an event
 * projector dies in between, the next one finds the entry already written. A refused batch is halved until only the
 * faulty events remain; those are retried and end in the stream of dead events. A call's end waits for earlier events,
 * which another event projector may be writing.
 */
export class EventProjector {
  readonly #deps: EventProjectorDeps;
  readonly #consumer = newId("nod");
  readonly #held = new HeldItems();
  /** Batches read but not written; the first is next. */
  #todo: Item[][] = [];
  #toAcknowledge: string[] = [];
  #isRunning = false;
  #stopping = new AbortController();
  #stopped: Promise<void> = Promise.resolve();

  constructor(deps: EventProjectorDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#stopping = new AbortController();
    this.#stopped = this.#run();
  }

  /** Resolves when pending work is finished. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#stopping.abort();
    await this.#stopped;
  }

  async #run(): Promise<void> {
    const { log, metrics, clock } = this.#deps;
    let isStuck = false;
    while (this.#isRunning) {
      try {
        await this.#recordNext();
        if (isStuck) log.info({ event: "recording_of_events_resumed" }, "call events are recorded again");
        isStuck = false;
      } catch (error) {
        metrics.recorderErrorsTotal.inc();
        // One line per outage; the metric counts the tries.
        if (!isStuck)
          log.error(
            { event: "call_events_not_recorded", err: messageOf(error) },
            "failed to record call events, trying again",
          );
        isStuck = true;
        await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
      }
    }
  }

  /** Throws if the bus or the database is away; nothing is lost then. */
  async #recordNext(): Promise<void> {
    await this.#acknowledge();
    if (this.#todo.length === 0) await this.#read();
    const [batch] = this.#todo;
    if (!batch) return;
    const heldUp = await this.#findHeldUp(batch);
    const written = await writeBatch(
      batch,
      { isPatienceOver, isHeldUp: ({ entry }) => heldUp.has(entry.entryId) },
      this.#deps,
    );
    if (written.kind === "failed" && written.failure === "away") throw written.error;
    this.#todo.shift();
    if (written.kind === "written") this.#settle(batch, written);
    else if (batch.length > 1) this.#todo.unshift(...halvesOf(batch));
    else for (const item of batch) await this.#refused(item, written);
    await this.#acknowledge();
  }

  async #read(): Promise<void> {
    const { clock } = this.#deps;
    const entries = await this.#readEntries();
    const items: Item[] = this.#held.takeDue(clock.monotonicMs(), BATCH);
    for (const entry of entries) {
      // Entries held here for long are delivered again.
      if (this.#held.has(entry.entryId) || items.some((item) => item.entry.entryId === entry.entryId))
        continue;
      const event = await this.#decode(entry);
      if (event) items.push({ entry, event, tries: 0, looks: 0 });
    }
    if (items.length > 0) this.#todo.push(items);
  }

  /** Waits until entries arrive or a held item is due. */
  async #readEntries(): Promise<StreamEntry[]> {
    const { bus, clock, stream } = this.#deps;
    const waitMs = Math.min(BLOCK_MS, this.#held.dueInMs(clock.monotonicMs()) ?? BLOCK_MS);
    if (this.#held.size >= MAX_HELD) {
      await new Promise<void>((resolve) => clock.after(waitMs, resolve));
      return [];
    }
    return bus.streams.read(stream, {
      group: PROJECTOR_GROUP,
      consumer: this.#consumer,
      count: BATCH,
      blockMs: waitMs,
      claimAfterMs: CLAIM_AFTER_MS,
      signal: this.#stopping.signal,
    });
  }

  /** An end whose `seq` does not count waits until no other consumer holds an earlier entry. */
  async #findHeldUp(batch: readonly Item[]): Promise<Set<string>> {
    const { bus, stream } = this.#deps;
    const reader = { group: PROJECTOR_GROUP, consumer: this.#consumer };
    const heldUp = new Set<string>();
    for (const { entry, event } of batch) {
      if (event.type !== "call.ended" || isCounted(event)) continue;
      if (await bus.streams.isEarlierHeld(stream, reader, entry.entryId)) heldUp.add(entry.entryId);
    }
    return heldUp;
  }

  #settle(
    batch: readonly Item[],
    { recorded, waiting, position }: Extract<Written, { kind: "written" }>,
  ): void {
    const { metrics, feed, clock, log } = this.#deps;
    feed.announce(recorded, position);
    const waits = new Set(waiting.map(({ id }) => id));
    const news = new Map(recorded.map((event) => [event.id, event]));
    if (recorded.length > 0) this.#deps.onRecorded?.(recorded);
    for (const item of batch) {
      const { event, entry, looks } = item;
      if (waits.has(event.id)) {
        this.#held.hold({ ...item, looks: looks + 1 }, clock.monotonicMs() + lookAgainInMs(looks));
        continue;
      }
      this.#toAcknowledge.push(entry.entryId);
      const written = news.get(event.id);
      // An entry delivered twice appears twice.
      news.delete(event.id);
      if (!written) {
        metrics.recorderDuplicatesTotal.inc();
        continue;
      }
      if (isPatienceOver(item)) {
        metrics.recorderGapsTotal.inc();
        log.warn(
          { event: "call_event_gap", ...namesOf(item) },
          "a call's end was recorded although an event before it is missing",
        );
      }
      metrics.recorderAppliedTotal.inc({ type: event.type });
    }
  }

  /** The database accepts everything except this event. */
  async #refused(item: Item, { failure, error }: Extract<Written, { kind: "failed" }>): Promise<void> {
    const { log, metrics, clock } = this.#deps;
    const tries = item.tries + 1;
    const names = { ...namesOf(item), tries, err: messageOf(error) };
    if (failure === "unclear") metrics.recorderErrorsTotal.inc();
    if (tries < (failure === "data" ? MAX_TRIES.data : MAX_TRIES.unclear)) {
      if (tries === 1)
        log.warn(
          { event: "call_event_refused", ...names },
          "the database refused a call event, trying again",
        );
      const againMs = failure === "data" ? TRY_AGAIN_MS.data : TRY_AGAIN_MS.unclear;
      this.#held.hold({ ...item, tries }, clock.monotonicMs() + againMs);
      return;
    }
    // Held until it is in the dead stream, so that nothing is lost if the bus goes away.
    this.#held.hold(item, clock.monotonicMs() + TRY_AGAIN_MS.data);
    await this.#putAside(item.entry, { reason: messageOf(error), tries });
    this.#held.drop(item.entry.entryId);
    log.error({ event: "call_event_put_aside", ...names }, "failed to record a call event, it was put aside");
  }

  async #decode(entry: StreamEntry): Promise<CallEvent | undefined> {
    try {
      return decodeCallEvent(entry.payload);
    } catch (error) {
      const { entryId } = entry;
      await this.#putAside(entry, { reason: messageOf(error), tries: 0 });
      this.#deps.log.error(
        { event: "call_event_unreadable", err: messageOf(error), entryId },
        "failed to read a call event, it was put aside",
      );
      return undefined;
    }
  }

  async #putAside(
    { entryId, payload }: StreamEntry,
    { reason, tries }: Pick<DeadEvent, "reason" | "tries">,
  ): Promise<void> {
    const { bus, clock, log, metrics } = this.#deps;
    const dead: DeadEvent = { at: toTimestamp(clock.wallMs()), reason, tries, entryId, payload };
    await bus.streams.append(DEAD_EVENTS_STREAM, JSON.stringify(dead));
    const dropped = await bus.streams.keepNewest(DEAD_EVENTS_STREAM, MAX_DEAD_EVENTS);
    if (dropped > 0)
      log.error(
        { event: "put_aside_events_dropped", dropped },
        "dropped the oldest events that were put aside, there are too many",
      );
    metrics.recorderDeadTotal.inc();
    this.#toAcknowledge.push(entryId);
  }

  async #acknowledge(): Promise<void> {
    const entryIds = this.#toAcknowledge;
    if (entryIds.length === 0) return;
    const { bus, stream } = this.#deps;
    await bus.streams.ack(stream, PROJECTOR_GROUP, entryIds);
    this.#toAcknowledge = [];
  }
}

function halvesOf(batch: readonly Item[]): Item[][] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}

function namesOf({ entry, event }: Item) {
  const { id: eventId, sessionId, orgId, type } = event;
  return { entryId: entry.entryId, eventId, sessionId, orgId, type };
}
