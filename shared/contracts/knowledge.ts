import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";
import { pageLimit, queryInt } from "./paging.ts";

/** `/api/orgs/{orgId}/knowledge-bases`: documents that agents look things up in. */

/** One document: 10 MiB as it was sent, and a million characters of what was read of it. */
export const DOCUMENT_MAX_BYTES = 10 * 1024 * 1024;
export const DOCUMENT_MAX_CHARS = 1_000_000;
export const BASES_MAX = 50;
export const DOCUMENTS_MAX = 2_000;
/** Passages that one search gives at most. */
export const PASSAGES_MAX = 20;
const QUERY_MAX_CHARS = 1_000;

/** The languages whose words are known by their stem; `other` compares words as they are written. */
export const KNOWLEDGE_LANGUAGES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "da",
  "sv",
  "nb",
  "fi",
  "ru",
  "tr",
  "hu",
  "ro",
  "other",
] as const;
export type KnowledgeLanguage = (typeof KNOWLEDGE_LANGUAGES)[number];

/** What can be uploaded, by the type that is sent with it. */
export const DOCUMENT_TYPES = {
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "text/html": "html",
  "text/markdown": "md",
  "text/plain": "txt",
  "text/csv": "csv",
} as const;
export type DocumentFormat = (typeof DOCUMENT_TYPES)[keyof typeof DOCUMENT_TYPES];

/**
 * `queued` until a process takes it; `reading` while it does; `ready`: it can be found; `failed`: `error` says why. A document
 * that is read again is found as it was before until that is done.
 */
export const DOCUMENT_STATES = ["queued", "reading", "ready", "failed"] as const;

const name = z.string().trim().min(1).max(128);
const documentName = z.string().trim().min(1).max(256);
const description = z.string().trim().max(1_000);
const id = z.string().min(1).max(64);

export const knowledgeBaseParamsSchema = orgParamsSchema.extend({ baseId: id });
export const knowledgeDocumentParamsSchema = knowledgeBaseParamsSchema.extend({ documentId: id });

export const createKnowledgeBaseSchema = z.strictObject({
  name,
  description: description.default(""),
  language: z.enum(KNOWLEDGE_LANGUAGES).default("en"),
});
export type CreateKnowledgeBase = z.infer<typeof createKnowledgeBaseSchema>;

/** The language stays: what was read was read in it. */
export const updateKnowledgeBaseSchema = z.strictObject({
  name: name.optional(),
  description: description.optional(),
});

export const knowledgeBaseSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  language: z.enum(KNOWLEDGE_LANGUAGES),
  /** Documents, in whatever state. */
  documents: z.int(),
  /** Parts that can be found. */
  parts: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type KnowledgeBase = z.infer<typeof knowledgeBaseSchema>;
export const knowledgeBaseResponseSchema = wrapped(knowledgeBaseSchema);
export const knowledgeBasesResponseSchema = wrapped(
  z.object({ knowledgeBases: z.array(knowledgeBaseSchema), total: z.int() }),
);
export const knowledgeBaseDeletedResponseSchema = wrapped(z.object({ id: z.string() }));

/** A page of the web that is read again so often; 0: only when it is asked for. */
const refreshHours = z.int().min(0).max(720);

/** A document that is no file: text, or the address of a page. */
export const addKnowledgeDocumentSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("text"),
    name: documentName,
    /** Markdown, or plain text. */
    text: z.string().trim().min(1).max(DOCUMENT_MAX_CHARS),
  }),
  z.strictObject({
    type: z.literal("url"),
    /** The page's title when absent. */
    name: documentName.optional(),
    url: z.url({ protocol: /^https?$/ }).max(2_048),
    refreshHours: refreshHours.default(0),
  }),
]);
export type AddKnowledgeDocument = z.infer<typeof addKnowledgeDocumentSchema>;

/** The body is the file. */
export const uploadKnowledgeDocumentQuerySchema = z.object({ name: documentName });

