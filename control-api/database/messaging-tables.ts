import type { ColumnType, Generated, JSONColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;
type NullableTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface MessagingTables {
  messaging_channels: MessagingChannelsTable;
  messaging_threads: MessagingThreadsTable;
  messaging_messages: MessagingMessagesTable;
  messaging_statuses: MessagingStatusesTable;
  messaging_choices: MessagingChoicesTable;
  forgotten_stops: ForgottenStopsTable;
}

/** An organization's WhatsApp number or Instagram account. `sealed/connections` writes its first nine columns. */
interface MessagingChannelsTable {
  id: string;
  org_id: string;
  provider: "whatsapp" | "instagram";
  /** The provider's id of the sender; not secret. */
  account: string;
  /** Sealed JSON of the credentials. */
  credentials_sealed: string;
  /** Incremented with each change of the credentials. */
  version: number;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  name: string;
  /** The answering agent; null if only people answer. */
  agent_id: string | null;
  /** As dialed, with + and country code. */
  phone: string | null;
  verified_name: string | null;
  /** The business account at the provider. */
  business_account: string | null;
  quality: string | null;
  /** Why it is not working now; null if it works. */
  last_error: string | null;
  /** The provider's last reports on the account, by field name. */
  health: JSONColumnType<Record<string, { readonly value: unknown; readonly at: string }>>;
  checked_at: NullableTime;
  /** A number of the operator's own business account, who keeps its credentials. */
  managed: Generated<boolean>;
}

/** A conversation with one contact over one channel, as a series of sessions. */
interface MessagingThreadsTable {
  id: string;
  org_id: string;
  channel_id: string;
  /** With + and country code; null for contacts who show only a name. */
  contact_phone: string | null;
  /** The provider's id of the contact. */
  contact_user_id: string | null;
  contact_name: string | null;
  /** Who answers. */
  mode: ColumnType<"agent" | "member", "agent" | "member" | undefined, "agent" | "member">;
  /** The member who took over. */
  taken_by: Nullable<string>;
  /** The chat that its newest messages belong to. */
  session_id: Nullable<string>;
  /** Why the agent's answer failed; null if it did not. */
  trouble: Nullable<string>;
  unread: Generated<number>;
  /** When the contact last wrote, which opens the window for a day. */
  last_inbound_at: NullableTime;
  last_message_at: Timestamp;
  /** When the contact wrote that they want no more messages; null if they did not, or want them again. */
  opted_out_at: NullableTime;
  /** The oldest conversation of the same contact, who wrote under a number and a user id before both were seen together. */
  same_contact_as: Nullable<string>;
  created_at: Timestamp;
}

interface MessagingMessagesTable {
  id: string;
  /** Order of arrival here. */
  arrived: Generated<string>;
  org_id: string;
  channel_id: string;
  thread_id: string;
  direction: "in" | "out";
  /** The provider's id; null until it accepts the message. */
  wamid: string | null;
  type: string;
  /** Its text, masked by the PII policy. */
  body: string | null;
  /** Content other than text, masked likewise. */
  content: JSONColumnType<object> | null;
  media: ColumnType<StoredMedia | null, string | null | undefined, string | null>;
  /** The sealed original, until answered or sent. */
  sealed: string | null;
  author: "contact" | "agent" | "member" | "key";
  author_id: string | null;
  /** The campaign that sends it; empty for all others. */
  campaign_id: ColumnType<string, string | undefined, string>;
  /** `message-states.ts` defines the transitions. */
  status: string;
  errors: ColumnType<object[] | null, string | null, string | null>;
  session_id: Nullable<string>;
  /** For received messages: an agent answered it, or a person has it. */
  answered: boolean;
  /** By the provider's clock. */
  sent_at: Timestamp;
  created_at: Timestamp;
}

/** Media of a received message. */
export interface StoredMedia {
  /** The provider's id. */
  readonly id: string;
  readonly mimeType: string;
  readonly filename: string | null;
  readonly isVoice: boolean;
  /** Storage key; absent until downloaded. */
  readonly key?: string;
  readonly sizeBytes?: number;
  /** Why the download failed. */
  readonly error?: string;
}

/** Delivery status of a sent message, including those sent elsewhere. */
interface MessagingStatusesTable {
  channel_id: string;
  wamid: string;
  status: string;
  updated_at: Timestamp;
}

/** That somebody who was erased wanted no more messages. */
interface ForgottenStopsTable {
  channel_id: string;
  /** Of the contact's number or user id. */
  digest: string;
  org_id: string;
  /** The digest of the contact's number. */
  number_digest: Nullable<string>;
  /** By the provider's clock. */
  asked_at: Timestamp;
}

/** What a contact last chose about a channel's marketing messages, in the provider's app. */
interface MessagingChoicesTable {
  channel_id: string;
  /** The contact's number, with +, or the provider's id of them; a digest of it once they were erased. */
  address: string;
  org_id: string;
  /** The digest of the number that an erased contact had beside this address. */
  number_digest: Nullable<string>;
  wish: "out" | "in";
  /** By the provider's clock. */
  chosen_at: Timestamp;
}
