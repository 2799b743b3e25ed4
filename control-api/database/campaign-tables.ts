import type { CampaignState, Outcome, TargetState } from "@parley/shared/contracts/campaign-states.ts";
import type { DncSource } from "@parley/shared/contracts/do-not-call.ts";
import type { ColumnType, Generated, JSONColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;
type NullableTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface CampaignTables {
  do_not_call: DoNotCallTable;
  campaigns: CampaignsTable;
  campaign_targets: CampaignTargetsTable;
  campaign_attempts: CampaignAttemptsTable;
}

/** Numbers that an organization does not call. */
interface DoNotCallTable {
  org_id: string;
  /** E.164. */
  number: string;
  reason: string;
  source: DncSource;
  session_id: Nullable<string>;
  /** The member; null: whoever was called said so. */
  added_by: Nullable<string>;
  created_at: Timestamp;
}

interface CampaignsTable {
  id: string;
  org_id: string;
  kind: "calls" | "whatsapp";
  name: string;
  /** `campaign-states.ts` says what it becomes. */
  status: CampaignState;
  /** Why it paused or ended by itself. */
  status_reason: Nullable<string>;
  settings: JSONColumnType<object>;
  /** Its pace: nobody is dialed before. */
  next_dial_at: NullableTime;
  /** Attempts since the last that reached a phone. */
  failures: Generated<number>;
  /** In whose name it calls. */
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  started_at: NullableTime;
  finished_at: NullableTime;
}

interface CampaignTargetsTable {
  id: string;
  /** In the order in which they were added. */
  arrived: Generated<string>;
  campaign_id: string;
  org_id: string;
  /** E.164. */
  phone: string;
  variables: JSONColumnType<Record<string, string>>;
  /** An IANA name, or `country:US`. */
  zone: string;
  /** `campaign-states.ts` says what it becomes. */
  state: ColumnType<TargetState, TargetState | undefined, TargetState>;
  outcome: Nullable<Outcome>;
  attempts: Generated<number>;
  due_at: Timestamp;
  created_at: Timestamp;
}

/** Each is dialed once at most: whoever dials it writes its call's id into it first. */
interface CampaignAttemptsTable {
  id: string;
  campaign_id: string;
  org_id: string;
  target_id: string;
  /** 1 for the target's first. */
  number: number;
  dealt_at: Timestamp;
  /** The call that is its only one. Null: nobody was dialed yet. */
  session_id: Nullable<string>;
  /** Likewise of those that write. */
  message_id: Nullable<string>;
  dialed_at: NullableTime;
  settled_at: NullableTime;
  outcome: Nullable<Outcome>;
  /** What went wrong, in words. */
  error: Nullable<string>;
  talk_secs: Nullable<number>;
}
