import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface PhoneNumbersTable {
  id: string;
  org_id: string;
  /** E.164. */
  number: string;
  carrier: string;
  label: string;
  agent_id: string | null;
  user_id: string | null;
  created_at: Timestamp;
}

/** A request that was made with an `Idempotency-Key`, and what it was answered. */
export interface IdempotentRequestsTable {
  /** Whose: the organization and the user or key. */
  principal: string;
  route: string;
  key: string;
  body_hash: string;
  /** Which of the requests with this key does the work: only that one may go on. Null from version 0.1.0's. */
  holder: string | null;
  /** Of the call that the work may have placed; once it is there nobody does the work again. */
  session_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** Null while the first request is under way, or when it died. */
  status: ColumnType<number | null, number | null | undefined, number | null>;
  response: ColumnType<string | null, string | null | undefined, string | null>;
  /** Until then the first request may be under way. */
  locked_until: Timestamp;
  created_at: Timestamp;
}

/** A file that is played into manual calls. */
export interface AmbientTracksTable {
  id: string;
  org_id: string;
  name: string;
  /** Where the recordings' storage keeps it. */
  key: string;
  duration_ms: number;
  size_bytes: number;
  sample_rate_hz: number;
  channels: number;
  created_at: Timestamp;
  /** Its file is being stored or deleted; nobody is shown it. */
  hidden_at: Timestamp | null;
}

export interface TelephonyTables {
  ambient_tracks: AmbientTracksTable;
  phone_numbers: PhoneNumbersTable;
  idempotent_requests: IdempotentRequestsTable;
}
