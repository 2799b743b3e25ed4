import type { Metrics } from "@parley/shared/metrics.ts";
import fp from "fastify-plugin";

/** Counts and times requests by route pattern, never by URL. */
export const observabilityPlugin = fp<{ metrics: Metrics }>(async (app, { metrics }) => {
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "(none)";
    metrics.httpRequestsTotal.inc({ method: request.method, route, status: String(reply.statusCode) });
    metrics.httpRequestSeconds.observe({ route }, reply.elapsedTime / 1000);
  });
  app.addHook("onSend", async (_request, reply) => {
    reply.header("x-content-type-options", "nosniff");
    reply.header("referrer-policy", "no-referrer");
    reply.header("x-frame-options", "DENY");
  });
});
