import type { Registry } from "prom-client";
import { declaring } from "./declare.ts";

const EMBEDDING_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const READ_BUCKETS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60];

/** Documents read for agents' look-ups. */
export function knowledgeMetrics(registry: Registry) {
  const { counter, gauge, histogram } = declaring(registry);
  return {
    knowledgeDocumentsTotal: counter(
      "knowledge_documents_total",
      "Readings of documents for knowledge bases, by outcome: read, unchanged, gone (of a site, and not there any more), failed. Many of failed: people upload what cannot be read, or a site that many pages are from does not answer; the documents say why.",
      ["outcome"],
    ),
    knowledgeReadSeconds: histogram(
      "knowledge_read_seconds",
      "Getting and reading one document, of those that could be read. High: large files, or slow sites.",
      READ_BUCKETS,
    ),
    knowledgeVectorsReady: gauge(
      "knowledge_vectors_ready",
      "1 while an embeddings service is configured and the database can compare vectors. 0 with one configured: knowledge is searched by words alone; the log says why (vectors_unavailable).",
    ),
    knowledgeEmbeddedTotal: counter(
      "knowledge_embedded_total",
      "Documents embedded for searching by meaning, by outcome: embedded, refused (by the service, for their texts: they are found by words alone).",
      ["outcome"],
    ),
    embeddingsRequestsTotal: counter(
      "embeddings_requests_total",
      "Requests to the embeddings service, by purpose (search, documents) and outcome: answered, refused (these texts), failed. Many of failed: knowledge is searched by words alone.",
      ["purpose", "outcome"],
    ),
    embeddingsSeconds: histogram(
      "embeddings_seconds",
      "Answers of the embeddings service, by purpose. For search above 0.25: the answer came too late, and words alone were searched.",
      EMBEDDING_BUCKETS,
      ["purpose"],
    ),
  };
}
