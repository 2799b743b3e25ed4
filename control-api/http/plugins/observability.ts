import type { Metrics } from "@parley/shared/metrics.ts";
import fp from "fastify-plugin";

const SERVER_ERROR = 500;
const ROUTE_CLASSES = ["api", "v1", "callback", "page"] as const;
type RouteClass = (typeof ROUTE_CLASSES)[number];
/** Counters that alerts watch must exist before the first error: `rate` does not see a counter appear. */
const EXPECTED_STATUSES = [500, 502, 503, 504];

/** Counts and times requests by route pattern, never by URL. */
export const observabilityPlugin = fp<{ metrics: Metrics }>(async (app, { metrics }) => {
  const errors = metrics.httpServerErrorsTotal;
  for (const of of ROUTE_CLASSES) {
    for (const status of EXPECTED_STATUSES) errors.inc({ class: of, status: String(status) }, 0);
  }
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "(none)";
    const status = String(reply.statusCode);
    metrics.httpRequestsTotal.inc({ method: request.method, route, status });
    metrics.httpRequestSeconds.observe({ route }, reply.elapsedTime / 1000);
    // A health check that reports "not ready" is not a failed request.
    if (reply.statusCode >= SERVER_ERROR && route !== "/readyz")
      errors.inc({ class: classOf(route), status });
  });
  app.addHook("onSend", async (request, reply) => {
    reply.header("x-content-type-options", "nosniff");
    reply.header("referrer-policy", "no-referrer");
    // Embeddable pages state allowed sites in their own policy; this header cannot list any.
    if (request.routeOptions.config.mayBeEmbedded !== true) reply.header("x-frame-options", "DENY");
  });
});

/** Who is affected: integrations (v1), carriers (callback), dashboards and apps (api), or people opening a page. */
function classOf(route: string): RouteClass {
  if (route.startsWith("/api/v1/")) return "v1";
  if (route.startsWith("/api/public/carriers/")) return "callback";
  return route.startsWith("/api/") ? "api" : "page";
}
