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

/** Numbers an organization must not call. */
interface DoNotCallTable {
  org_id: string;
  /** E.164. */
  number: string;
  reason: string;
  source: DncSource;
  session_id: Nullable<string>;
  /** The member; null if the person called asked for it. */
  added_by: Nullable<string>;
  created_at: Timestamp;
}

interface CampaignsTable {
  id: string;
  org_id: string;
  kind: "calls" | "whatsapp";
  name: string;
  /** `campaign-states.ts` defines the transitions. */
  status: CampaignState;
  /** Why it paused or ended automatically. */
  status_reason: Nullable<string>;
  settings: JSONColumnType<object>;
  /** Paces dialing: nobody is dialed earlier. */
  next_dial_at: NullableTime;
  /** Attempts since the last one that reached a phone. */
  failures: Generated<number>;
  /** The user on whose behalf it calls. */
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  started_at: NullableTime;
  finished_at: NullableTime;
}

interface CampaignTargetsTable {
  id: string;
  /** Order of insertion. */
  arrived: Generated<string>;
  campaign_id: string;
  org_id: string;
  /** E.164. */
  phone: string;
  variables: JSONColumnType<Record<string, string>>;
  /** An IANA name, or `country:US`. */
  zone: string;
  /** `campaign-states.ts` defines the transitions. */
  state: ColumnType<TargetState, TargetState | undefined, TargetState>;
  outcome: Nullable<Outcome>;
  attempts: Generated<number>;
  due_at: Timestamp;
  created_at: Timestamp;
}

/** An attempt is dialed at most once: the dialer writes its call's id here first. */
interface CampaignAttemptsTable {
  id: string;
  campaign_id: string;
  org_id: string;
  target_id: string;
  /** 1 for the target's first attempt. */
  number: number;
  dealt_at: Timestamp;
  /** The attempt's only call; null before dialing. */
  session_id: Nullable<string>;
  /** The attempt's only message, for campaigns that write. */
  message_id: Nullable<string>;
  dialed_at: NullableTime;
  settled_at: NullableTime;
  outcome: Nullable<Outcome>;
  /** What went wrong, in words. */
  error: Nullable<string>;
  talk_secs: Nullable<number>;
}
