import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Database } from "@parley/shared/database/open.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { PUBLIC } from "../access/rules.ts";
import type { Api } from "../routes.ts";

const HIDDEN = { hide: true } as const;

/** Liveness, readiness and metrics, for load balancers and Prometheus. */
export function healthRoutes(
  app: Api,
  { bus, database, metrics }: { bus: Bus; database: Database; metrics: Metrics },
): void {
  const options = { config: { access: PUBLIC }, schema: HIDDEN };
  app.get("/healthz", options, async () => ({ status: "ok" }));
  app.get("/readyz", options, async (_request, reply) => {
    if (!bus.isReady()) return reply.status(503).send({ status: "not ready", reason: "the bus is away" });
    try {
      await database.ping();
      return { status: "ready" };
    } catch {
      return reply.status(503).send({ status: "not ready", reason: "the database is away" });
    }
  });
  app.get("/metrics", options, async (_request, reply) => {
    metrics.busReady.set(bus.isReady() ? 1 : 0);
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}
