import { randomBytes } from "node:crypto";
import type { Bus } from "@parley/shared/bus/bus.ts";
import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { createLogger } from "@parley/shared/log.ts";
import { generateTicketKeys } from "@parley/shared/security/tickets.ts";
import { TestControlApi } from "./control-api.ts";
import { testRedisUrl } from "./needs.ts";
import { createTestDatabase } from "./postgres.ts";

const NEVER_MS = 3_600_000;

/**
 * Two control APIs over one Postgres and one Redis. They cache credentials for an hour: anything that ends
 * sooner came over the bus. Only after `needs("redis")` and `needs("postgres")`.
 */
export async function startTwoApis({
  env,
  ...options
}: {
  allowPrivateTargets?: readonly string[];
  env?: Record<string, string>;
} = {}): Promise<{
  one: TestControlApi;
  other: TestControlApi;
  /** Opens another process's connection to the same bus. */
  openBus: () => Promise<Bus>;
  secretsKey: string;
  close: () => Promise<void>;
}> {
  const log = createLogger({ level: "silent", format: "json", name: "test" });
  const keyPrefix = `test-${process.pid}-${Math.random().toString(36).slice(2)}:`;
  const database = await createTestDatabase();
  const secretsKey = `test:${randomBytes(32).toString("base64")}`;
  const openBus = (): Promise<Bus> => connectRedisBus({ url: testRedisUrl(), log, keyPrefix });
  const keys = generateTicketKeys();
  const start = async (): Promise<TestControlApi> =>
    TestControlApi.start({
      databaseUrl: database.url,
      bus: await openBus(),
      keys,
      secretsKey,
      credentialCacheMs: NEVER_MS,
      env: { DEMO: "true", ...env },
      ...options,
    });
  const [one, other] = [await start(), await start()];
  return {
    one,
    other,
    openBus,
    secretsKey,
    close: async () => {
      await one.close();
      await other.close();
      await database.drop();
    },
  };
}
