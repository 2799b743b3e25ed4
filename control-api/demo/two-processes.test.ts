import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@parley/shared/clock.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { createTestDatabase } from "../../testkit/postgres.ts";
import { openDatabase } from "../database/open.ts";
import { seedDemo } from "./seed.ts";

describe.runIf(needs("postgres"))("the demo workspace", () => {
  it("is made once by control APIs that start together on an empty database", async () => {
    const { url, drop } = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), "parley-demo-"));
    const databases = await Promise.all([1, 2, 3].map(() => openDatabase({ databaseUrl: url })));
    onTestFinished(async () => {
      await Promise.all(databases.map((database) => database.close()));
      await drop();
      await rm(dataDir, { recursive: true, force: true });
    });
    const [first] = databases;
    const addresses = {
      baseUrl: "http://api.example",
      gatewayUrl: "ws://gateway.example",
      brainUrl: "http://brain.example",
      connectDemoShop: async () => undefined,
    };
    const seeded = await Promise.all(
      databases.map((database) => seedDemo({ database, clock: systemClock, dataDir, ...addresses })),
    );
    expect(new Set(seeded.map(({ orgId, apiKey, agentId }) => `${orgId} ${apiKey} ${agentId}`)).size).toBe(1);
    expect(await first?.db.selectFrom("agents").select("id").execute()).toHaveLength(1);
  });
});
