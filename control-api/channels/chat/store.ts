import type { Heard } from "@parley/shared/contracts/brain.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { heldEventsSchema } from "@parley/shared/contracts/chat.ts";
import { CHAT_CHANNEL } from "@parley/shared/contracts/text-channels.ts";
import { type Kysely, type NotNull, sql, type Updateable } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { deleteCallRow, insertCallRow } from "../../records/call-rows/insert-call.ts";
import type { AdmitCall } from "../sessions/admission.ts";
import type { ChatLimits, ChatTimes } from "./chat-status.ts";

export type Trx = Kysely<Tables>;

const MAX_SWEPT = 1_000;
const MAX_MESSAGES = 1_000;

export interface StoredChat extends ChatTimes {
  readonly sessionId: string;
  readonly orgId: string;
  readonly agentId: string;
  readonly channel: string;
  readonly identifier: string | null;
  readonly userId: string;
  readonly variables: Record<string, string>;
  readonly nextSeq: number;
  /** Time of its last event. */
  readonly lastEventAt: Date | null;
  readonly leaseId: string | null;
  readonly heard: Heard | undefined;
  readonly heldEvents: readonly CallEvent[];
  /** Sealed. */
  readonly unsent: string | null;
  /** Sealed. */
  readonly flow: string | null;
}

export interface NewChat {
  readonly sessionId: string;
  readonly callId: string;
  readonly orgId: string;
  readonly agentId: string;
  readonly userId: string;
  readonly identifier: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly leaseId: string;
  readonly leaseUntil: Date;
  readonly at: Date;
  /** The API key that began the chat. */
  readonly keyId?: string | undefined;
  readonly channel: string;
  readonly direction: string;
  readonly fromNumber: string | null;
  readonly toNumber: string | null;
}

/** Inserts a chat with its first turn's lease. Returns false if the session exists. Throws what `admitCall` throws. */
export async function insertChat(
  chat: NewChat,
  { database: { db }, admitCall }: { readonly database: Database; readonly admitCall: AdmitCall },
): Promise<boolean> {
  const { sessionId, orgId, at } = chat;
  return db.transaction().execute(async (trx) => {
    const isInserted = await insertCallRow(trx, {
      id: chat.callId,
      session_id: sessionId,
      org_id: orgId,
      agent_id: chat.agentId,
      user_id: chat.userId,
      identifier: chat.identifier,
      variables: JSON.stringify(chat.variables),
      node_id: CHAT_CHANNEL,
      channel: chat.channel,
      direction: chat.direction,
      from_number: chat.fromNumber,
      to_number: chat.toNumber,
      created_at: at,
    });
    if (!isInserted) return false;
    const { agentId, keyId } = chat;
    await admitCall(trx, { sessionId, orgId, agentId, keyId, channel: CHAT_CHANNEL, at });
    await trx
      .insertInto("chats")
      .values({
        session_id: sessionId,
        org_id: orgId,
        turns: 0,
        next_seq: 0,
        lease_id: chat.leaseId,
        lease_until: chat.leaseUntil,
        active_at: at,
        held_events: "[]",
        handed_at: at,
        created_at: at,
      })
      .execute();
    return true;
  });
}

/** Locks the chat's row until the transaction ends; undefined if there is none. */
export async function lockChat(trx: Trx, sessionId: string): Promise<StoredChat | undefined> {
  const row = await selectChat(trx, sessionId).forUpdate("chats").executeTakeFirst();
  return row && toChat(row);
}

/** Like `lockChat`, but never waits: another sweeper has a locked row. */
export async function lockFreeChat(trx: Trx, sessionId: string): Promise<StoredChat | undefined> {
  const row = await selectChat(trx, sessionId).forUpdate("chats").skipLocked().executeTakeFirst();
  return row && toChat(row);
}

/** Reads a chat of this organization without locking it. */
export async function findChat(
  { db }: Database,
  orgId: string,
  sessionId: string,
): Promise<StoredChat | undefined> {
  const row = await selectChat(db, sessionId).where("chats.org_id", "=", orgId).executeTakeFirst();
  return row && toChat(row);
}

function selectChat(db: Trx, sessionId: string) {
  return db
    .selectFrom("chats")
    .innerJoin("calls", "calls.session_id", "chats.session_id")
    .selectAll("chats")
    .select(["calls.agent_id", "calls.channel", "calls.identifier", "calls.user_id", "calls.variables"])
    .where("chats.session_id", "=", sessionId)
    .$narrowType<{ agent_id: NotNull }>();
}

