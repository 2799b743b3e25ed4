import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`alter table knowledge_documents add column embedded_in text`,
  // Finds what is not embedded, or embedded by another model, without reading all documents.
  sql`create index knowledge_documents_embedded on knowledge_documents (embedded_in) where parts > 0`,
  sql`create table knowledge_vectors (
    document_id text not null,
    seq integer not null,
    base_id text not null,
    space text not null,
    embedding real[] not null,
    primary key (document_id, seq),
    foreign key (document_id, seq) references knowledge_parts (document_id, seq) on delete cascade
  )`,
  // Numbers of vectors do not shrink when compressed.
  sql`alter table knowledge_vectors alter column embedding set storage external`,
  sql`create index knowledge_vectors_base on knowledge_vectors (base_id, space)`,
];

/** What parts of documents mean. Needs no extension: only comparing them does (vectors/vector-support.ts). */
export const knowledgeVectors: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
