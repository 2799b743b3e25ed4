import type { ColumnType, JSONColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** What a chat is besides its row in `calls`: whose turn it is, and what was not recorded yet. */
export interface ChatsTable {
  session_id: string;
  org_id: string;
  /** Turns that were answered and kept. */
  turns: number;
  /** Next `seq` of its events. */
  next_seq: number;
  /** `at` of its last event; null before the first one. */
  last_event_at: Timestamp | null;
  /** Who generates a reply, and until when others believe it. */
  lease_id: string | null;
  lease_until: Timestamp | null;
  active_at: Timestamp;
  /** Somebody wants it ended; who generates a reply finalizes it, or else the sweeper. */
  end_reason: string | null;
  settled_at: Timestamp | null;
  /** After a reply that was broken off: what of it was sent. */
  heard: JSONColumnType<object> | null;
  /** Call events that may not be recorded yet, oldest first. */
  held_events: JSONColumnType<object[]>;
  /** Sealed: what waits because its speaker may go on (`chat/chat-redactor.ts`), and when it waits no longer. */
  unsent: string | null;
  unsent_until: Timestamp | null;
  /** Sealed: where it stands in its agent's flow, and who talks (`chat/chat-place.ts`); null where the agent's brain knows, or the chat is over. */
  flow: string | null;
  /** When they were last handed to the durable stream. */
  handed_at: Timestamp;
  created_at: Timestamp;
}

export interface ChatTables {
  chats: ChatsTable;
}
