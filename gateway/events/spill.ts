import type { CallEventType } from "@parley/shared/contracts/call-events.ts";

export interface SpilledEvent {
  readonly type: CallEventType;
  /** The event as sent to the bus. */
  readonly payload: string;
}

/** A bounded queue of events that wait for the bus. Its methods neither throw nor wait. */
export interface Spill {
  readonly size: number;
  push(event: SpilledEvent): void;
  oldest(count: number): readonly SpilledEvent[];
  /** Forgets the first `count` events of `batch`; some may already have been dropped for room. */
  drop(batch: readonly SpilledEvent[], count: number): void;
  /** Announces a long wait: waiting events, and those that follow before the queue drains, must outlive the process. */
  keep(): void;
  /** Resolves when everything that must outlive the process is stored. Nothing may be pushed afterwards. */
  close(): Promise<void>;
}
