import type { CallEventType } from "@parley/shared/contracts/call-events.ts";

export interface SpilledEvent {
  readonly type: CallEventType;
  /** The event as it goes to the bus. */
  readonly payload: string;
}

/** A bounded queue of events that wait for the bus. Nothing here throws or waits. */
export interface Spill {
  readonly size: number;
  push(event: SpilledEvent): void;
  oldest(count: number): readonly SpilledEvent[];
  /** Forgets the first `count` of `batch`; some may have been dropped for room meanwhile. */
  drop(batch: readonly SpilledEvent[], count: number): void;
  /** The wait will be long: what waits, and what comes before all of it is gone, shall outlive the process. */
  keep(): void;
  /** Resolves when what shall outlive the process does. Nothing is pushed any more. */
  close(): Promise<void>;
}
