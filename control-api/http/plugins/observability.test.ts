import { AppError } from "@parley/shared/errors.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { observabilityPlugin } from "./observability.ts";

async function failuresAfter(...paths: string[]): Promise<Record<string, number>> {
  const metrics = createMetrics();
  const app = fastify();
  await app.register(observabilityPlugin, { metrics });
  app.setErrorHandler((error: AppError, _request, reply) => reply.status(error.status).send());
  const routes = ["/api/v1/me", "/api/agents", "/api/public/carriers/:id/inbound", "/talk", "/readyz"];
  for (const route of routes) {
    app.get(route, () => {
      throw new AppError(route === "/talk" ? "internal" : "unavailable", "Away.");
    });
  }
  for (const url of paths) await app.inject({ url });
  const { values } = await metrics.httpServerErrorsTotal.get();
  return Object.fromEntries(
    values
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => [`${labels.class} ${labels.status}`, value]),
  );
}

describe("answers of status 500 and above", () => {
  it("are counted by whom they hurt", async () => {
    const paths = ["/api/v1/me", "/api/v1/me", "/api/agents", "/api/public/carriers/car_1/inbound", "/talk"];
    expect(await failuresAfter(...paths)).toEqual({
      "v1 503": 2,
      "api 503": 1,
      "callback 503": 1,
      "page 500": 1,
    });
  });

  it("are no health checks, and no other answers", async () => {
    expect(await failuresAfter("/readyz", "/nowhere")).toEqual({});
  });

  it("are there before the first one, for the alerts", async () => {
    const metrics = createMetrics();
    await fastify().register(observabilityPlugin, { metrics });
    expect(await metrics.text()).toContain('parley_http_server_errors_total{class="v1",status="500"} 0');
  });
});
