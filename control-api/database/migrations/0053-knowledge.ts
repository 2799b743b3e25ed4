import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`create table knowledge_bases (
    id text primary key,
    org_id text not null references organizations (id) on delete cascade,
    name text not null,
    description text not null,
    language text not null,
    parts integer not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  sql`create index knowledge_bases_org on knowledge_bases (org_id, id)`,
  sql`create table knowledge_documents (
    id text primary key,
    base_id text not null references knowledge_bases (id) on delete cascade,
    org_id text not null,
    name text not null,
    is_named boolean not null,
    source text not null check (source in ('upload', 'url', 'text')),
    url text,
    format text,
    content bytea,
    content_hash text,
    state text not null check (state in ('queued', 'reading', 'ready', 'failed')),
    error text,
    parts integer not null default 0,
    chars integer not null default 0,
    refresh_hours integer not null default 0,
    refresh_at timestamptz,
    read_at timestamptz,
    created_at timestamptz not null
  )`,
  sql`create index knowledge_documents_base on knowledge_documents (base_id, id)`,
  sql`create index knowledge_documents_refresh on knowledge_documents (refresh_at) where refresh_at is not null`,
  sql`create table knowledge_parts (
    document_id text not null references knowledge_documents (id) on delete cascade,
    seq integer not null,
    base_id text not null,
    heading text not null,
    text text not null,
    words tsvector not null,
    primary key (document_id, seq)
  )`,
  // The words of a part have its base among them (search/words.ts), so that one index finds both.
  sql`create index knowledge_parts_words on knowledge_parts using gin (words)`,
  sql`create table knowledge_terms (
    base_id text not null references knowledge_bases (id) on delete cascade,
    term text not null,
    parts integer not null,
    primary key (base_id, term)
  )`,
];

/** Documents that agents look things up in. */
export const knowledge: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
