import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import { measureDiskRoom } from "@parley/shared/disk-room.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { listTargets } from "@parley/shared/nodes/scrape-list.ts";
import type { Database } from "../../database/open.ts";
import { PUBLIC } from "../access/rules.ts";
import type { Api } from "../routes.ts";
import { databaseAnswers } from "./database-answers.ts";

const HIDDEN = { hide: true } as const;
/** Below the timeouts of load balancer checks and Prometheus scrapes. */
const PING_WITHIN_MS = 2_000;

export interface HealthDeps {
  readonly config: Pick<Config, "storage">;
  readonly bus: Bus;
  readonly database: Database;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/**
 * Liveness, readiness and metrics, for load balancers and Prometheus. If the database is away, the process is alive but
 * not ready: its connections recover by themselves, and a restart would not help.
 */
export function healthRoutes(app: Api, deps: HealthDeps): void {
  const { config, bus, metrics } = deps;
  const options = { config: { access: PUBLIC }, schema: HIDDEN };
  app.get("/healthz", options, async () => ({ status: "ok" }));
  app.get("/readyz", options, async (_request, reply) => {
    if (!bus.isReady())
      return reply
        .status(503)
        .send({ status: "not ready", reason: "the bus is not available or accepts no writes" });
    if (await databaseAnswers(deps, PING_WITHIN_MS)) return { status: "ready" };
    return reply.status(503).send({ status: "not ready", reason: "the database is away" });
  });
  app.get("/metrics", options, async (_request, reply) => {
    metrics.busReady.set(bus.isReady() ? 1 : 0);
    metrics.databaseReady.set((await databaseAnswers(deps, PING_WITHIN_MS)) ? 1 : 0);
    await measureDiskRoom(config.storage.dataDir, metrics);
    return reply.type(metrics.contentType).send(await metrics.text());
  });
  // Prometheus' HTTP discovery, which keeps the last answer while this one fails.
  app.get("/metrics/targets", options, async () =>
    (await listTargets(bus.keys)).map(({ job, address }) => ({ targets: [address], labels: { job } })),
  );
}
