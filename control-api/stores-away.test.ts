import { describe, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../testkit/control-api.ts";
import { needs } from "../testkit/needs.ts";
import { createTestDatabase } from "../testkit/postgres.ts";

describe.runIf(needs("postgres"))("a database that goes away", () => {
  it("makes the API not ready, and alive", async () => {
    const { url, drop } = await createTestDatabase();
    const api = await TestControlApi.start({ databaseUrl: url });
    onTestFinished(() => api.close());
    const { keys } = await api.createOrganization();
    expect((await api.call("GET", "/api/v1/me", { key: keys.owner })).status).toBe(200);
    await drop();
    await expect
      .poll(async () => (await api.call("GET", "/api/v1/me", { key: keys.owner })).status)
      .toBeGreaterThanOrEqual(500);
    expect((await api.call("GET", "/readyz")).status).toBe(503);
    expect((await api.call("GET", "/healthz")).status).toBe(200);
  });
});
