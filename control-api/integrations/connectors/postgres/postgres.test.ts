import { newId } from "@parley/shared/ids.ts";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HostilePostgres } from "../../../../testkit/fakes/connectors/postgres.ts";
import { HOSTILE_QUERIES } from "../../../../testkit/fakes/connectors/postgres-hostile-queries.ts";
import { needs, testPostgresUrl } from "../../../../testkit/needs.ts";
import { CAPABILITIES } from "../../capabilities/all.ts";
import { checkInput } from "../../connections/input.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { testNetwork } from "../connector.contract.ts";
import { actions, bounded } from "./actions.ts";
import { connector } from "./definition.ts";

import { inReadOnly } from "./transaction.ts";

type Values = Readonly<Record<string, string>>;

const QUERIES = `
-- name: orders_by_email
select number, total, paid, placed_at, note -- ends in a comment :no
from orders where email = :email and number >= :from_number::int order by number
-- name: many
select generate_series(1, 1000) as n
-- name: large
select repeat('x', 20000) as text, 9007199254740993::int8 as id, 0.10 as price, 'NaN'::float8 as odd
-- name: slow
select count(*) from generate_series(1, 100000000000)
-- name: heavy
select repeat(md5(n::text), 1000) as text from generate_series(1, 100) n`;

const network = testNetwork();
let hostile: HostilePostgres;
beforeAll(async () => {
  hostile = await HostilePostgres.start();
});
afterAll(async () => {
  hostile.close();
  await network.egress.close();
});
beforeEach(() => {
  network.forget();
  hostile.fault = "silence";
  hostile.refuses = undefined;
  hostile.connections = 0;
});

