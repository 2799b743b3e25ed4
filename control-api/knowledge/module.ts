import type { Config } from "@parley/shared/config/config.ts";
import type { KnowledgeTool } from "@parley/shared/contracts/tools/knowledge.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { Module } from "../modules/module.ts";
import type { ToolExecutor } from "../tools/executor.ts";
import { knowledgeBaseRoutes } from "./bases/routes.ts";
import { knowledgeCrawlRoutes } from "./crawls/routes.ts";
import type { KnowledgeDeps } from "./deps.ts";
import { readingJobs } from "./documents/read-document.ts";
import { knowledgeDocumentRoutes } from "./documents/routes.ts";
import { knowledgeTools } from "./knowledge-tool.ts";
import { searchesKnowledge } from "./search/search.ts";
import { openVectors, type Vectors, type VectorsDeps } from "./vectors/open-vectors.ts";

export interface KnowledgeModuleDeps extends Omit<KnowledgeDeps, "search" | "vectors">, VectorsDeps {
  readonly config: { readonly embeddings: Config["embeddings"] };
  readonly metrics: Metrics;
  readonly egress: Pick<Egress, "to">;
}

export interface Knowledge {
  readonly module: Module;
  /** Executes agents' `knowledge` tools. */
  readonly executor: ToolExecutor<KnowledgeTool>;
  /** For other districts that search by meaning; undefined without a service. */
  readonly vectors: Vectors | undefined;
}

/** Documents for agents to search: storing, reading and finding them. */
export function openKnowledge(given: KnowledgeModuleDeps): Knowledge {
  const { config, database, clock, queue, metrics, egress } = given;
  const vectors = config.embeddings && openVectors(config.embeddings, given);
  const search = searchesKnowledge(vectors?.meaning);
  const deps = { ...given, search, vectors };
  const reading = {
    database: database.background,
    clock,
    queue,
    metrics,
    dispatchers: egress.to("knowledge"),
    isEmbedded: vectors !== undefined,
  };
  return {
    module: {
      name: "knowledge",
      routes: async (app) => {
        knowledgeBaseRoutes(app, deps);
        knowledgeCrawlRoutes(app, deps);
        await knowledgeDocumentRoutes(app, deps);
      },
      jobs: [...readingJobs(reading), ...(vectors?.jobs ?? [])],
      start: async () => {
        await vectors?.support.state();
      },
    },
    executor: knowledgeTools({ database, search }),
    vectors,
  };
}
