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
  knowledge_vectors: KnowledgeVectorsTable;
  knowledge_crawls: KnowledgeCrawlsTable;
}

interface KnowledgeBasesTable {
  id: string;
  org_id: string;
  name: string;
  description: string;
  language: KnowledgeLanguage;
  /** Parts of all its documents. */
  parts: WithDefault<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface KnowledgeDocumentsTable {
  id: string;
  base_id: string;
  org_id: string;
  name: string;
  /** Named by a person; otherwise a page's title becomes its name. */
  is_named: boolean;
  source: "upload" | "url" | "text";
  url: string | null;
  format: DocumentFormat | null;
  /** The upload, until it is read. */
  content: ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>;
  /** Hash of the page as last read: an unchanged page is not read again. */
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
  /** Links away from the page where the crawl began, which has 0. */
  depth: WithDefault<number>;
  /** The space that all its parts have vectors of, or were refused by; null after each reading. */
  embedded_in: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Timestamp;
}

/** A site being crawled; its pages become documents of the base. */
interface KnowledgeCrawlsTable {
  id: string;
  base_id: string;
  org_id: string;
  /** Where it begins. */
  url: string;
  /** The origin its pages must have: where the start address led. */
  site: ColumnType<string | null, string | null | undefined, string | null>;
  /** The site's robots.txt, and when it was fetched. */
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
  /** Its position in the document, from 0. */
  seq: number;
  base_id: string;
  heading: string;
  text: string;
  /** The stems of its words, plus the base's id. */
  words: string;
}

/** How many parts of a base contain a word's stem. */
interface KnowledgeTermsTable {
  base_id: string;
  term: string;
  parts: number;
}

/** What a part means, in the space of one model: vectors of two spaces are never compared. */
interface KnowledgeVectorsTable {
  document_id: string;
  seq: number;
  base_id: string;
  /** The model and its dimensions: `text-embedding-3-small@1536`. */
  space: string;
  /** Numbers, not pgvector's type, so that the table exists without the extension. */
  embedding: number[];
}