function contextOf(
  credentials: Values,
  settings: Values = {},
  { deadlineMs = 20_000, way = network, signal = new AbortController().signal } = {},
) {
  const given = { credentials, settings: { queries: QUERIES, tls: "off", ...settings } };
  return way.open(connector, "", { ...checkInput(connector, given), facts: {} }, { deadlineMs, signal });
}
type Context = ReturnType<typeof contextOf>;
async function query(context: Context, name: string, params: Record<string, unknown> = {}) {
  const action = actions["row.query"];
  const args = CAPABILITIES["row.query"].arguments.parse({ name, params });
  return CAPABILITIES["row.query"].result.parse(await action?.(args, context));
}
const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.runIf(needs("postgres"))("Postgres", () => {
  // Users belong to the whole server: nobody else has these.
  const id = newId("con").slice(4).toLowerCase();
  const [database, writer] = [`shop_${id}`, `writer_${id}`];
  const server = new URL(needs("postgres") ? testPostgresUrl() : "postgres://user@127.0.0.1/none");
  const at = { host: server.hostname, port: server.port || "5432", database };
  const asWriter = { ...at, user: writer, password: "writes-1" };
  let root: Client;
  let admin: Client;
  let victim: Client;
  let listener: Client;
  const heard: string[] = [];
  const clientOf = async (url: URL) => {
    const client = new Client({ connectionString: url.href });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  const urlOf = (user?: string) => {
    const url = new URL(server);
    url.pathname = `/${database}`;
    if (user) [url.username, url.password] = [user, "writes-1"];
    return url;
  };

  beforeAll(async () => {
    root = await clientOf(server);
    await root.query(`create database ${database}`);
    await root.query(`create role ${writer} login password 'writes-1'`);
    admin = await clientOf(urlOf());
    await admin.query(`
      create table orders (number int, email text, total numeric(10,2), paid boolean, placed_at date, note text);
      insert into orders values (1001, 'ada@example.com', 84.50, true, '2026-01-02', null),
        (1002, 'ada@example.com', 9.00, false, '2026-01-03', 'O''Hara; drop'), (1003, 'ben@example.com', 1, true, '2026-01-04', '');
      create sequence numbers;
      create function writes() returns int language sql volatile as 'insert into orders (number) values (1) returning number';
      create function writes_as_owner() returns int language plpgsql security definer volatile as
        'begin execute ''delete from orders''; return 1; end';
      create extension dblink;
      grant all on orders, numbers to ${writer};
      grant create on schema public to ${writer}`);
    victim = await clientOf(urlOf(writer));
    listener = await clientOf(urlOf());
    listener.on("notification", ({ channel }) => heard.push(channel));
    await listener.query("listen alarms");
  });
  afterAll(async () => {
    for (const client of [admin, victim, listener]) await client.end();
    await root.query(`drop database ${database} with (force)`);
    await root.query(`drop role ${writer}`);
    await root.end();
  });

  /** Everything that a query might have changed. */
  async function state() {
    const { rows } = await admin.query(`select
      (select json_agg(orders order by number) from orders) as orders,
      (select json_build_array(last_value, is_called) from numbers) as numbers,
      (select json_agg(oid) from pg_largeobject_metadata) as large,
      (select json_agg(relname order by relname) from pg_class where relnamespace = 'public'::regnamespace) as relations,
      (select count(*) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())) as locks,
      (select json_agg(json_build_array(rolname, rolsuper, rolconfig)) from pg_roles where rolname like '%${id}') as roles,
      pg_stat_file('/tmp/${database}', true) as file`);
    const { rows: alive } = await victim.query(
      "select current_setting('default_transaction_read_only') as mode",
    );
    return { rows, alive, heard: [...heard] };
  }
  const sessions = async () => {
    const { rows } = await admin.query(
      "select count(*)::int as count from pg_stat_activity where application_name = 'Parley' and datname = $1",
      [database],
    );
    return (rows as { count: number }[])[0]?.count;
  };

  it("gives the rows of a query by its parameters, each value in one of four kinds", async () => {
    const given = await query(contextOf(asWriter), "orders_by_email", {
      email: "ada@example.com",
      from_number: 1001,
    });
    expect(given).toEqual({
      columns: ["number", "total", "paid", "placed_at", "note"],
      rows: [
        [1001, "84.50", true, "2026-01-02", null],
        [1002, "9.00", false, "2026-01-03", "O'Hara; drop"],
      ],
      truncated: false,
    });
    await expect.poll(sessions).toBe(0);
  });

  it("takes an address in the place of its parts, and knows both for the same account", async () => {
    const address = urlOf(writer).href;
    const given = await query(contextOf({ address }), "orders_by_email", {
      email: "ben@example.com",
      from_number: 0,
    });
    expect(given.rows).toHaveLength(1);
    const identity = (credentials: Values) => connector.identityOf?.({ credentials, settings: {} });
    expect(identity({ address })).toBe(identity(asWriter));
  });

  it("says when there was more than a hundred rows or ten thousand characters", async () => {
    const many = await query(contextOf(asWriter), "many");
    expect([many.rows.length, many.truncated]).toEqual([100, true]);
    const { rows, truncated } = await query(contextOf(asWriter), "large");
    expect(rows).toEqual([["x".repeat(10_000), "9007199254740993", "0.10", "NaN"]]);
    expect(truncated).toBe(true);
  });

  it.each([
    [
      "a parameter that is missing",
      "orders_by_email",
      { email: "a" },
      "these parameters: email, from_number",
    ],
    ["one that is not the query's", "many", { email: "a" }, "takes no parameters"],
    ["a value of another type", "orders_by_email", { email: "a", from_number: "x" }, "invalid input syntax"],
    ["a query that there is not", "drop", {}, "there are: orders_by_email, many"],
  ])("says so of %s", async (_what, name, params, words) => {
    const error = await thrown(query(contextOf(asWriter), name, params));
    expect(error).toMatchObject({ problem: "rejected", message: expect.stringContaining(words) });
  });

  it("takes a parameter for a value, whatever is in it", async () => {
    const email = "x' or true; drop table orders; --";
    const given = await query(contextOf(asWriter), "orders_by_email", { email, from_number: 0 });
    expect(given.rows).toEqual([]);
  });

  it("verifies by signing in: names the account, and warns of what the user may do and of queries that fail", async () => {
    const queries =
      "-- name: broken\nselect * from invoices where id = :id\n-- name: good\nselect number from orders where email = :email";
    const { account, warnings } = await connector.verify(contextOf(asWriter, { queries }));
    expect(account).toBe(`${database} at ${server.hostname}`);
    expect(warnings).toEqual([
      expect.stringContaining("may write to 1 tables"),
      expect.stringContaining("may call dblink"),
      expect.stringMatching(/broken cannot run.*invoices/),
      expect.stringContaining("not encrypted"),
    ]);
  });

  it("refuses a superuser, and whoever becomes one later", async () => {
    const asRoot = { ...at, user: server.username, password: server.password || "none" };
    expect(await thrown(connector.verify(contextOf(asRoot)))).toMatchObject({
      problem: "denied",
      message: expect.stringContaining("superuser"),
    });
    await admin.query(`grant pg_read_server_files to ${writer}`);
    expect(await thrown(query(contextOf(asWriter), "many"))).toMatchObject({ problem: "denied" });
    await admin.query(`revoke pg_read_server_files from ${writer}`);
  });

  describe("with a hostile query of the builder's", () => {
    it("has thirty of them", () => expect(HOSTILE_QUERIES.length).toBeGreaterThanOrEqual(30));

    it.each(HOSTILE_QUERIES)("$what: leaves everything as it was", async ({ sql, isTold }) => {
      const before = await state();
      const text = sql.replaceAll("{file}", `/tmp/${database}`).replaceAll("{url}", urlOf(writer).href);
      const asked = await thrown(
        (async () => query(contextOf(asWriter, { queries: `-- name: q\n${text}` }), "q"))(),
      );
      if (isTold) expect(asked).toMatchObject({ code: "validation_failed" });
      else {
        // As if it had come past the reading of queries: the server refuses it, or it changes nothing.
        const query = bounded({ name: "q", text, parameters: [] });
        const past = await thrown(
          inReadOnly(contextOf(asWriter, {}, { deadlineMs: 8_000 }), (run) => run(query)),
        );
        if (past !== undefined) expect(past).toBeInstanceOf(VendorError);
      }
      await expect.poll(sessions).toBe(0);
      expect(await state()).toEqual(before);
    });
  });

  it("ends a query with its deadline, and leaves no connection", async () => {
    const late = await thrown(query(contextOf(asWriter, {}, { deadlineMs: 500 }), "slow"));
    expect(late).toMatchObject({ problem: "timed_out" });
    await expect.poll(sessions).toBe(0);
  });

  it("ends a query with whoever asked, and leaves no connection", async () => {
    const caller = new AbortController();
    const asked = thrown(query(contextOf(asWriter, {}, { signal: caller.signal }), "slow"));
    await expect.poll(sessions).toBe(1);
    const reason = new Error("the caller hung up");
    caller.abort(reason);
    expect(await asked).toBe(reason);
    await expect.poll(sessions, { timeout: 90_000 }).toBe(0);
  });

  it("leaves no connection after a hundred queries, some of which fail", async () => {
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          thrown(
            query(
              contextOf(asWriter),
              i % 3 === 0 ? "orders_by_email" : "many",
              i % 3 === 0 ? { email: "a", from_number: "x" } : {},
            ),
          ),
        ),
      );
    }
    await expect.poll(sessions).toBe(0);
  });

  it("says that there was more than can be read", async () => {
    expect(await thrown(query(contextOf(asWriter), "heavy"))).toMatchObject({
      problem: "failed",
      message: expect.stringContaining("more than can be read"),
    });
    await expect.poll(sessions).toBe(0);
  });
});

