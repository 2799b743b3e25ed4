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

/** A request with an `Idempotency-Key`, and its answer. */
export interface IdempotentRequestsTable {
  /** The organization and the user or key. */
  principal: string;
  route: string;
  key: string;
  body_hash: string;
  /** The request that does the work; no other request with this key may proceed. Null in rows from version 0.1.0. */
  holder: string | null;
  /** The call that the work may have placed; once set, the work is never repeated. */
  session_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** Null while the first request is under way, or if it died. */
  status: ColumnType<number | null, number | null | undefined, number | null>;
  response: ColumnType<string | null, string | null | undefined, string | null>;
  /** The first request may be under way until then. */
  locked_until: Timestamp;
  created_at: Timestamp;
}

/** An audio file played into manual calls. */
export interface AmbientTracksTable {
  id: string;
  org_id: string;
  name: string;
  /** Key in the recordings' storage. */
  key: string;
  duration_ms: number;
  size_bytes: number;
  sample_rate_hz: number;
  channels: number;
  created_at: Timestamp;
  /** Set while the file is being stored or deleted; the track is not shown. */
  hidden_at: Timestamp | null;
}

export interface TelephonyTables {
  ambient_tracks: AmbientTracksTable;
  phone_numbers: PhoneNumbersTable;
  idempotent_requests: IdempotentRequestsTable;
}
