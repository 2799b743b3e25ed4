import type { KnowledgeLanguage } from "@parley/shared/contracts/knowledge.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { DocumentPart } from "../reading/split.ts";
import { wordsOfPart } from "../search/words.ts";
import { deleteDocumentRow } from "./store.ts";

interface Place {
  readonly baseId: string;
  readonly documentId: string;
}

/** Rows per statement. */
const BATCH = 200;

/**
 * Replaces a document's parts atomically: no search sees a mix of old and new ones. Locks the base's row, as the base
 * counts how often each word occurs.
 */
export async function replaceParts(
  trx: Kysely<Tables>,
  { language, ...place }: Place & { readonly language: KnowledgeLanguage },
  parts: readonly DocumentPart[],
): Promise<void> {
  await removeParts(trx, place);
  const { baseId, documentId } = place;
  for (let from = 0; from < parts.length; from += BATCH) {
    const rows = parts.slice(from, from + BATCH).map(({ heading, text }, i) => ({
      document_id: documentId,
      seq: from + i,
      base_id: baseId,
      heading,
      text,
      words: wordsOfPart({ language, baseId }, { heading, text }),
    }));
    await trx.insertInto("knowledge_parts").values(rows).execute();
  }
  await sql`insert into knowledge_terms (base_id, term, parts) ${countsOf(place)}
    on conflict (base_id, term) do update set parts = knowledge_terms.parts + excluded.parts`.execute(trx);
  await addToBase(trx, baseId, parts.length);
}

/** Removes a document's parts, and subtracts their words from the counts. */
async function removeParts(trx: Kysely<Tables>, place: Place): Promise<void> {
  const { baseId, documentId } = place;
  await trx.selectFrom("knowledge_bases").select("id").where("id", "=", baseId).forNoKeyUpdate().execute();
  await sql`update knowledge_terms set parts = knowledge_terms.parts - gone.parts
    from (${countsOf(place)}) as gone
    where knowledge_terms.base_id = gone.base_id and knowledge_terms.term = gone.term`.execute(trx);
  const { numDeletedRows } = await trx
    .deleteFrom("knowledge_parts")
    .where("document_id", "=", documentId)
    .executeTakeFirstOrThrow();
  await addToBase(trx, baseId, -Number(numDeletedRows));
}

/** Removes a document and its parts. */
export async function removeDocument(trx: Kysely<Tables>, baseId: string, documentId: string): Promise<void> {
  await removeParts(trx, { baseId, documentId });
  await deleteDocumentRow(trx, documentId);
}

/** The number of a document's parts that contain each word. */
function countsOf({ baseId, documentId }: Place) {
  return sql`select ${baseId}::text as base_id, word.lexeme as term, count(*)::integer as parts
    from knowledge_parts, unnest(words) as word
    where document_id = ${documentId} group by word.lexeme`;
}

async function addToBase(trx: Kysely<Tables>, baseId: string, parts: number): Promise<void> {
  if (parts === 0) return;
  await trx
    .updateTable("knowledge_bases")
    .set(({ eb }) => ({ parts: eb("parts", "+", parts) }))
    .where("id", "=", baseId)
    .execute();
}
