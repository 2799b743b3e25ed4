import {
  BASES_MAX,
  type CreateKnowledgeBase,
  type KnowledgeBase,
} from "@parley/shared/contracts/knowledge.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

/** Creates a base; creations of an organization are serialized to enforce the limit. Throws conflict beyond it. */
export async function createBase(
  { db }: Database,
  { orgId, at, ...given }: CreateKnowledgeBase & { readonly orgId: string; readonly at: Date },
): Promise<KnowledgeBase> {
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom("organizations").select("id").where("id", "=", orgId).forNoKeyUpdate().execute();
    const { count } = await trx
      .selectFrom("knowledge_bases")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("org_id", "=", orgId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= BASES_MAX) {
      const message = `An organization has at most ${BASES_MAX} knowledge bases; delete one first.`;
      throw new AppError("conflict", message);
    }
    const id = newId("kb");
    await trx
      .insertInto("knowledge_bases")
      .values({ id, org_id: orgId, ...given, created_at: at, updated_at: at })
      .execute();
    const times = { createdAt: at.toISOString(), updatedAt: at.toISOString() };
    return { id, ...given, documents: 0, parts: 0, ...times };
  });
}

/** Bases, oldest first. */
export async function listBases({ db }: Pick<Database, "db">, orgId: string): Promise<KnowledgeBase[]> {
  const rows = await selectBases(db, orgId).orderBy("id").execute();
  return rows.map(toBase);
}

/** Throws not_found. */
export async function findBase(
  { db }: Pick<Database, "db">,
  orgId: string,
  id: string,
): Promise<KnowledgeBase> {
  const row = await selectBases(db, orgId).where("id", "=", id).executeTakeFirst();
  if (!row) throw new AppError("not_found", `There is no knowledge base ${id}.`);
  return toBase(row);
}

/** The ids that belong to the organization. */
export async function knownBases(
  { db }: Pick<Database, "db">,
  orgId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom("knowledge_bases")
    .select("id")
    .where("org_id", "=", orgId)
    .where("id", "in", [...ids])
    .execute();
  return rows.map(({ id }) => id);
}

/** Updates a base; omitted fields stay. */
export async function updateBase(
  { db }: Database,
  { orgId, id, at }: { readonly orgId: string; readonly id: string; readonly at: Date },
  change: { readonly name?: string | undefined; readonly description?: string | undefined },
): Promise<void> {
  await db
    .updateTable("knowledge_bases")
    .set({
      updated_at: at,
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.description === undefined ? {} : { description: change.description }),
    })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .execute();
}

/** Deletes a base with all its documents. */
export async function deleteBase(trx: Kysely<Tables>, orgId: string, id: string): Promise<void> {
  await trx.deleteFrom("knowledge_bases").where("org_id", "=", orgId).where("id", "=", id).execute();
}

function selectBases(db: Kysely<Tables>, orgId: string) {
  return db
    .selectFrom("knowledge_bases as base")
    .select(["id", "name", "description", "language", "parts", "created_at", "updated_at"])
    .select(({ selectFrom }) =>
      selectFrom("knowledge_documents as document")
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .whereRef("document.base_id", "=", "base.id")
        .as("documents"),
    )
    .where("org_id", "=", orgId);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectBases>["execute"]>>[number];

function toBase({ created_at, updated_at, documents, ...base }: Row): KnowledgeBase {
  return {
    ...base,
    documents: Number(documents ?? 0),
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
  };
}
