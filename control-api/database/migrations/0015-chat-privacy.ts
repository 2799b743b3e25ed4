import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What chats keep for a moment, answers that belong to a session, and client tokens that are for a chat. */
const STATEMENTS = [
  // Sealed: messages that may go on in the next one, as they were written.
  sql`alter table chats add column unsent text`,
  sql`alter table chats add column unsent_until timestamptz`,
  sql`create index chats_unsent on chats (unsent_until) where unsent_until is not null`,
  sql`create index idempotent_requests_session on idempotent_requests (session_id) where session_id is not null`,
  sql`alter table client_tokens add column mode text not null default 'call' check (mode in ('call', 'chat'))`,
  // Of a token for a chat: the chat it is for, which need not have begun, and how long that may get.
  sql`alter table client_tokens add column session_id text`,
  sql`alter table client_tokens add column max_messages integer`,
];

export const chatPrivacy: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
