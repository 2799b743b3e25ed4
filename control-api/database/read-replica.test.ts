import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { createLogger } from "@parley/shared/log.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";
import { keepCall } from "../../testkit/kept-call.ts";
import { needs } from "../../testkit/needs.ts";
import { TestPerson } from "../../testkit/person.ts";
import { PostgresServer } from "../../testkit/postgres-server.ts";
import { type Database, type Databases, openDatabase } from "./open.ts";
import { ReadReplica } from "./read-replica.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
/** Longer than a commit takes to arrive on a busy machine. */
const WAIT_MS = 5_000;
const LATE_MS = 1_000;

describe.runIf(needs("postgresServer"))("reads beside a standby that streams from the primary", () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let database: Databases;
  beforeAll(async () => {
    primary = await PostgresServer.start();
    standby = await primary.startStandby();
    database = await openDatabase({ databaseUrl: primary.url, replicaUrl: standby.url });
    await sql`create table notes (id int primary key)`.execute(database.db);
  });
  afterAll(async () => {
    await database.close();
    await standby.remove();
    await primary.remove();
  });

  let skippedMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + skippedMs };

  function readsOf(replica: Database | undefined, waitMs = WAIT_MS) {
    const outcomes: string[] = [];
    if (!replica) throw new Error("there is no replica");
    const onRead = (outcome: string): void => void outcomes.push(outcome);
    const deps = { primary: database.reads, replica, waitMs, clock, log, onRead };
    return { outcomes, replica: new ReadReplica(deps) };
  }

  const idsIn = async ({ db }: Database): Promise<number[]> =>
    (await sql<{ id: number }>`select id from notes order by id`.execute(db)).rows.map(({ id }) => id);
  const isStandby = async ({ db }: Database): Promise<boolean | undefined> =>
    (await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(db)).rows[0]?.is;
  const write = (id: number) => sql`insert into notes values (${id})`.execute(database.db);
  const replay = async (verb: "pause" | "resume"): Promise<void> => {
    const own = await openDatabase({ databaseUrl: standby.url });
    await sql`select ${sql.raw(`pg_wal_replay_${verb}()`)}`.execute(own.db);
    await own.close();
  };

  it("are answered there, and have what was written just before, each time", async () => {
    const { replica, outcomes } = readsOf(database.replica);
    expect(await replica.read(isStandby)).toBe(true);
    for (let id = 1; id <= 30; id++) {
      await write(id);
      expect((await replica.read(idsIn)).at(-1)).toBe(id);
    }
    expect(outcomes).toEqual(Array.from({ length: 31 }, () => "replica"));
  });

  it("are answered by the primary while the standby is late, without a wait each, until it has caught up", async () => {
    const { replica, outcomes } = readsOf(database.replica, LATE_MS);
    await replay("pause");
    onTestFinished(() => replay("resume"));
    await write(100);
    expect(await replica.read(idsIn)).toContain(100);
    const beganMs = performance.now();
    for (let times = 0; times < 5; times++) expect(await replica.read(isStandby)).toBe(false);
    expect(performance.now() - beganMs).toBeLessThan(5 * LATE_MS);
    await replay("resume");
    await expect.poll(() => replica.read(isStandby)).toBe(true);
    expect(await replica.read(idsIn)).toContain(100);
    expect(new Set(outcomes)).toEqual(new Set(["late", "replica"]));
  });

  it("that the standby cancels, for they keep it from following, are answered by the primary", async () => {
    const { replica, outcomes } = readsOf(database.replica);
    await sql`create table locked (id int)`.execute(database.db);
    const own = await openDatabase({ databaseUrl: standby.url });
    // Reads of the tests after this one would be canceled by what is cleaned up meanwhile.
    onTestFinished(async () => {
      await sql`alter system reset max_standby_streaming_delay`.execute(own.db);
      await sql`select pg_reload_conf()`.execute(own.db);
      await own.close();
    });
    await sql`alter system set max_standby_streaming_delay = 0`.execute(own.db);
    await sql`select pg_reload_conf()`.execute(own.db);
    const answered = await replica.read(async (from) => {
      if (!(await isStandby(from))) return "by the primary";
      await from.db.transaction().execute(async (trx) => {
        await sql`select * from locked`.execute(trx);
        await sql`drop table locked`.execute(database.db);
        await sql`select pg_sleep(30)`.execute(trx);
      });
      return "by the standby";
    });
    expect(answered).toBe("by the primary");
    expect(outcomes).toEqual(["failed"]);
  });

  it("fail as they do on the primary, and are not asked twice, when they are wrong", async () => {
    const { replica, outcomes } = readsOf(database.replica);
    let times = 0;
    const wrong = replica.read(({ db }) => {
      times += 1;
      return sql`select * from nowhere`.execute(db);
    });
    await expect(wrong).rejects.toMatchObject({ code: "42P01" });
    expect({ times, outcomes }).toEqual({ times: 1, outcomes: [] });
  });

  it("go to the primary when the other address is no standby, or one of another server", async () => {
    const { replica, outcomes } = readsOf(database.background);
    expect(await replica.read(isStandby)).toBe(false);
    const stranger = await PostgresServer.start();
    const its = await openDatabase({ databaseUrl: stranger.url });
    onTestFinished(async () => {
      await its.close();
      await stranger.remove();
    });
    const other = readsOf(its);
    expect(await other.replica.read(idsIn)).toContain(1);
    expect([...outcomes, ...other.outcomes]).toEqual(["gone", "gone"]);
  });

  it("go to the primary when the standby dies, and back to it once it is there again", async () => {
    const { replica, outcomes } = readsOf(database.replica);
    expect(await replica.read(isStandby)).toBe(true);
    await standby.stop();
    for (let times = 0; times < 3; times++) expect(await replica.read(idsIn)).toContain(1);
    expect(new Set(outcomes.slice(1))).toEqual(new Set(["gone"]));
    await standby.restart();
    await expect
      .poll(() => {
        skippedMs += 5_000;
        return replica.read(isStandby);
      })
      .toBe(true);
  });
  it("of the API are lists, which have what the request before wrote; what is read by its id is not", async () => {
    const env = { DATABASE_URL: primary.url, DATABASE_REPLICA_URL: standby.url, DEMO: "true" };
    const replicaWait = { DATABASE_REPLICA_WAIT_MS: String(WAIT_MS) };
    const api = await TestControlApi.start({ databaseUrl: primary.url, env: { ...env, ...replicaWait } });
    onTestFinished(() => api.close());
    const counted = async () => {
      const { values } = await api.metrics.replicaReadsTotal.get();
      return values.map(({ labels, value }) => `${labels.outcome} ${value}`);
    };
    const person = await TestPerson.register(api);
    const org = `/api/orgs/${person.orgId}`;
    await person.call("POST", `${org}/api-keys`, { name: "Mine", role: "viewer" });
    const audit = await person.call("GET", `${org}/audit`);
    expect(audit.text).toContain("api_key.created");
    expect(await counted()).toEqual(["replica 1"]);

    const organization = await api.createOrganization();
    await api.registerNode();
    const { sessionId } = await keepCall(api, organization);
    const key = organization.keys.owner;
    const calls = await api.call("GET", `/api/orgs/${organization.orgId}/calls`, { key });
    expect(calls.text).toContain(sessionId);
    expect(await counted()).toEqual(["replica 2"]);
    const call = await api.call("GET", `/api/orgs/${organization.orgId}/calls/${sessionId}`, { key });
    expect(call.status).toBe(200);
    expect(await counted()).toEqual(["replica 2"]);
  });
});
