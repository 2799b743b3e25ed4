import type { Clock } from "@parley/shared/clock.ts";
import type {
  AddKnowledgeDocument,
  DocumentFormat,
  KnowledgeDocument,
} from "@parley/shared/contracts/knowledge.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Database } from "../../database/open.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { removeDocument } from "./parts-store.ts";
import { addReading } from "./reading-job.ts";
import { findDocument, insertDocument, type NewDocument, requeue } from "./store.ts";

export interface DocumentsDeps {
  readonly queue: Pick<JobQueue, "add" | "announce">;
  readonly database: Database;
  readonly clock: Clock;
}

interface Base {
  readonly orgId: string;
  readonly baseId: string;
}

/** Adds a text or a page's address, which is read in the background. */
export function addDocument(
  base: Base,
  given: AddKnowledgeDocument,
  deps: DocumentsDeps,
): Promise<KnowledgeDocument> {
  if (given.type === "url") {
    const { name, url, refreshHours } = given;
    return add(
      { ...base, source: "url", url, refreshHours, name: name ?? url, isNamed: name !== undefined },
      deps,
    );
  }
  const content = new TextEncoder().encode(given.text);
  return add({ ...base, source: "text", format: "md", content, name: given.name, isNamed: true }, deps);
}

/** Adds a file. */
export function uploadDocument(
  base: Base,
  file: { readonly name: string; readonly format: DocumentFormat; readonly bytes: Uint8Array },
  deps: DocumentsDeps,
): Promise<KnowledgeDocument> {
  if (file.bytes.length === 0) throw new AppError("validation_failed", "The file is empty.");
  const { name, format, bytes } = file;
  return add({ ...base, source: "upload", format, content: bytes, name, isNamed: true }, deps);
}

async function add(
  document: Omit<NewDocument, "id" | "at">,
  { database, clock, queue }: DocumentsDeps,
): Promise<KnowledgeDocument> {
  const added = { ...document, id: newId("doc"), at: new Date(clock.wallMs()) };
  await database.db.transaction().execute(async (trx) => {
    await insertDocument(trx, added);
    await addReading(trx, added, queue);
  });
  queue.announce();
  return findDocument(database.db, document, added.id);
}

/** Reads the current version of a page again. Throws not_found; conflict for a document that is not a page. */
export async function refreshDocument(
  base: Base,
  id: string,
  { database, queue }: DocumentsDeps,
): Promise<KnowledgeDocument> {
  const { source } = await findDocument(database.db, base, id);
  if (source !== "url") {
    throw new AppError("conflict", "Only web pages can be read again. Upload the document again instead.");
  }
  await database.db.transaction().execute(async (trx) => {
    await requeue(trx, id);
    await addReading(trx, { ...base, id }, queue);
  });
  queue.announce();
  return findDocument(database.db, base, id);
}

/** Deletes a document; searches no longer find it. Throws not_found; conflict for a crawled page. */
export async function deleteDocument(base: Base, id: string, { database }: DocumentsDeps): Promise<void> {
  const { crawlId } = await findDocument(database.db, base, id);
  if (crawlId !== null) {
    throw new AppError("conflict", "This page belongs to a site. Delete the site instead.");
  }
  await database.db.transaction().execute((trx) => removeDocument(trx, base.baseId, id));
}
