import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BlackHole } from "../../testkit/black-hole.ts";
import { needs } from "../../testkit/needs.ts";
import { createTestDatabase } from "../../testkit/postgres.ts";
import { Installation } from "./support/installation.ts";
import { DRILL } from "./support/sizes.ts";

/** Readiness waits for 2 s; what waits for a silent connection itself does so for ten or more. */
const ANSWERED_WITHIN_MS = 8_000;
/** What supervisors give a process before they kill it. */
const STOPPED_WITHIN_MS = 10_000;
/** More than there are connections. */
const REQUESTS = 30;

describe.runIf(needs("redis") && needs("postgres"))(
  "a control API whose connections to Postgres fall silent",
  () => {
    let hole: BlackHole;
    let parley: Installation;
    let drop: () => Promise<void>;
    beforeAll(async () => {
      const made = await createTestDatabase();
      drop = made.drop;
      hole = await BlackHole.before(made.url);
      parley = await Installation.start({ databaseUrl: hole.url });
    });
    afterAll(async () => {
      await parley.remove();
      await hole.close();
      await drop();
    });

    const statusOf = async (path: string): Promise<number> => {
      const response = await parley.request("GET", path);
      await response.arrayBuffer();
      return response.status;
    };

    it("heals by itself, and ends on SIGTERM whatever hangs", DRILL, async () => {
      const server = await parley.startControlApi();
      const path = "/api/v1/me";
      expect(await statusOf(path)).toBe(200);

      // Each holds a connection when they fall silent.
      const asked = Array.from({ length: REQUESTS }, () => statusOf(`/api/v1/calls/${crypto.randomUUID()}`));
      hole.swallow();
      const began = performance.now();
      expect(await statusOf("/healthz")).toBe(200);
      await statusOf("/readyz");
      expect(performance.now() - began).toBeLessThan(ANSWERED_WITHIN_MS);
      const statuses = new Set(await Promise.all(asked));
      expect([...statuses].filter((status) => status !== 404 && status !== 503)).toEqual([]);
      await expect.poll(() => statusOf("/readyz"), { timeout: 90_000 }).toBe(200);
      await expect.poll(() => statusOf(path), { timeout: 90_000 }).toBe(200);

      await Promise.all(Array.from({ length: 10 }, () => statusOf(`/api/v1/calls/${crypto.randomUUID()}`)));
      hole.swallow();
      const hanging = Array.from({ length: REQUESTS }, () => statusOf(path).catch(() => 0));
      const signaled = performance.now();
      server.signal("SIGTERM");
      expect(await server.untilExit()).toEqual({ code: 0, signal: null });
      expect(performance.now() - signaled).toBeLessThan(STOPPED_WITHIN_MS);
      await Promise.all(hanging);
    });
  },
);
