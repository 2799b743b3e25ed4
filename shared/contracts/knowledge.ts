import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";
import { beforeId, pageLimit, queryInt } from "./paging.ts";

/** `/api/orgs/{orgId}/knowledge-bases`: documents in which agents look things up. */

/** Limits of one document: 10 MiB as sent, and a million characters of extracted text. */
export const DOCUMENT_MAX_BYTES = 10 * 1024 * 1024;
export const DOCUMENT_MAX_CHARS = 1_000_000;
export const BASES_MAX = 50;
export const DOCUMENTS_MAX = 2_000;
/** Maximum passages that one search returns. */
export const PASSAGES_MAX = 20;
const QUERY_MAX_CHARS = 1_000;

/** Languages whose words are matched by stem; `other` compares words as written. */
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

export * from "./document-types.ts";

/**
 * `queued` until a process takes the document; `reading` meanwhile; `ready`: searchable; `failed`: `error` says why.
 * While a document is read again, its previous text stays searchable.
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

/** The language cannot change: documents were read in it. */
export const updateKnowledgeBaseSchema = z.strictObject({
  name: name.optional(),
  description: description.optional(),
});

export const knowledgeBaseSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  language: z.enum(KNOWLEDGE_LANGUAGES),
  /** Number of documents, in any state. */
  documents: z.int(),
  /** Number of searchable parts. */
  parts: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type KnowledgeBase = z.infer<typeof knowledgeBaseSchema>;
export const knowledgeBaseResponseSchema = wrapped(knowledgeBaseSchema);

/** Whether searches find what is meant as well as what is said. */
export const knowledgeMeaningSchema = z.object({
  /** `off`: no embeddings service is configured; `unavailable`: one is, but the database cannot compare vectors. */
  state: z.enum(["off", "unavailable", "on"]),
  /** Null without a service. */
  model: z.string().nullable(),
  /** Why it is unavailable, and what the operator can do. */
  why: z.string().nullable(),
  /** Documents found by words alone until they are embedded. */
  waiting: z.int(),
});
export type KnowledgeMeaning = z.infer<typeof knowledgeMeaningSchema>;
export const knowledgeBasesResponseSchema = wrapped(
  z.object({
    knowledgeBases: z.array(knowledgeBaseSchema),
    total: z.int(),
    meaning: knowledgeMeaningSchema,
  }),
);
export const knowledgeBaseDeletedResponseSchema = wrapped(z.object({ id: z.string() }));

/** Hours between readings of a web page; 0: only on request. */
const refreshHours = z.int().min(0).max(720);

/** A document that is not a file: text, or the address of a page. */
export const addKnowledgeDocumentSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("text"),
    name: documentName,
    /** Markdown or plain text. */
    text: z.string().trim().min(1).max(DOCUMENT_MAX_CHARS),
  }),
  z.strictObject({
    type: z.literal("url"),
    /** Absent: the page's title. */
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
  /** Null for a document sent as a file or as text. */
  url: z.string().nullable(),
  /** The crawl that found the document. */
  crawlId: z.string().nullable(),
  format: z.enum(["pdf", "docx", "html", "md", "txt", "csv"]).nullable(),
  state: z.enum(DOCUMENT_STATES),
  /** Why the last reading failed. */
  error: z.string().nullable(),
  /** Number of searchable parts. */
  parts: z.int(),
  /** Number of characters read. */
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
  /** Id of the last document of the previous page; older ones follow. */
  before: beforeId("doc_"),
});
export const knowledgeDocumentsResponseSchema = wrapped(
  z.object({ documents: z.array(knowledgeDocumentSchema), nextBefore: z.string().nullable() }),
);

/** Limits: pages per crawl, depth of followed links, and crawls per knowledge base. */
export const CRAWL_PAGES_MAX = 200;
export const CRAWL_DEPTH_MAX = 8;
export const CRAWLS_MAX = 20;

export const knowledgeCrawlParamsSchema = knowledgeBaseParamsSchema.extend({ crawlId: id });

/** Reads a site: the page at an address, and the pages of the same site that it links to. */
export const createKnowledgeCrawlSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  maxPages: z.int().min(1).max(CRAWL_PAGES_MAX).default(50),
  /** Links followed from the first page; 0 reads that page alone. */
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
  /** Pages found so far, by state. */
  pages: z.object({ waiting: z.int(), ready: z.int(), failed: z.int() }),
  /** When one of the pages was last read. */
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

/** A part of a document that matches a question. */
export const knowledgePassageSchema = z.object({
  knowledgeBaseId: z.string(),
  documentId: z.string(),
  document: z.string(),
  url: z.string().nullable(),
  /** The headings above the passage, outermost first; empty when there are none. */
  heading: z.string(),
  text: z.string(),
  /** Comparable within one answer only; the best is first. */
  score: z.number(),
});
export type KnowledgePassage = z.infer<typeof knowledgePassageSchema>;
export const knowledgeSearchResponseSchema = wrapped(z.object({ passages: z.array(knowledgePassageSchema) }));
