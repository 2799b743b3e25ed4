import type { CallStatus, Decided, FirstStatus } from "@parley/shared/contracts/call-status.ts";
import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { AnalysisTables } from "./analysis-tables.ts";
import type { AnalyticsTables } from "./analytics-tables.ts";
import type { AppRecordTables } from "./app-record-tables.ts";
import type { AppTables } from "./app-tables.ts";
import type { BillingTables } from "./billing-tables.ts";
import type { CampaignTables } from "./campaign-tables.ts";
import type { CarrierConnectionsTable } from "./carrier-tables.ts";
import type { ChatTables } from "./chat-tables.ts";
import type { IdentityTables } from "./identity-tables.ts";
import type { IntegrationTables } from "./integration-tables.ts";
import type { JobTables } from "./job-tables.ts";
import type { KnowledgeTables } from "./knowledge-tables.ts";
import type { MessagingTables } from "./messaging-tables.ts";
import type { OAuthTables } from "./oauth-tables.ts";
import type { PublicTables } from "./public-tables.ts";
import type { RehearsalTables } from "./rehearsal-tables.ts";
import type { SubscriptionTables } from "./subscription-tables.ts";
import type { TelephonyTables } from "./telephony-tables.ts";
import type { WebhookTables } from "./webhook-tables.ts";

/** A column with a database default. */
type WithDefault<T> = ColumnType<T, T | undefined, T>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface AgentsTable {
  id: string;
  org_id: string;
  name: string;
  /** `agentConfigSchema` without its secrets; rows from version 0.1.0 hold secrets in the clear until rewritten. */
  settings: JSONColumnType<Record<string, unknown>>;
  /** Secrets by field name, such as `brain.secret`, each sealed for this agent. */
  sealed: ColumnType<Record<string, string>, string | undefined, string>;
  version: WithDefault<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The versions of an agent; outlive the agent. */
export interface AgentVersionsTable {
  agent_id: string;
  version: number;
  org_id: string;
  name: string;
  /** Like `agents.settings`, never with a secret. */
  settings: JSONColumnType<Record<string, unknown>>;
  /** The names of the secrets the version had. */
  sealed_names: JSONColumnType<string[]>;
  actor_kind: "user" | "key" | "nobody";
  actor_id: string | null;
  created_at: Timestamp;
}

export interface CallsTable {
  id: string;
  session_id: string;
  org_id: string;
  /** Null for manual calls. */
  agent_id: string | null;
  /** The version the call ran with; null for calls from before versions existed. */
  agent_version: number | null;
  user_id: string;
  identifier: string | null;
  variables: JSONColumnType<Record<string, string>>;
  node_id: string;
  channel: string;
  direction: string;
  from_number: string | null;
  to_number: string | null;
  /** For phone calls: the carrier, and its id of the leg. */
  carrier: string | null;
  call_sid: string | null;
  answered_by: string | null;
  machine_detection: string | null;
  /** A stranger called, from the agent's public page. */
  is_visitors: WithDefault<boolean>;
  machine_state: WithDefault<string>;
  /** Number of steps machine detection has taken. */
  machine_steps: WithDefault<number>;
  transfer_state: WithDefault<string>;
  /** The transfer under way, or the one that succeeded. */
  transfer_id: string | null;
  /** JSON; cleared once the transfer is over. */
  transfer: string | null;
  /** `shared/contracts/call-status.ts` alone decides the transitions. */
  status: ColumnType<CallStatus, FirstStatus | undefined, Decided<CallStatus>>;
  /** For a ringing call: a member is declining it, and nobody else may answer. */
  declining: WithDefault<boolean>;
  end_reason: string | null;
  created_at: Timestamp;
  started_at: Timestamp | null;
  ended_at: Timestamp | null;
  duration_secs: number | null;
  /** When the transcript and other content were deleted. */
  content_deleted_at: Timestamp | null;
  /** Notes that people wrote about the call; empty without any. */
  notes: WithDefault<string>;
}

export interface CallMessagesTable {
  event_id: string;
  session_id: string;
  org_id: string;
  seq: number;
  turn: number;
  role: "user" | "assistant";
  text: string;
  interrupted: boolean;
  source: string;
  at: Timestamp;
}

export interface CallTurnsTable {
  session_id: string;
  turn: number;
  end_of_turn_ms: number;
  brain_request_ms: Generated<number>;
  brain_first_token_ms: number;
  first_clause_ms: Generated<number>;
  tts_first_byte_ms: number;
  response_ms: number;
  at: Timestamp;
}

export interface CallToolsTable {
  event_id: string;
  session_id: string;
  org_id: string;
  turn: number;
  name: string;
  arguments: JSONColumnType<object> | null;
  result: JSONColumnType<object> | null;
  status: string;
  latency_ms: number;
  at: Timestamp;
}

export interface RecordingsTable {
  id: string;
  session_id: string;
  org_id: string;
  key: string;
  duration_ms: number;
  /** bigint, which node-postgres returns as text. */
  size_bytes: ColumnType<string, number, number>;
  /** The end is missing, for example because the disk was full. */
  partial: Generated<boolean>;
  created_at: Timestamp;
  /** Set while the file is being deleted; the recording is no longer shown. */
  deleted_at: Timestamp | null;
  /** When it was compressed; null again once the original WAV file is deleted. */
  compressed_at: Timestamp | null;
}

/** Loudness of a recording over time, computed once. */
export interface WaveformsTable {
  recording_id: string;
  /** As made by `media/waveforms`. */
  peaks: Buffer;
  created_at: Timestamp;
}

/** Every event of the durable stream, once; the id makes the event projector idempotent. */
export interface CallEventsTable {
  id: string;
  session_id: string;
  org_id: string;
  seq: number;
  type: string;
  at: Timestamp;
  body: JSONColumnType<object>;
}

export interface Tables
  extends IdentityTables,
    AppRecordTables,
    AppTables,
    AnalysisTables,
    BillingTables,
    CampaignTables,
    WebhookTables,
    TelephonyTables,
    ChatTables,
    IntegrationTables,
    JobTables,
    KnowledgeTables,
    MessagingTables,
    OAuthTables,
    PublicTables,
    RehearsalTables,
    SubscriptionTables,
    AnalyticsTables {
  agents: AgentsTable;
  agent_versions: AgentVersionsTable;
  calls: CallsTable;
  call_messages: CallMessagesTable;
  call_turns: CallTurnsTable;
  call_tools: CallToolsTable;
  recordings: RecordingsTable;
  waveforms: WaveformsTable;
  call_events: CallEventsTable;
  carrier_connections: CarrierConnectionsTable;
}
