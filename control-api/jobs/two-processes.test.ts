import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { startJobRunner } from "../../testkit/jobs.ts";
import { needs } from "../../testkit/needs.ts";
import { createTestDatabase } from "../../testkit/postgres.ts";
import { type Database, openDatabase } from "../database/open.ts";
import { handles, type JobKind } from "./job-kind.ts";
import { LEASE_MS } from "./runner.ts";

const JOBS = 500;
const KEYS = 7;
const count: JobKind<{ nr: number }> = { name: "count", payload: z.object({ nr: z.int() }) };

describe.runIf(needs("postgres"))("two processes with 500 jobs, one of which is killed in the middle", () => {
  let own: Awaited<ReturnType<typeof createTestDatabase>>;
  let watching: Database;
  beforeAll(async () => {
    own = await createTestDatabase();
    watching = await openDatabase({ databaseUrl: own.url });
    await sql`create table counted (nr integer not null, by text not null)`.execute(watching.db);
  });
  afterAll(async () => {
    await watching.close();
    await own.drop();
  });

  it("do each of them once, none is lost, and no two with one key at a time", {
    timeout: 180_000,
  }, async () => {
    const bus = createMemoryBus({ clock: systemClock });
    const clock = new ManualClock();
    const atWork = new Map<string, number>();
    let mostOfOneKey = 0;
    let begun = 0;
    const dying = Promise.withResolvers<void>();
    /** A process with a pool of its own; of the one that dies the last runs never end. */
    const start = async (by: string, isAlive: () => boolean) => {
      const database = await openDatabase({ databaseUrl: own.url });
      const handler = handles(
        count,
        async ({ payload: { nr }, orgId }) => {
          const shared = `${orgId} ${nr % KEYS}`;
          const key = `${by} ${shared}`;
          atWork.set(key, (atWork.get(key) ?? 0) + 1);
          begun += 1;
          if (begun === JOBS / 2) dying.resolve();
          const keys = [...atWork].filter(
            ([name, n]) => n > 0 && name.endsWith(` ${shared}`) && (name === `living ${shared}` || !isKilled),
          );
          if (isAlive()) mostOfOneKey = Math.max(mostOfOneKey, keys.length);
          await sql`select pg_sleep(0.002)`.execute(database.db);
          if (!isAlive()) await new Promise<never>(() => undefined);
          atWork.set(key, (atWork.get(key) ?? 1) - 1);
          // Some fail at first: they are done once all the same.
          if (nr % 50 === 0 && begun <= JOBS) throw new Error("not this time");
          return async (trx) => {
            await sql`insert into counted values (${nr}, ${by})`.execute(trx);
          };
        },
        { sideBySide: KEYS, firstRetryMs: 1_000, attempts: 100 },
      );
      return { database, ...startJobRunner([handler], { database, clock, bus }) };
    };
    let isKilled = false;
    const killed = await start("killed", () => !isKilled);
    const living = await start("living", () => true);
    for (let nr = 0; nr < JOBS; nr++)
      await living.queue.add(watching.db, count, {
        payload: { nr },
        orgId: `org_${nr % 3}`,
        key: `${nr % KEYS}`,
      });
    living.queue.announce();
    await dying.promise;
    isKilled = true;
    await killed.database.close();
    for (const key of atWork.keys()) if (key.startsWith("killed")) atWork.delete(key);
    const counted = async () => (await sql<{ nr: number }>`select nr from counted`.execute(watching.db)).rows;
    await expect
      .poll(
        async () => {
          clock.advance(LEASE_MS / 5);
          return (await counted()).length;
        },
        { timeout: 120_000 },
      )
      .toBe(JOBS);
    expect(new Set((await counted()).map(({ nr }) => nr)).size).toBe(JOBS);
    expect(mostOfOneKey).toBe(1);
    const left = await watching.db.selectFrom("jobs").select("id").where("state", "<>", "done").execute();
    expect(left).toEqual([]);
    await living.runner.stop();
    await living.database.close();
    await bus.close();
  });
});
