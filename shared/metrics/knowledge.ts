import type { Registry } from "prom-client";
import { declaring } from "./declare.ts";

const READ_BUCKETS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60];

/** Documents that are read for agents to look things up in. */
export function knowledgeMetrics(registry: Registry) {
  const { counter, histogram } = declaring(registry);
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
  };
}