type ChatRow = NonNullable<Awaited<ReturnType<ReturnType<typeof selectChat>["executeTakeFirst"]>>>;

function toChat(row: ChatRow): StoredChat {
  return {
    sessionId: row.session_id,
    orgId: row.org_id,
    agentId: row.agent_id,
    channel: row.channel,
    identifier: row.identifier,
    userId: row.user_id,
    variables: row.variables,
    turns: row.turns,
    nextSeq: row.next_seq,
    lastEventAt: row.last_event_at,
    leaseId: row.lease_id,
    leaseUntil: row.lease_until,
    activeAt: row.active_at,
    createdAt: row.created_at,
    endReason: row.end_reason,
    finalizedAt: row.settled_at,
    heard: row.heard === null ? undefined : { turn: row.turns, ...(row.heard as Omit<Heard, "turn">) },
    heldEvents: heldEventsSchema.parse(row.held_events),
    unsent: row.unsent,
    flow: row.flow,
  };
}

export async function updateChat(
  trx: Trx,
  sessionId: string,
  changes: Updateable<Tables["chats"]>,
): Promise<void> {
  await trx.updateTable("chats").set(changes).where("session_id", "=", sessionId).execute();
}

/** Extends the lease while the reply is being generated. */
export async function renewLease(
  { db }: Database,
  lease: { sessionId: string; leaseId: string },
  until: Date,
): Promise<void> {
  await db
    .updateTable("chats")
    .set({ lease_until: until })
    .where("session_id", "=", lease.sessionId)
    .where("lease_id", "=", lease.leaseId)
    .execute();
}

/** Reverts a turn as if it had not been asked; deletes a chat that had no other turn. */
export async function releaseLease(
  { db }: Database,
  { sessionId, leaseId }: { sessionId: string; leaseId: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const chat = await lockChat(trx, sessionId);
    if (chat?.leaseId !== leaseId) return;
    if (chat.turns > 0) await updateChat(trx, sessionId, { lease_id: null, lease_until: null });
    else await deleteCallRow(trx, sessionId);
  });
}

/** The events that the event projector has not written yet. */
export async function selectUnrecorded(trx: Trx, events: readonly CallEvent[]): Promise<CallEvent[]> {
  if (events.length === 0) return [];
  const ids = events.map(({ id }) => id);
  const rows = await trx.selectFrom("call_events").select("id").where("id", "in", ids).execute();
  const recorded = new Set(rows.map(({ id }) => id));
  return events.filter(({ id }) => !recorded.has(id));
}

/** Chats to finalize, with no reply in progress. */
export async function findDueChats({ db }: Database, nowMs: number, limits: ChatLimits): Promise<string[]> {
  const now = new Date(nowMs);
  const rows = await db
    .selectFrom("chats")
    .select("session_id")
    .where("settled_at", "is", null)
    .where((where) => where.or([where("lease_until", "is", null), where("lease_until", "<=", now)]))
    .where((where) =>
      where.or([
        where("end_reason", "is not", null),
        where("turns", "=", 0),
        where("active_at", "<", new Date(nowMs - limits.idleMs)),
        where("created_at", "<", new Date(nowMs - limits.maxAgeMs)),
      ]),
    )
    .limit(MAX_SWEPT)
    .execute();
  return rows.map(({ session_id }) => session_id);
}

/** Chats whose held messages have waited long enough. */
export async function findWaitingChats({ db }: Database, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom("chats")
    .select("session_id")
    .where("unsent_until", "<=", now)
    .limit(MAX_SWEPT)
    .execute();
  return rows.map(({ session_id }) => session_id);
}

/** Chats with events published before `handedBefore` that may not be recorded. */
export async function findHoldingChats({ db }: Database, handedBefore: Date): Promise<string[]> {
  const rows = await db
    .selectFrom("chats")
    .select("session_id")
    .where(sql<boolean>`held_events <> '[]'::jsonb`)
    .where("handed_at", "<", handedBefore)
    .limit(MAX_SWEPT)
    .execute();
  return rows.map(({ session_id }) => session_id);
}

/** The newest recorded messages of a session, oldest first. */
export async function findMessages({ db }: Database, sessionId: string) {
  const rows = await db
    .selectFrom("call_messages")
    .select(["event_id as id", "role", "text", "at", "seq"])
    .where("session_id", "=", sessionId)
    .orderBy("seq", "desc")
    .limit(MAX_MESSAGES)
    .execute();
  return rows.toReversed();
}
