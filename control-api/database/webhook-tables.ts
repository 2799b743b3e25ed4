import type { ColumnType, JSONColumnType } from "kysely";

type WithDefault<T> = ColumnType<T, T | undefined, T>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface WebhookEndpointsTable {
  id: string;
  org_id: string;
  url: string;
  /** Exact names, or `*`. */
  events: JSONColumnType<string[]>;
  agent_id: string | null;
  include_recording: boolean;
  include_transcript: boolean;
  secret_sealed: string;
  enabled: WithDefault<boolean>;
  /** Of those that `parley listen` made, which fetches its deliveries: when it is gone. */
  listening_until: Timestamp | null;
  last_error: string | null;
  /** When its owners were told of trouble last. */
  owners_told_at: Timestamp | null;
  created_by: string;
  created_at: Timestamp;
  /** Somebody deleted it: nobody is shown it, and it goes with its deliveries when no legal hold keeps them. */
  removed_at: Timestamp | null;
}

/** One row a delivery, not an attempt (docs/webhooks.md#duplicates-order-and-replays). */
export interface WebhookDeliveriesTable {
  id: string;
  endpoint_id: string;
  org_id: string;
  event: string;
  /** The call it tells of, if it tells of one. */
  session_id: string | null;
  /** The very bytes that are signed, on each attempt. */
  body: string;
  /** Whether something happened, somebody tries the endpoint out, or wants it once more. */
  origin: WithDefault<"event" | "test" | "replay">;
  /** The first delivery of the same body to this endpoint, of one that was replayed. */
  replay_of: string | null;
  status: "pending" | "failed" | "delivered" | "dead";
  attempts: WithDefault<number>;
  created_at: Timestamp;
  next_attempt_at: Timestamp;
  /** Until then it is somebody's. */
  leased_until: Timestamp | null;
  /** Whose: what a late worker writes is not taken. */
  claim_id: string | null;
  last_attempt_at: Timestamp | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  duration_ms: number | null;
}

export interface WebhookTables {
  webhook_endpoints: WebhookEndpointsTable;
  webhook_deliveries: WebhookDeliveriesTable;
}
