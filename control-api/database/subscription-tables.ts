import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** Recorded call events in the order of their commits (docs/decisions/subscriptions.md). */
export interface EventFeedTable {
  /** Without gaps, from 1 on. */
  position: string;
  event_id: string;
  type: string;
  recorded_at: Timestamp;
}

/** One row: the last position that was given. Its lock puts commits of recorded events in a row. */
export interface EventFeedHeadTable {
  id: number;
  position: string;
}

/** How far each subscription is: it has everything up to there. */
export interface EventCursorsTable {
  name: string;
  position: string;
}

export interface SubscriptionTables {
  event_feed: EventFeedTable;
  event_feed_head: EventFeedHeadTable;
  event_cursors: EventCursorsTable;
}
