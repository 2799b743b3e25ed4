import type { ColumnType, Generated, JSONColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;
type NullableTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface MessagingTables {
  messaging_channels: MessagingChannelsTable;
  messaging_threads: MessagingThreadsTable;
  messaging_messages: MessagingMessagesTable;
  messaging_statuses: MessagingStatusesTable;
}

/** A sender that an organization connected: a number of WhatsApp. `sealed/connections` writes its first nine columns. */
interface MessagingChannelsTable {
  id: string;
  org_id: string;
  provider: "whatsapp";
  /** The provider's id of the sender; no secret. */
  account: string;
  /** JSON of the credentials, sealed. */
  credentials_sealed: string;
  /** One more with each change of the credentials. */
  version: number;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  name: string;
  /** Who answers; null: people only. */
  agent_id: string | null;
  /** As people dial it, with + and its country. */
  phone: string | null;
  verified_name: string | null;
  /** The business account at the provider. */
  business_account: string | null;
  quality: string | null;
  /** Why it does not work at the moment; null: it does. */
  last_error: string | null;
  /** What the provider reported last on the account, by the name of its field. */
  health: JSONColumnType<Record<string, { readonly value: unknown; readonly at: string }>>;
  checked_at: NullableTime;
}

/** A conversation with one contact over one channel; its sessions follow each other. */
interface MessagingThreadsTable {
  id: string;
  org_id: string;
  channel_id: string;
  /** With + and its country; null for contacts who show a name only. */
  contact_phone: string | null;
  /** The provider's id of the contact. */
  contact_user_id: string | null;
  contact_name: string | null;
  /** Who answers. */
  mode: ColumnType<"agent" | "member", "agent" | "member" | undefined, "agent" | "member">;
  /** The member who took it over. */
  taken_by: Nullable<string>;
  /** The chat that its newest messages belong to. */
  session_id: Nullable<string>;
  /** Why the agent's answer failed; null: it did not. */
  trouble: Nullable<string>;
  unread: Generated<number>;
  /** When the contact wrote last: the window is open for a day from then. */
  last_inbound_at: NullableTime;
  last_message_at: Timestamp;
  created_at: Timestamp;
}

interface MessagingMessagesTable {
  id: string;
  /** In the order in which they came to be here. */
  arrived: Generated<string>;
  org_id: string;
  channel_id: string;
  thread_id: string;
  direction: "in" | "out";
  /** The provider's id; null until it has taken the message. */
  wamid: string | null;
  type: string;
  /** Its text, masked by the PII policy. */
  body: string | null;
  /** What is in it besides text, masked likewise. */
  content: JSONColumnType<object> | null;
  media: ColumnType<StoredMedia | null, string | null | undefined, string | null>;
  /** As it came or goes, sealed, until it is answered or sent. */
  sealed: string | null;
  author: "contact" | "agent" | "member" | "key";
  author_id: string | null;
  /** `message-states.ts` says what it becomes. */
  status: string;
  errors: ColumnType<object[] | null, string | null, string | null>;
  session_id: Nullable<string>;
  /** Of those received: an agent answered it, or a person has it. */
  answered: boolean;
  /** The provider's time. */
  sent_at: Timestamp;
  created_at: Timestamp;
}

/** Media of a message that came in. */
export interface StoredMedia {
  /** At the provider. */
  readonly id: string;
  readonly mimeType: string;
  readonly filename: string | null;
  readonly isVoice: boolean;
  /** Where it is kept; absent until it is pulled. */
  readonly key?: string;
  readonly sizeBytes?: number;
  /** Why it could not be pulled. */
  readonly error?: string;
}

/** How far a message came that was sent, also one that was not sent from here. */
interface MessagingStatusesTable {
  channel_id: string;
  wamid: string;
  status: string;
  updated_at: Timestamp;
}
