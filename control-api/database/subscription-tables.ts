import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** Recorded call events in commit order (docs/decisions/subscriptions.md). */
export interface EventFeedTable {
  /** Gapless, starting at 1. */
  position: string;
  event_id: string;
  type: string;
  recorded_at: Timestamp;
}

/** A single row with the last assigned position. Its lock serializes the commits of recorded events. */
export interface EventFeedHeadTable {
  id: number;
  position: string;
}

/** Each subscription's cursor: everything up to it has been handled. */
export interface EventCursorsTable {
  name: string;
  position: string;
}

/** A single row: the events of all calls whose content was deleted before are forgotten (docs/decisions/records.md). */
export interface ForgottenEventsTable {
  id: number;
  content_deleted_at: Timestamp;
  session_id: string;
}

export interface SubscriptionTables {
  event_feed: EventFeedTable;
  event_feed_head: EventFeedHeadTable;
  event_cursors: EventCursorsTable;
  forgotten_events: ForgottenEventsTable;
}
