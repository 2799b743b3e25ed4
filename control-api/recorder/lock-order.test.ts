import { toTimestamp } from "@parley/shared/clock.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { STANDARD_BUDGETS } from "@parley/shared/database/budgets.ts";
import { type Database, openDatabase } from "@parley/shared/database/open.ts";
import { newId } from "@parley/shared/ids.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../tests/support/control-api.ts";
import { needs } from "../../tests/support/needs.ts";
import type { TestOrganization } from "../../tests/support/organization.ts";
import { createTestDatabase } from "../../tests/support/postgres.ts";
import { applyEvents } from "./apply-events.ts";

const SOON = { timeout: 15_000 };
/** Two ways to read the same rows, as planners choose them for batches of different sizes. */
const PLANS = ["-c enable_seqscan=off", "-c enable_indexscan=off -c enable_bitmapscan=off"];

describe.runIf(needs("postgres"))("Two recorders with the same calls in opposite orders", () => {
  let api: TestControlApi;
  let acme: TestOrganization;
  let drop: () => Promise<void>;
  let writers: Database[];
  beforeAll(async () => {
    const made = await createTestDatabase();
    drop = made.drop;
    api = await TestControlApi.start({ databaseUrl: made.url });
    acme = await api.createOrganization();
    await api.registerNode({ maxCalls: 1_000 });
    writers = await Promise.all(
      PLANS.map((settings) => {
        const budget = { ...STANDARD_BUDGETS.calls, settings };
        return openDatabase({ databaseUrl: made.url, budgets: { ...STANDARD_BUDGETS, calls: budget } });
      }),
    );
  });
  let letGo: () => void = () => undefined;
  afterEach(() => letGo());
  afterAll(async () => {
    await Promise.all(writers.map((writer) => writer.close()));
    await api.close();
    await drop();
  });

  function key(sessionId: string): CallEvent {
    const at = toTimestamp(Date.now());
    const about = { id: newId("evt"), sessionId, orgId: acme.orgId, seq: 0, at };
    return { ...about, type: "call.dtmf", digit: "1" };
  }

  async function newSession(): Promise<string> {
    const body = { agentId: acme.agentId };
    const answer = await api.call("POST", "/api/sessions/init-web-call", { key: acme.keys.owner, body });
    return (answer.body.data as { sessionId: string }).sessionId;
  }

  /** Resolves when `what` is done and kept in a transaction that ends with `letGo`. */
  async function holdInTransaction(what: (db: Database["db"]) => Promise<unknown>): Promise<void> {
    await new Promise<void>((held, failed) => {
      const over = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      api.database.db
        .transaction()
        .execute(async (trx) => {
          await what(trx);
          held();
          await over;
          throw new Error("rolled back");
        })
        .catch(failed);
    });
  }

  /**
   * Both write, and whoever comes to the event in the middle waits until both are waiting: each has what it took before it
   * by then, and what the other wants next unless both began at the same end.
   */
  async function writeInOppositeOrders(batches: readonly (readonly CallEvent[])[]): Promise<unknown[]> {
    const writing = batches.map((batch, i) =>
      writers[i]?.db.transaction().execute((trx) => applyEvents(trx, batch)),
    );
    const settled = Promise.allSettled(writing);
    await expect.poll(waiting, SOON).toBe(batches.length);
    letGo();
    return (await settled).map((one) => (one.status === "fulfilled" ? "written" : String(one.reason)));
  }

  async function waiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event in ('transactionid', 'tuple')`.execute(api.database.db);
    return rows[0]?.count ?? 0;
  }

  it("lock their calls in one order, whichever way each reads them", async () => {
    const sessionIds = (await Promise.all([newSession(), newSession(), newSession()])).toSorted();
    // A table is read in the order in which its rows were written last; an index in its own.
    for (const sessionId of sessionIds.toReversed())
      await api.database.db
        .updateTable("calls")
        .set({ node_id: "nod_1" })
        .where("session_id", "=", sessionId)
        .execute();
    await holdInTransaction((db) =>
      db
        .selectFrom("calls")
        .select("id")
        .where("session_id", "=", sessionIds[1] ?? "")
        .forUpdate()
        .execute(),
    );
    const batches = [sessionIds, sessionIds.toReversed()].map((ids) => ids.map(key));
    expect(await writeInOppositeOrders(batches)).toEqual(["written", "written"]);
  });

  it("write the same events in one order, also those of calls that are not there", async () => {
    const events = ["ses_a", "ses_b", "ses_c"].map(key);
    const middle = events[1] as CallEvent;
    await holdInTransaction((db) => applyEvents(db as Parameters<typeof applyEvents>[0], [middle]));
    expect(await writeInOppositeOrders([events, events.toReversed()])).toEqual(["written", "written"]);
  });
});
