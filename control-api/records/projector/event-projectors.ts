import { CALL_EVENTS_STREAM, PROJECTOR_GROUP } from "@parley/shared/contracts/call-events.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { EventProjector, type EventProjectorDeps } from "./event-projector.ts";

/** How often to look for lanes with entries that this process was not told of, and to measure the backlog. */
const LOOK_EVERY_MS = 5_000;

interface EventProjectorsDeps extends Omit<EventProjectorDeps, "stream" | "metrics"> {
  readonly metrics: EventProjectorDeps["metrics"] & Pick<Metrics, "recorderBacklog">;
}

/**
 * An event projector for each lane of the durable stream. Lanes beyond the configured ones are read, too, once
 * something lies in them: whoever wrote it was configured otherwise, and nothing may be left behind
 * (docs/decisions/events.md#events-have-lanes).
 */
export class EventProjectors {
  readonly #deps: EventProjectorsDeps;
  readonly #byLane = new Map<string, EventProjector>();
  #isRunning = false;
  #stopLooking: () => void = () => undefined;

  constructor(deps: EventProjectorsDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#read(CALL_EVENTS_STREAM);
    this.#stopLooking = this.#deps.clock.every(LOOK_EVERY_MS, () => void this.#look());
    void this.#look();
  }

  /** Resolves when pending work is finished. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#stopLooking();
    await Promise.all([...this.#byLane.values()].map((projector) => projector.stop()));
    this.#byLane.clear();
  }

  #read(lane: string): void {
    if (this.#byLane.has(lane)) return;
    const projector = new EventProjector({ ...this.#deps, stream: lane });
    this.#byLane.set(lane, projector);
    projector.start();
  }

  async #look(): Promise<void> {
    const { bus, metrics, log } = this.#deps;
    try {
      const lanes = await bus.streams.lanesOf(CALL_EVENTS_STREAM);
      if (!this.#isRunning) return;
      for (const lane of lanes) this.#read(lane);
      const backlogs = await Promise.all(lanes.map((lane) => bus.streams.backlog(lane, PROJECTOR_GROUP)));
      metrics.recorderBacklog.set(backlogs.reduce((sum, one) => sum + one, 0));
    } catch (error) {
      log.debug(
        { event: "recorder_backlog_unknown", err: messageOf(error) },
        "failed to look at what the event projectors have to record",
      );
    }
  }
}
