import { STANDARD_BUDGETS } from "@parley/shared/config/budgets.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { BlackHole } from "../../testkit/black-hole.ts";
import { needs } from "../../testkit/needs.ts";
import { createOrganization } from "../../testkit/organization.ts";
import { createTestDatabase } from "../../testkit/postgres.ts";
import { QueueOfWebhooks } from "../../testkit/webhook-queue.ts";
import { type Database, type Databases, openDatabase } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import { type Claim, claimDeliveries } from "./queue-store.ts";

/** Postgres ends the transaction of a process that is silent for five seconds, by its own clock. */
const FROZEN = { timeout: 90_000 };

describe.runIf(needs("postgres"))("claims of two processes from the same endpoint", () => {
  let url: string;
  let database: Databases;
  let drop: () => Promise<void>;
  let queue: QueueOfWebhooks;
  let endpointId: string;
  beforeAll(async () => {
    ({ url, drop } = await createTestDatabase());
    database = await openDatabase({ databaseUrl: url });
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });
  beforeEach(async () => {
    await database.db.deleteFrom("webhook_endpoints").execute();
    await database.db.deleteFrom("webhook_claims").execute();
    queue = new QueueOfWebhooks(database, await createOrganization(database));
    [endpointId = ""] = await queue.addEndpoints(1);
  });

  /** A claim that is not over before `free` is called: it has the endpoint's lock meanwhile. */
  async function holdUp(peer: Databases, places: number) {
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
    const { promise: mayGoOn, resolve: free } = Promise.withResolvers<void>();
    const claim: Claim = {
      claimId: newId("evt"),
      at: new Date(),
      leasedUntil: new Date(Date.now() + 60_000),
      places: { [endpointId]: places },
      maxBytes: 1_000_000,
      over: [],
    };
    const held = peer.db.transaction().execute(async (trx) => {
      const claimed = await claimDeliveries({ ...peer, db: within(trx) }, claim);
      locked();
      await mayGoOn;
      return claimed;
    });
    await isLocked;
    return { held, free };
  }

  it("wait for each other a moment, forget nothing, and take each delivery once", async () => {
    await queue.owe(Array.from({ length: 6 }, () => endpointId));
    const { held, free } = await holdUp(database, 4);
    const watched = watch(database);
    const { claims, claimed } = queue.claiming({ isSentAtOnce: true, database: watched });
    claims.look();
    await expect.poll(() => watched.uses).toBeGreaterThan(3);
    expect(claimed).toEqual([]);
    free();
    expect((await held).deliveries).toHaveLength(4);
    // Nobody looks again.
    await expect.poll(() => claimed.length).toBe(2);
  });

  it("keep what is over for the next one that is not in vain", async () => {
    await queue.owe([endpointId]);
    const watched = watch(database);
    const { claims, claimed } = queue.claiming({ isSentAtOnce: true, database: watched });
    claims.look();
    await expect.poll(() => claimed.length).toBe(1);
    await queue.recordDelivered(claimed.map(({ delivery }) => delivery));
    claims.settled(claimed);
    await queue.owe([endpointId, endpointId]);
    const { held, free } = await holdUp(database, 1);
    const usesBefore = watched.uses;
    claims.look();
    await expect.poll(() => watched.uses - usesBefore).toBeGreaterThan(3);
    expect(await queue.countTaken()).toBe(1);
    free();
    await held;
    await expect.poll(() => claimed.length).toBe(2);
    expect(await queue.countTaken()).toBe(2);
  });

  it("do not wait for a process that froze in the middle of one", FROZEN, async () => {
    await queue.owe([endpointId, endpointId]);
    const hole = await BlackHole.before(url);
    onTestFinished(() => hole.close());
    const peer = await openDatabase({ databaseUrl: hole.url, budgets: STANDARD_BUDGETS });
    onTestFinished(() => peer.close());
    const { held, free } = await holdUp(peer, 2);
    hole.swallow();
    const { claims, claimed } = queue.claiming({ isSentAtOnce: true });
    claims.look();
    await expect.poll(() => claimed.length, { timeout: 90_000 }).toBe(2);
    free();
    held.catch(() => undefined);
  });
});

/** A database whose transactions are all this one. */
function within(trx: Kysely<Tables>): Kysely<Tables> {
  const transaction = () => ({ execute: <T>(work: (trx: Kysely<Tables>) => Promise<T>) => work(trx) });
  return { transaction } as unknown as Kysely<Tables>;
}

/** Counts how often a database is used. */
function watch({ db, ...rest }: Databases): Database & { readonly uses: number } {
  let uses = 0;
  return {
    ...rest,
    get uses() {
      return uses;
    },
    get db() {
      uses += 1;
      return db;
    },
  };
}
