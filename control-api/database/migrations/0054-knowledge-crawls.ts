import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`create table knowledge_crawls (
    id text primary key,
    base_id text not null references knowledge_bases (id) on delete cascade,
    org_id text not null,
    url text not null,
    site text,
    robots text,
    robots_at timestamptz,
    max_pages integer not null,
    max_depth integer not null,
    refresh_hours integer not null,
    refresh_at timestamptz,
    created_at timestamptz not null
  )`,
  sql`create index knowledge_crawls_base on knowledge_crawls (base_id, id)`,
  sql`create index knowledge_crawls_refresh on knowledge_crawls (refresh_at) where refresh_at is not null`,
  sql`alter table knowledge_documents
    add column crawl_id text references knowledge_crawls (id) on delete cascade,
    add column depth integer not null default 0`,
  sql`create unique index knowledge_documents_crawl on knowledge_documents (crawl_id, url) where crawl_id is not null`,
];

/** Sites whose pages are read, from one page by its links. */
export const knowledgeCrawls: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
