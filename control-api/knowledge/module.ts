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

export interface KnowledgeModuleDeps extends KnowledgeDeps {
  readonly metrics: Metrics;
  readonly egress: Pick<Egress, "to">;
}

export interface Knowledge {
  readonly module: Module;
  /** What agents' `knowledge` tools do. */
  readonly executor: ToolExecutor<KnowledgeTool>;
}

/** Documents that agents look things up in: how they are kept, read and found. */
export function openKnowledge(deps: KnowledgeModuleDeps): Knowledge {
  const { database, clock, queue, metrics, egress } = deps;
  const reading = {
    database: database.background,
    clock,
    queue,
    metrics,
    dispatchers: egress.to("knowledge"),
  };
  return {
    module: {
      name: "knowledge",
      routes: async (app) => {
        knowledgeBaseRoutes(app, deps);
        knowledgeCrawlRoutes(app, deps);
        await knowledgeDocumentRoutes(app, deps);
      },
      jobs: readingJobs(reading),
    },
    executor: knowledgeTools({ database }),
  };
}