export const knowledgeDocumentSchema = z.object({
  id: z.string(),
  name: z.string(),
  source: z.enum(["upload", "url", "text"]),
  /** Null for what was sent as a file or as text. */
  url: z.string().nullable(),
  /** The crawl that found it. */
  crawlId: z.string().nullable(),
  format: z.enum(["pdf", "docx", "html", "md", "txt", "csv"]).nullable(),
  state: z.enum(DOCUMENT_STATES),
  /** Why it could not be read, the last time. */
  error: z.string().nullable(),
  /** Parts that can be found. */
  parts: z.int(),
  /** Characters that were read. */
  chars: z.int(),
  refreshHours: z.int(),
  readAt: z.string().nullable(),
  createdAt: z.string(),
});
export type KnowledgeDocument = z.infer<typeof knowledgeDocumentSchema>;
export const knowledgeDocumentResponseSchema = wrapped(knowledgeDocumentSchema);
export const knowledgeDocumentDeletedResponseSchema = wrapped(z.object({ id: z.string() }));
export const knowledgeDocumentsQuerySchema = z.object({
  limit: pageLimit(200),
  /** The id of the last one seen; older ones follow. */
  before: z.string().max(64).optional(),
});
export const knowledgeDocumentsResponseSchema = wrapped(
  z.object({ documents: z.array(knowledgeDocumentSchema), nextBefore: z.string().nullable() }),
);

/** Pages of one crawl, links that it follows one after the other, and crawls of one base. */
export const CRAWL_PAGES_MAX = 200;
export const CRAWL_DEPTH_MAX = 8;
export const CRAWLS_MAX = 20;

export const knowledgeCrawlParamsSchema = knowledgeBaseParamsSchema.extend({ crawlId: id });

/** A site to read: the page of an address, and those of the same site that it leads to. */
export const createKnowledgeCrawlSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  maxPages: z.int().min(1).max(CRAWL_PAGES_MAX).default(50),
  /** Links from the first page; 0 reads that one alone. */
  maxDepth: z.int().min(0).max(CRAWL_DEPTH_MAX).default(3),
  refreshHours: refreshHours.default(0),
});
export type CreateKnowledgeCrawl = z.infer<typeof createKnowledgeCrawlSchema>;

export const knowledgeCrawlSchema = z.object({
  id: z.string(),
  url: z.string(),
  maxPages: z.int(),
  maxDepth: z.int(),
  refreshHours: z.int(),
  /** `reading` while pages wait or are being read; `failed`: no page could be read, and `error` says why. */
  state: z.enum(["reading", "ready", "failed"]),
  error: z.string().nullable(),
  /** What was found so far, by what became of it. */
  pages: z.object({ waiting: z.int(), ready: z.int(), failed: z.int() }),
  /** The last reading of one of its pages. */
  readAt: z.string().nullable(),
  createdAt: z.string(),
});
export type KnowledgeCrawl = z.infer<typeof knowledgeCrawlSchema>;
export const knowledgeCrawlResponseSchema = wrapped(knowledgeCrawlSchema);
export const knowledgeCrawlsResponseSchema = wrapped(
  z.object({ crawls: z.array(knowledgeCrawlSchema), total: z.int() }),
);
export const knowledgeCrawlDeletedResponseSchema = wrapped(z.object({ id: z.string() }));

export const knowledgeSearchQuerySchema = z.object({
  query: z.string().trim().min(1).max(QUERY_MAX_CHARS),
  limit: queryInt({ min: 1, max: PASSAGES_MAX, usual: 5 }),
});

/** A part of a document that fits a question. */
export const knowledgePassageSchema = z.object({
  knowledgeBaseId: z.string(),
  documentId: z.string(),
  document: z.string(),
  url: z.string().nullable(),
  /** The headings above it, from the outermost; empty where there are none. */
  heading: z.string(),
  text: z.string(),
  /** Comparable within one answer only; the best is first. */
  score: z.number(),
});
export type KnowledgePassage = z.infer<typeof knowledgePassageSchema>;
export const knowledgeSearchResponseSchema = wrapped(z.object({ passages: z.array(knowledgePassageSchema) }));
