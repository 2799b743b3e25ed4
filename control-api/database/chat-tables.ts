import type { ColumnType, JSONColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** A chat's state besides its row in `calls`: whose turn it is, and what is not recorded yet. */
export interface ChatsTable {
  session_id: string;
  org_id: string;
  /** Turns answered and kept. */
  turns: number;
  /** `seq` of its next event. */
  next_seq: number;
  /** `at` of its last event; null before the first. */
  last_event_at: Timestamp | null;
  /** The lease of the process generating a reply, and when it expires. */
  lease_id: string | null;
  lease_until: Timestamp | null;
  active_at: Timestamp;
  /** A requested end; the process generating a reply finalizes it, else the sweeper does. */
  end_reason: string | null;
  settled_at: Timestamp | null;
  /** After an interrupted reply: the part that was sent. */
  heard: JSONColumnType<object> | null;
  /** Call events that may not be recorded yet, oldest first. */
  held_events: JSONColumnType<object[]>;
  /** Sealed: text held back because its speaker may continue (`chat/chat-redactor.ts`), and until when. */
  unsent: string | null;
  unsent_until: Timestamp | null;
  /**
   * Sealed: place in its agent's flow and who talks (`chat/chat-place.ts`); null if the brain knows or the chat is
   * over.
   */
  flow: string | null;
  /** When the held events were last handed to the durable stream. */
  handed_at: Timestamp;
  created_at: Timestamp;
}

export interface ChatTables {
  chats: ChatsTable;
}
