import type { Logger } from "@parley/shared/log.ts";
import type { Databases } from "../database/open.ts";
import { deleteEnded } from "../modules/delete-ended.ts";
import type { Module } from "../modules/module.ts";
import { batchRoutes } from "./batch/routes.ts";
import { type HealthDeps, healthRoutes } from "./health/routes.ts";
import { deleteOldIdempotent } from "./idempotency/store.ts";
import { deleteOldCounts } from "./limits/store.ts";
import { type PagesDeps, pageRoutes } from "./pages/routes.ts";

export interface HttpDeps extends HealthDeps, PagesDeps {
  readonly database: Databases;
  readonly log: Logger;
}

/** Health, metrics, pages and batches of reads; cleanup of expired limit counts and answers of repeated requests. */
export function openHttp(deps: HttpDeps): Module {
  return {
    name: "http",
    routes: async (app) => {
      healthRoutes(app, deps);
      batchRoutes(app, deps);
      await pageRoutes(app, deps);
    },
    jobs: [
      deleteEnded("http", [deleteOldCounts, deleteOldIdempotent], {
        ...deps,
        database: deps.database.background,
      }),
    ],
  };
}