describe("a Postgres that misbehaves", () => {
  const there = () => ({
    host: "127.0.0.1",
    port: String(hostile.port),
    database: "d",
    user: "secret_user",
    password: "secret",
  });

  it.each([
    ["floods", "flood", "failed", "more than can be read"],
    ["announces gigabytes", "huge", "failed", "more than can be read"],
    ["hangs up", "cut", "unreachable", "cannot be reached"],
    ["says nothing", "silence", "timed_out", "in time"],
    ["speaks another protocol", "garbage", expect.stringMatching(/timed_out|unreachable|failed/), "Postgres"],
  ] as const)("and %s after the sign-in is said to, and let go", async (_what, fault, problem, words) => {
    hostile.fault = fault;
    const error = await thrown(query(contextOf(there(), {}, { deadlineMs: 1_500 }), "many"));
    expect(error).toMatchObject({ name: "VendorError", problem, message: expect.stringContaining(words) });
    await expect.poll(() => hostile.sockets.size).toBe(0);
  });

  it.each([
    ["28P01", "unauthorized"],
    ["3D000", "rejected"],
    ["53300", "rate_limited"],
    ["57P03", "failed"],
  ])("and refuses with %s is %s, without a word of the password", async (code, problem) => {
    hostile.refuses = code;
    const error = await thrown(connector.verify(contextOf(there())));
    expect(error).toMatchObject({ problem });
    expect(String(error)).not.toContain("secret ");
  });

  it("and takes no encryption is said to, when it has to", async () => {
    const error = await thrown(connector.verify(contextOf(there(), { tls: "" })));
    expect(error).toMatchObject({ problem: "rejected", message: expect.stringContaining("TLS") });
  });

  it("is left alone after five failures in a row", async () => {
    hostile.fault = "cut";
    for (let i = 0; i < 7; i++) await thrown(query(contextOf(there()), "many"));
    expect(hostile.connections).toBe(5);
  });
});

describe("the address of a Postgres", () => {
  const parts = { database: "d", user: "u", password: "p" };
  const named = (host: string) => ({ ...parts, host, port: String(hostile.port) });
  const closed = testNetwork([]);
  afterAll(() => closed.egress.close());

  it.each([
    "127.0.0.1",
    "::1",
    "::ffff:127.0.0.1",
    "localhost",
    "169.254.169.254",
    "10.0.0.1",
    "127.1",
    "0x7f000001",
  ])("%s is refused where it is private, and nobody is connected to", async (host) => {
    const error = await thrown(connector.verify(contextOf(named(host), { tls: "" }, { way: closed })));
    expect(error).toMatchObject({ problem: "rejected", message: expect.stringContaining("private") });
    expect(hostile.connections).toBe(0);
  });

  it("has to be reached encrypted where private addresses are closed", async () => {
    const error = await thrown(connector.verify(contextOf(named("127.0.0.1"), {}, { way: closed })));
    expect(error).toMatchObject({ problem: "rejected", message: expect.stringContaining("encrypted") });
  });

  it.each([
    ["a path to a socket of this machine", { ...parts, host: "/var/run/postgresql" }],
    ["a scheme", { ...parts, host: "http://db.example" }],
    ["an address with a path for a host", { address: "postgres://u:p@%2Fvar%2Frun/d" }],
    ["an address with options of its own", { address: "postgres://u:p@db.example/d?host=127.0.0.1" }],
    ["an address that turns TLS off", { address: "postgres://u:p@db.example/d?sslmode=disable" }],
    ["an address without a password", { address: "postgres://u@db.example/d" }],
  ])("is refused with %s", (_what, credentials) => {
    expect(() => contextOf(credentials)).toThrow(expect.objectContaining({ code: "validation_failed" }));
  });
});
