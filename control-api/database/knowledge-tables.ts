import type {
  DOCUMENT_STATES,
  DocumentFormat,
  KnowledgeLanguage,
} from "@parley/shared/contracts/knowledge.ts";
import type { ColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

export interface KnowledgeTables {
  knowledge_bases: KnowledgeBasesTable;
  knowledge_documents: KnowledgeDocumentsTable;
  knowledge_parts: KnowledgePartsTable;
  knowledge_terms: KnowledgeTermsTable;
  knowledge_crawls: KnowledgeCrawlsTable;
}

interface KnowledgeBasesTable {
  id: string;
  org_id: string;
  name: string;
  description: string;
  language: KnowledgeLanguage;
  /** Of all its documents. */
  parts: WithDefault<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface KnowledgeDocumentsTable {
  id: string;
  base_id: string;
  org_id: string;
  name: string;
  /** By a person; else a page's title becomes its name. */
  is_named: boolean;
  source: "upload" | "url" | "text";
  url: string | null;
  format: DocumentFormat | null;
  /** What was sent, until it is read. */
  content: ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>;
  /** Of the page as it was read last: one that is the same is not read again. */
  content_hash: ColumnType<string | null, string | null | undefined, string | null>;
  state: (typeof DOCUMENT_STATES)[number];
  error: ColumnType<string | null, string | null | undefined, string | null>;
  parts: WithDefault<number>;
  chars: WithDefault<number>;
  refresh_hours: WithDefault<number>;
  /** When a page is to be read again. */
  refresh_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  read_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** The crawl that found it. */
  crawl_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** Links from the page a crawl began at; 0 for that one. */
  depth: WithDefault<number>;
  created_at: Timestamp;
}

/** A site whose pages are read; they are documents of its base. */
interface KnowledgeCrawlsTable {
  id: string;
  base_id: string;
  org_id: string;
  /** Where it begins. */
  url: string;
  /** The origin its pages are of: the one that its address led to. */
  site: ColumnType<string | null, string | null | undefined, string | null>;
  /** What robots.txt of the site says, and when it was read. */
  robots: ColumnType<string | null, string | null | undefined, string | null>;
  robots_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  max_pages: number;
  max_depth: number;
  refresh_hours: number;
  /** When its pages are to be read again. */
  refresh_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  created_at: Timestamp;
}

interface KnowledgePartsTable {
  document_id: string;
  /** Its place in the document, from 0. */
  seq: number;
  base_id: string;
  heading: string;
  text: string;
  /** The stems of its words, and the base's id. */
  words: string;
}

/** In how many parts of a base a word's stem is. */
interface KnowledgeTermsTable {
  base_id: string;
  term: string;
  parts: number;
}
