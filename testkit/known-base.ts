import { migrateToLatest } from "@parley/control-api/database/migrate.ts";
import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { createBase } from "@parley/control-api/knowledge/bases/store.ts";
import { replaceParts } from "@parley/control-api/knowledge/documents/parts-store.ts";
import { insertDocument, settle } from "@parley/control-api/knowledge/documents/store.ts";
import { splitMarkdown } from "@parley/control-api/knowledge/reading/split.ts";
import { searchesKnowledge } from "@parley/control-api/knowledge/search/search.ts";
import type { Vectors } from "@parley/control-api/knowledge/vectors/open-vectors.ts";
import type { EmbeddingsConfig } from "@parley/shared/config/config.ts";
import type { KnowledgePassage } from "@parley/shared/contracts/knowledge.ts";
import { newId } from "@parley/shared/ids.ts";
import { KNOWN_DOCUMENTS, type KnownQuestion } from "./known-questions/read.ts";
import { openVectorsAlone } from "./open-vectors.ts";

export type Way = "words" | "vectors" | "both";

/** What a search found for a known question. */
export interface Found {
  /** From 1; undefined when the passage that answers is not among them. */
  readonly place: number | undefined;
  readonly passages: number;
}

const ORG = "org_known";
const LIMIT = 5;
const AT = new Date("2026-01-01T00:00:00Z");

/** An embedded database with a base of the known documents, embedded by a service. */
export class KnownBase {
  readonly #database: Databases;
  readonly #closeVectors: () => Promise<void>;
  readonly #vectors: Vectors;
  readonly #baseId: string;

  private constructor(parts: {
    database: Databases;
    closeVectors: () => Promise<void>;
    vectors: Vectors;
    baseId: string;
  }) {
    this.#database = parts.database;
    this.#closeVectors = parts.closeVectors;
    this.#vectors = parts.vectors;
    this.#baseId = parts.baseId;
  }

  static async open(service: EmbeddingsConfig): Promise<KnownBase> {
    const database = await openDatabase({});
    await migrateToLatest(database.db);
    const baseId = await fill(database);
    const { vectors, close } = openVectorsAlone(database, service);
    const base = new KnownBase({ database, closeVectors: close, vectors, baseId });
    await base.#embed();
    return base;
  }

  /** Asks each question in turn, and says at which place the passage that answers it was. */
  async ask(way: Way, questions: readonly KnownQuestion[]): Promise<Found[]> {
    const found: Found[] = [];
    for (const { question, document, heading } of questions) {
      const passages = await this.#search(way, question);
      const place = passages.findIndex((one) => one.document === document && one.heading === heading) + 1;
      found.push({ place: place === 0 ? undefined : place, passages: passages.length });
    }
    return found;
  }

  async close(): Promise<void> {
    await this.#closeVectors();
    await this.#database.close();
  }

  #search(way: Way, text: string): Promise<KnowledgePassage[]> {
    const query = { orgId: ORG, baseIds: [this.#baseId], text, limit: LIMIT };
    const { meaning } = this.#vectors;
    if (way === "vectors") return meaning.search(this.#database, query);
    return searchesKnowledge(way === "both" ? meaning : undefined)(this.#database, query);
  }

  async #embed(): Promise<void> {
    const { signal } = new AbortController();
    const run = { jobId: "", orgId: null, payload: {}, attempt: 1, signal, progress: async () => undefined };
    for (const job of this.#vectors.jobs) await job.run(run);
  }
}

async function fill(database: Databases): Promise<string> {
  await database.db.insertInto("organizations").values({ id: ORG, name: ORG, created_at: AT }).execute();
  const given = { orgId: ORG, name: "Known", description: "", language: "en", at: AT } as const;
  const { id: baseId } = await createBase(database, given);
  for (const [name, text] of KNOWN_DOCUMENTS) {
    const id = newId("doc");
    const parts = splitMarkdown(text);
    await database.db.transaction().execute(async (trx) => {
      const document = { id, baseId, orgId: ORG, name, isNamed: true, source: "text", at: AT } as const;
      await insertDocument(trx, document);
      await replaceParts(trx, { baseId, documentId: id, language: "en" }, parts);
      const read = { parts: parts.length, chars: text.length };
      await settle(trx, id, { name, format: "md", hash: name, read, refreshAt: null, at: AT });
    });
  }
  return baseId;
}
