import type { Databases } from "../database/open.ts";
import type { Reads } from "../http/reads.ts";
import type { Audit } from "../identity/audit/audit.ts";
import { every } from "../jobs/job-kind.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Module } from "../modules/module.ts";
import { DataKeys } from "../sealed/data-keys.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { ANALYZE_CALL, type AnalyzeCallDeps, analyzesCalls } from "./analyze-call.ts";
import { memoryRoutes } from "./memory/routes.ts";
import { eraseMemories, forgetExpired, forgetRemembered, REMEMBERED } from "./memory/store.ts";
import { ANALYSES, eraseAnalyses, findToAnalyze } from "./store.ts";
import { vaultRoutes } from "./vault/routes.ts";
import { COLLECTED, deleteExpired, eraseVault } from "./vault/store.ts";

export interface AnalysisDeps extends Omit<AnalyzeCallDeps, "database" | "dataKeys"> {
  readonly database: Databases;
  readonly queue: JobQueue;
  readonly audit: Audit;
  readonly reads: Pick<Reads, "run">;
}

const VAULT_EVERY_MS = 10 * 60_000;
const MEMORY_EVERY_MS = 60 * 60_000;

/** Analyses, memories and the vault: everything made of calls once they are over. */
export function openAnalysis(deps: AnalysisDeps): Module {
  const dataKeys = new DataKeys({ secrets: deps.secrets, nowMs: () => deps.clock.wallMs() });
  const background = { ...deps, dataKeys, database: deps.database.background };
  return {
    name: "analysis",
    routes: (app) => {
      vaultRoutes(app, { ...deps, dataKeys });
      memoryRoutes(app, deps);
    },
    jobs: [
      analyzesCalls(background),
      every(VAULT_EVERY_MS, "delete_expired_pii", () =>
        deleteExpired(background.database, new Date(deps.clock.wallMs())),
      ),
      every(MEMORY_EVERY_MS, "forget_expired_memory", () =>
        forgetExpired(background.database, new Date(deps.clock.wallMs())),
      ),
    ],
    subscriptions: [queuesAnalyses(deps.queue)],
    forgetPeople: forgetRemembered,
    personalData: [ANALYSES, COLLECTED, REMEMBERED],
    eraseContent: async (trx, erased) => {
      await eraseAnalyses(trx, erased);
      await eraseVault(trx, erased);
      await eraseMemories(trx, erased);
    },
  };
}

/** Queues a job for each call to analyze, once its end is recorded. */
function queuesAnalyses(queue: JobQueue): Subscription {
  return {
    name: "analysis",
    types: ["call.ended"],
    handle: async (trx, recorded) => {
      const calls = await findToAnalyze(
        trx,
        recorded.map(({ event }) => event.sessionId),
      );
      for (const { sessionId, orgId } of calls)
        await queue.add(trx, ANALYZE_CALL, { payload: { sessionId }, orgId, once: sessionId });
      return calls.length > 0 ? () => queue.announce() : undefined;
    },
  };
}
