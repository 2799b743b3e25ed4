import type { MEMORY_KINDS, Memory } from "@parley/shared/contracts/memory.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { ErasedCalls, ForgetPeople, OrgSessions, PersonalData } from "../../modules/module.ts";

type Db = Kysely<Tables>;

/** Per person and agent; the oldest are dropped. */
const MEMORIES_MAX = 100;

export interface Fact {
  readonly kind: (typeof MEMORY_KINDS)[number];
  /** The field's key; each field is remembered once. */
  readonly key: string | null;
  readonly text: string;
}

export interface Remembering {
  readonly orgId: string;
  readonly agentId: string;
  readonly identifier: string;
}

/** Replaces each field's earlier value, unless a person corrected it. */
export async function keepFacts(
  trx: Db,
  person: Remembering,
  {
    facts,
    sessionId,
    at,
    expiresAt,
  }: {
    readonly facts: readonly Fact[];
    readonly sessionId: string | null;
    readonly at: Date;
    readonly expiresAt: Date;
  },
): Promise<string[]> {
  const ids: string[] = [];
  for (const { kind, key, text } of facts) {
    const id = newId("mem");
    ids.push(id);
    await trx
      .insertInto("memories")
      .values({
        id,
        org_id: person.orgId,
        agent_id: person.agentId,
        identifier: person.identifier,
        kind,
        key,
        text,
        session_id: sessionId,
        created_at: at,
        updated_at: at,
        expires_at: expiresAt,
      })
      .onConflict((conflict) =>
        conflict
          .columns(["agent_id", "identifier", "key"])
          .where("key", "is not", null)
          .doUpdateSet({ text, session_id: sessionId, updated_at: at, expires_at: expiresAt })
          .where("memories.corrected_at", "is", null),
      )
      .execute();
  }
  return ids;
}

/** Deletes a person's least recently updated memories beyond the limit. */
export async function dropOldest(trx: Db, { orgId, agentId, identifier }: Remembering): Promise<void> {
  await trx
    .deleteFrom("memories")
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("memories")
        .select("id")
        .where("org_id", "=", orgId)
        .where("identifier", "=", identifier)
        .where("agent_id", "=", agentId)
        .orderBy("updated_at", "desc")
        .orderBy("id", "desc")
        .offset(MEMORIES_MAX),
    )
    .execute();
}

export interface MemoryFilter {
  readonly orgId: string;
  readonly now: Date;
  readonly identifier?: string | undefined;
  readonly agentId?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Newest first; without expired ones. */
export async function listMemories(db: Db, filter: MemoryFilter): Promise<Memory[]> {
  const { orgId, now, identifier, agentId, before, limit } = filter;
  const rows = await select(db, orgId)
    .where("expires_at", ">", now)
    .$if(identifier !== undefined, (query) => query.where("identifier", "=", identifier ?? ""))
    .$if(agentId !== undefined, (query) => query.where("agent_id", "=", agentId ?? ""))
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toMemory);
}

/** Throws not_found. */
export async function findMemory(db: Db, orgId: string, id: string): Promise<Memory> {
  const row = await select(db, orgId).where("id", "=", id).executeTakeFirst();
  if (!row)
    throw new AppError(
      "not_found",
      `There is no memory ${id} in this organization; it may have been deleted.`,
    );
  return toMemory(row);
}

/** Stores a person's correction, which later calls leave alone. Throws not_found. */
export async function correctMemory(
  db: Db,
  { orgId, id, at }: { readonly orgId: string; readonly id: string; readonly at: Date },
  text: string,
): Promise<Memory> {
  await db
    .updateTable("memories")
    .set({ text, corrected_at: at, updated_at: at })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .execute();
  return findMemory(db, orgId, id);
}

export async function deleteMemory(db: Db, orgId: string, id: string): Promise<void> {
  await db.deleteFrom("memories").where("org_id", "=", orgId).where("id", "=", id).execute();
}

/** Deletes all memories of a person, by one agent or by all. Returns how many there were. */
export async function forgetPerson(
  db: Db,
  { orgId, identifier, agentId }: Omit<Remembering, "agentId"> & { readonly agentId?: string | undefined },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("memories")
    .where("org_id", "=", orgId)
    .where("identifier", "=", identifier)
    .$if(agentId !== undefined, (query) => query.where("agent_id", "=", agentId ?? ""))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Deletes expired memories, except in organizations under legal hold. */
export async function forgetExpired({ db }: Database, now: Date): Promise<void> {
  await db
    .deleteFrom("memories")
    .where("expires_at", "<=", now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("organizations")
            .select("organizations.id")
            .whereRef("organizations.id", "=", "memories.org_id")
            .where("organizations.legal_hold", "=", true),
        ),
      ),
    )
    .execute();
}

/** Deletes the memories that calls left. */
export async function eraseMemories(trx: Db, { sessionIds }: ErasedCalls): Promise<void> {
  await trx
    .deleteFrom("memories")
    .where("session_id", "in", [...sessionIds])
    .execute();
}

/** Memories of the people in these sessions. */
export const REMEMBERED: PersonalData = {
  name: "memory",
  tables: ["memories"],
  read: (db, sessions) =>
    db
      .selectFrom("memories")
      .select(["id", "agent_id as agentId", "identifier", "kind", "key", "text", "session_id as sessionId"])
      .select("created_at as createdAt")
      .where(isOfPeople(sessions))
      .orderBy("id")
      .execute(),
};

/** Deletes memories, including those that people wrote themselves. */
export const forgetRemembered: ForgetPeople = async (trx, sessions) => {
  await trx.deleteFrom("memories").where(isOfPeople(sessions)).execute();
};

function isOfPeople({ orgId, sessionIds }: OrgSessions) {
  return sql<boolean>`org_id = ${orgId} and identifier in (
    select unnest(array[calls.identifier, case calls.direction when 'outbound' then calls.to_number else calls.from_number end])
    from calls where calls.session_id = any(${[...sessionIds]}) and calls.org_id = ${orgId}
  )`;
}

function select(db: Db, orgId: string) {
  return db
    .selectFrom("memories")
    .select(["id", "agent_id as agentId", "identifier", "kind", "key", "text", "session_id as sessionId"])
    .select(["corrected_at", "created_at", "updated_at", "expires_at"])
    .where("org_id", "=", orgId);
}

type Row = Awaited<ReturnType<ReturnType<typeof select>["execute"]>>[number];

function toMemory({ corrected_at, created_at, updated_at, expires_at, ...memory }: Row): Memory {
  return {
    ...memory,
    correctedAt: corrected_at?.toISOString() ?? null,
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
    expiresAt: expires_at.toISOString(),
  };
}
