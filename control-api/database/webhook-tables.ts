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
  /** For endpoints made by `parley listen`, which fetches its deliveries: when they expire. */
  listening_until: Timestamp | null;
  last_error: string | null;
  /** When the owners were last told of trouble. */
  owners_told_at: Timestamp | null;
  created_by: string;
  created_at: Timestamp;
  /** Set on deletion: no longer shown, and removed with its deliveries once no legal hold keeps them. */
  removed_at: Timestamp | null;
}

/** One row per delivery, not per attempt (docs/webhooks.md#duplicates-order-and-replays). */
export interface WebhookDeliveriesTable {
  id: string;
  endpoint_id: string;
  org_id: string;
  event: string;
  /** The call it reports on, if any. */
  session_id: string | null;
  /** The exact bytes signed on each attempt. */
  body: string;
  /** `event`: something happened; `test`: a trial of the endpoint; `replay`: sent again on request. */
  origin: WithDefault<"event" | "test" | "replay">;
  /** For a replay: the first delivery of the same body to this endpoint. */
  replay_of: string | null;
  status: "pending" | "failed" | "delivered" | "dead";
  attempts: WithDefault<number>;
  created_at: Timestamp;
  next_attempt_at: Timestamp;
  /** A listener (`parley listen`) holds it until then, or a process of the version before. */
  leased_until: Timestamp | null;
  /** The claim of that listener: late reports are refused. */
  claim_id: string | null;
  last_attempt_at: Timestamp | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  duration_ms: number | null;
}

/** What a process took of an endpoint at once, to send it. Rows that are over are deleted later. */
export interface WebhookClaimsTable {
  /** Of the claim, which may take from several endpoints. */
  id: string;
  endpoint_id: string;
  /** Attempts as `<delivery id>:<attempts before>`, each of which ends when its result is written. */
  taken: string[];
  /** From then on others may take them. */
  leased_until: Timestamp;
}

export interface WebhookTables {
  webhook_endpoints: WebhookEndpointsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_claims: WebhookClaimsTable;
}
