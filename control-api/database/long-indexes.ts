/** An index built while the API answers, since on tables of millions of rows a build takes minutes. */
export interface LongIndex {
  readonly name: string;
  readonly table: string;
  /** What follows `on <table>`. */
  readonly definition: string;
}

const CALL_NUMBERS = "(search_grams(org_id, coalesce(from_number, '') || ' ' || coalesce(to_number, '')))";
const KEPT = "where content_deleted_at is null and ended_at is not null";
const SMALL_PENDING_LIST = "with (gin_pending_list_limit = 1024)";

/**
 * Indexes that speed up lists, searches and retention. The code works without each of them, only slower, so that a
 * version that does not know one, or one not built yet, does no harm. A name stands for one definition: changing the
 * definition takes a new name.
 */
export const LONG_INDEXES: readonly LongIndex[] = [
  { name: "calls_org_id", table: "calls", definition: "(org_id, id)" },
  { name: "calls_org_status", table: "calls", definition: "(org_id, status, id)" },
  { name: "calls_org_agent", table: "calls", definition: "(org_id, agent_id, id)" },
  { name: "calls_org_user", table: "calls", definition: "(org_id, user_id, id)" },
  { name: "calls_org_direction", table: "calls", definition: "(org_id, direction, id)" },
  { name: "calls_org_channel", table: "calls", definition: "(org_id, channel, id)" },
  {
    name: "calls_org_identifier",
    table: "calls",
    definition: "(org_id, identifier) where identifier is not null",
  },
  { name: "calls_org_kept", table: "calls", definition: `(org_id, ended_at) ${KEPT}` },
  {
    name: "calls_content_deleted",
    table: "calls",
    definition: "(content_deleted_at, session_id) where content_deleted_at is not null",
  },
  {
    name: "calls_number_grams",
    table: "calls",
    definition: `using gin (${CALL_NUMBERS}) ${SMALL_PENDING_LIST}`,
  },
  {
    name: "call_messages_grams",
    table: "call_messages",
    definition: `using gin ((search_grams(org_id, text))) ${SMALL_PENDING_LIST}`,
  },
  {
    name: "recordings_compressed",
    table: "recordings",
    definition: "(compressed_at) where compressed_at is not null",
  },
  {
    name: "app_records_unstemmed",
    table: "app_records",
    definition: "(seq) where words is not null and not (words @@ '''¶'''::tsquery)",
  },
  { name: "recordings_org_id", table: "recordings", definition: "(org_id, id) where deleted_at is null" },
  {
    name: "messaging_messages_uncounted",
    table: "messaging_messages",
    definition: "(org_id) where type = 'template' and status in ('queued', 'sending', 'unknown')",
  },
  {
    name: "webhook_deliveries_replay_of",
    table: "webhook_deliveries",
    definition: "(replay_of) where replay_of is not null",
  },
];
