import { systemClock, toTimestamp } from "@parley/shared/clock.ts";
import { STANDARD_BUDGETS } from "@parley/shared/config/budgets.ts";
import {
  CALL_EVENTS_STREAM,
  type CallEvent,
  type CallEventBody,
  encodeCallEvent,
} from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { needs } from "../../../testkit/needs.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { createTestDatabase } from "../../../testkit/postgres.ts";
import { type Database, openDatabase } from "../../database/open.ts";
import { EventFeed } from "../../subscriptions/event-feed.ts";
import { applyEvents } from "./apply-events.ts";
import { type BatchDeps, type Written, writeBatch } from "./batches.ts";

const SOON = { timeout: 90_000 };
/** Two ways to read the same rows, as planners choose them for batches of different sizes. */
const PLANS = [{ enable_seqscan: "off" }, { enable_indexscan: "off", enable_bitmapscan: "off" }];

const IN_THE_WAY = "somebody is always in the way of this";
const NEVER = { isPatienceOver: () => false, isHeldUp: () => false };

describe.runIf(needs("postgres"))("With others who write at the same time", () => {
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
    // Tries are counted by a sequence, which a transaction that is rolled back does not set back.
    await sql`create sequence deadlocks maxvalue 1000000`.execute(api.database.db);
    await sql`create function deadlock() returns trigger language plpgsql as $$
      begin
        if new.text = ${sql.lit(IN_THE_WAY)} or (new.text ~ '^loses ' and nextval('deadlocks') <= split_part(new.text, ' ', 2)::int)
        then raise exception 'deadlock detected' using errcode = '40P01'; end if;
        return new;
      end $$`.execute(api.database.db);
    await sql`create trigger deadlock before insert on call_messages
      for each row execute function deadlock()`.execute(api.database.db);
    writers = await Promise.all(
      PLANS.map((settings) => {
        const budget = { ...STANDARD_BUDGETS.calls, statementTimeoutMs: 0, settings };
        return openDatabase({ databaseUrl: made.url, budgets: { ...STANDARD_BUDGETS, calls: budget } });
      }),
    );
  });
  let release: () => void = () => undefined;
  afterEach(() => release());
  afterAll(async () => {
    await Promise.all(writers.map((writer) => writer.close()));
    await api.close();
    await drop();
  });

  function event(sessionId: string, body: CallEventBody): CallEvent {
    const at = toTimestamp(Date.now());
    return { id: newId("evt"), sessionId, orgId: acme.orgId, seq: 0, at, ...body } as CallEvent;
  }
  const key = (sessionId: string) => event(sessionId, { type: "call.dtmf", digit: "1" });
  const said = (sessionId: string, text: string) =>
    event(sessionId, {
      type: "call.message",
      ...{ role: "user", text, turn: 1, interrupted: false, source: "text" },
    });

  const write = (events: readonly CallEvent[], deps: Partial<BatchDeps> = {}): Promise<Written> =>
    writeBatch(
      events.map((one) => ({
        event: one,
        entry: { entryId: one.id, payload: "", deliveries: 1 },
        tries: 0,
        looks: 0,
      })),
      NEVER,
      { database: api.database, feed: new EventFeed({ clock: systemClock }), clock: systemClock, ...deps },
    );

  async function recorded(sessionIds: readonly string[]): Promise<string[]> {
    const rows = await api.database.db
      .selectFrom("call_events")
      .select("session_id")
      .where("session_id", "in", sessionIds)
      .execute();
    return rows.map(({ session_id }) => session_id).toSorted();
  }

  async function newSession(): Promise<string> {
    const body = { agentId: acme.agentId };
    const answer = await api.call("POST", "/api/sessions/init-web-call", { key: acme.keys.owner, body });
    return (answer.body.data as { sessionId: string }).sessionId;
  }

  /** Resolves when `what` is done and kept in a transaction that ends with `release`. */
  async function holdInTransaction(what: (db: Database["db"]) => Promise<unknown>): Promise<void> {
    await new Promise<void>((held, failed) => {
      const over = new Promise<void>((resolve) => {
        release = resolve;
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
      writers[i]?.db.transaction().execute((trx) => applyEvents(trx, batch, { now: new Date() })),
    );
    const settled = Promise.allSettled(writing);
    await expect.poll(waiting, SOON).toBe(batches.length);
    release();
    return (await settled).map((one) => (one.status === "fulfilled" ? "written" : String(one.reason)));
  }

  async function waiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event in ('transactionid', 'tuple')`.execute(
      api.database.db,
    );
    return rows[0]?.count ?? 0;
  }

  const lockCall = (sessionId: string) =>
    holdInTransaction((db) =>
      db.selectFrom("calls").select("id").where("session_id", "=", sessionId).forUpdate().execute(),
    );

  it("two event projectors lock their calls in one order, whichever way each reads them", async () => {
    const sessionIds = (await Promise.all([newSession(), newSession(), newSession()])).toSorted();
    // A table is read in the order in which its rows were written last; an index in its own.
    for (const sessionId of sessionIds.toReversed())
      await api.database.db
        .updateTable("calls")
        .set({ node_id: "nod_1" })
        .where("session_id", "=", sessionId)
        .execute();
    await lockCall(sessionIds[1] ?? "");
    const batches = [sessionIds, sessionIds.toReversed()].map((ids) => ids.map(key));
    expect(await writeInOppositeOrders(batches)).toEqual(["written", "written"]);
  });

  it("two event projectors write the same events in one order, also those of calls that are not there", async () => {
    const events = ["ses_a", "ses_b", "ses_c"].map(key);
    const middle = events[1] as CallEvent;
    await holdInTransaction((db) =>
      applyEvents(db as Parameters<typeof applyEvents>[0], [middle], { now: new Date() }),
    );
    expect(await writeInOppositeOrders([events, events.toReversed()])).toEqual(["written", "written"]);
  });

  it("a batch that loses four deadlocks is written whole by the fifth try", async () => {
    await sql`alter sequence deadlocks restart`.execute(api.database.db);
    const events = [key(await newSession()), said(await newSession(), "loses 4 of them")];
    const sessionIds = events.map(({ sessionId }) => sessionId);
    expect(await write(events)).toMatchObject({ kind: "written" });
    expect(await recorded(sessionIds)).toEqual(sessionIds.toSorted());
  });

  it("one that loses five is given back, for who reads it to halve", async () => {
    await sql`alter sequence deadlocks restart`.execute(api.database.db);
    const events = [key(await newSession()), said(await newSession(), "loses 5 of them")];
    expect(await write(events)).toMatchObject({ kind: "failed", failure: "unclear" });
    expect(await recorded(events.map(({ sessionId }) => sessionId))).toEqual([]);
  });

  it("an event that always loses holds up no other", async () => {
    const events = await Promise.all(Array.from({ length: 6 }, async () => key(await newSession())));
    const stuck = said(await newSession(), IN_THE_WAY);
    await Promise.all(
      events
        .toSpliced(3, 0, stuck)
        .map((one) => api.bus.streams.append(CALL_EVENTS_STREAM, encodeCallEvent(one))),
    );
    const sessionIds = events.map(({ sessionId }) => sessionId).toSorted();
    await expect.poll(() => recorded([...sessionIds, stuck.sessionId]), SOON).toEqual(sessionIds);
  });

  it("a call that somebody keeps locked is waited for a while, and then for its own events only", async () => {
    const [locked, free] = [key(await newSession()), key(await newSession())];
    await lockCall(locked.sessionId);
    expect(await write([locked, free], { lockWaitMs: 50 })).toMatchObject({
      kind: "failed",
      failure: "unclear",
    });
    expect(await write([free], { lockWaitMs: 50 })).toMatchObject({ kind: "written" });
    release();
    expect(await write([locked])).toMatchObject({ kind: "written" });
  });
});
