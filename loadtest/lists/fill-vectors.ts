import type { Tables } from "@parley/control-api/database/tables.ts";
import { type Kysely, sql } from "kysely";
import { LARGE_BASE, PARTS_OF_DOCUMENT } from "./fill-parts.ts";

const DOCUMENTS = 20;

interface Filling {
  /** Names the model and its dimensions. */
  readonly space: string;
  readonly embed: (text: string) => readonly number[];
  readonly say: (line: string) => void;
}

/** Embeds those parts of the large base that lack vectors. Index them afterwards: it takes a fraction of the time. */
export async function fillVectors(db: Kysely<Tables>, { space, embed, say }: Filling): Promise<void> {
  const documents = await db
    .selectFrom("knowledge_documents")
    .select("id")
    .where("base_id", "=", LARGE_BASE)
    .where("embedded_in", "is", null)
    .orderBy("id")
    .execute();
  for (let from = 0; from < documents.length; from += DOCUMENTS) {
    const ids = documents.slice(from, from + DOCUMENTS).map(({ id }) => id);
    await db.transaction().execute((trx) => fillDocuments(trx, ids, { space, embed }));
    const done = (from + DOCUMENTS) * PARTS_OF_DOCUMENT;
    if (done % 20_000 === 0) say(`${done} of ${documents.length * PARTS_OF_DOCUMENT} vectors`);
  }
  await sql`vacuum analyze knowledge_vectors`.execute(db);
}

async function fillDocuments(
  trx: Kysely<Tables>,
  ids: readonly string[],
  { space, embed }: Pick<Filling, "space" | "embed">,
): Promise<void> {
  const parts = await trx
    .selectFrom("knowledge_parts")
    .select(["document_id", "seq", "text"])
    .where("document_id", "in", [...ids])
    .execute();
  const rows = parts.map(({ document_id, seq, text }) => ({
    document_id,
    seq,
    base_id: LARGE_BASE,
    space,
    embedding: sql<number[]>`${`{${embed(text).join(",")}}`}::text::real[]`,
  }));
  await trx.insertInto("knowledge_vectors").values(rows).execute();
  await trx
    .updateTable("knowledge_documents")
    .set({ embedded_in: space })
    .where("id", "in", [...ids])
    .execute();
}
