import { randomBytes } from "node:crypto";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { Egress } from "@parley/shared/net/egress.ts";
import { NameLookups } from "@parley/shared/net/names/name-lookups.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AuthorizationServer } from "../../../testkit/fakes/authorization-server.ts";
import { needs } from "../../../testkit/needs.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import { createTestDatabase } from "../../../testkit/postgres.ts";
import { type Databases, openDatabase } from "../../database/open.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import { DataKeys, dataKeyIdOf } from "../../sealed/data-keys.ts";
import { rollDataKeys } from "../../sealed/roll-data-keys.ts";
import { listStoredKeys } from "../../sealed/stored-keys.ts";
import { consentTokens } from "./consent-tokens.ts";
import { Grants } from "./grants.ts";
import { GRANTS, openGrant } from "./sealed-grants.ts";
import type { Tokens } from "./token-request.ts";

const HOUR_MS = 3_600_000;
const quiet = { warn: () => undefined } as never;

describe.runIf(needs("postgres"))("an access that somebody gave", () => {
  const clock = new ManualClock();
  const secrets = new SecretBox(`k:${randomBytes(32).toString("base64")}`);
  const egress = new Egress({
    allowPrivateTargets: ["127.0.0.0/8"],
    names: new NameLookups({ resolve: async () => [], clock }),
    clock,
    metrics: createMetrics(),
  });
  const opened: Databases[] = [];
  const dead: string[] = [];
  let databaseUrl: string;
  let drop: () => Promise<void>;
  let orgId: string;
  let auth: AuthorizationServer;
  let ref: { orgId: string; id: string };

  const keys = () => new DataKeys({ secrets, nowMs: () => clock.wallMs() });

  /** What a process has: its own connections, its own memory. */
  async function process(): Promise<{ grants: Grants; database: Databases }> {
    const database = await openDatabase({ databaseUrl });
    opened.push(database);
    const onDead = (_: unknown, lastError: string) => void dead.push(lastError);
    const dispatchers = egress.to("mcp");
    const parts = { database, clock, log: quiet, secrets, dataKeys: keys(), dispatchers };
    return { database, grants: new Grants({ ...parts, onDead }) };
  }

  async function give(more: Partial<Tokens> = {}): Promise<string> {
    const { grants } = await process();
    const endpoint = {
      client: { id: "parley", secret: null, secretIn: "body" as const },
      tokenUrl: `${auth.origin}/token`,
      revokeUrl: null,
      resource: null,
    };
    const tokens = { ...auth.issue(), scope: null, expiresInSecs: 3_600, reply: {}, ...more };
    await grants.put(ref, endpoint, tokens);
    return tokens.access;
  }

  beforeAll(async () => {
    ({ url: databaseUrl, drop } = await createTestDatabase());
    const { database } = await process();
    ({ orgId } = await createOrganization(database));
    auth = await AuthorizationServer.start();
  });
  beforeEach(() => {
    ref = { orgId, id: `mcp_${randomBytes(8).toString("hex")}` };
    auth.habits = {};
    auth.tokenRequests.length = 0;
    dead.length = 0;
  });
  afterAll(async () => {
    for (const database of opened) await database.close();
    await egress.destroy("mcp");
    await auth.close();
    await drop();
  });

  it("is used as it is for as long as it holds, and renewed ahead of its end", async () => {
    const access = await give();
    const { grants } = await process();
    expect(await grants.accessToken(ref)).toBe(access);
    clock.advance(HOUR_MS - 60_000);
    const renewed = await grants.accessToken(ref);
    expect(renewed).not.toBe(access);
    expect(auth.accessTokens.has(renewed)).toBe(true);
    expect(auth.renewals).toBe(1);
  });

  it("that ended is renewed once for a hundred calls in two processes", async () => {
    await give();
    const [one, other] = [await process(), await process()];
    clock.advance(2 * HOUR_MS);
    const calls = Array.from({ length: 100 }, (_, n) => (n % 2 ? one : other).grants.accessToken(ref));
    const tokens = new Set(await Promise.all(calls));
    expect(tokens.size).toBe(1);
    expect(auth.renewals).toBe(1);
  });

  it("is not lost when the process that renews it is killed in the middle", async () => {
    await give();
    const [killed, other] = [await process(), await process()];
    clock.advance(2 * HOUR_MS);
    auth.habits = { holdsRenewals: new Promise<void>(() => undefined) };
    const broken = killed.grants.accessToken(ref).catch((error: unknown) => error);
    await auth.renewed(1);
    const { rows: held } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(other.database.db);
    const waiting = other.grants.accessToken(ref);
    auth.habits = {};
    // What a killed process leaves: connections that the server sees end.
    for (const { pid } of held) await sql`select pg_terminate_backend(${pid})`.execute(other.database.db);
    expect(auth.accessTokens.has(await waiting)).toBe(true);
    expect(auth.renewals).toBe(2);
    await egress.destroy("mcp");
    await broken;
  });

  it("keeps its refresh token when a renewal brings none", async () => {
    await give();
    auth.habits = { rotates: false };
    const { grants } = await process();
    for (const renewals of [1, 2]) {
      clock.advance(2 * HOUR_MS);
      await grants.accessToken(ref);
      expect(auth.renewals).toBe(renewals);
    }
  });

  it("without a time is used until it is refused, and renewed once for all who were", async () => {
    const access = await give({ expiresInSecs: null });
    const { grants } = await process();
    clock.advance(1_000 * HOUR_MS);
    expect(await grants.accessToken(ref)).toBe(access);
    const renewed = await Promise.all([grants.renewed(ref, access), grants.renewed(ref, access)]);
    expect(new Set(renewed).size).toBe(1);
    expect(await grants.renewed(ref, access)).toBe(renewed[0]);
    expect(auth.renewals).toBe(1);
  });

  it("that cannot be renewed for the moment is used until its end", async () => {
    const access = await give();
    auth.habits = { fails: true };
    const { grants } = await process();
    clock.advance(HOUR_MS - 60_000);
    expect(await grants.accessToken(ref)).toBe(access);
    clock.advance(HOUR_MS);
    await expect(grants.accessToken(ref)).rejects.toMatchObject({ code: "vendor_failed" });
    expect(dead).toEqual([]);
  });

  it("whose vendor fails is asked for again after five seconds, however many need it", async () => {
    await give();
    auth.habits = { fails: true };
    const { grants } = await process();
    clock.advance(2 * HOUR_MS);
    const ask = () => grants.accessToken(ref).catch((error: Error) => error.message);
    for (const _ of [1, 2, 3]) expect(await ask()).toContain("answered 503");
    expect(auth.renewals).toBe(1);
    clock.advance(5_000);
    auth.habits = {};
    expect(auth.accessTokens.has(await ask())).toBe(true);
  });

  it("is not waited for longer than a second ahead of its end", async () => {
    const access = await give();
    const { grants } = await process();
    clock.advance(HOUR_MS - 60_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    auth.habits = { holdsRenewals: promise };
    const waiting = grants.accessToken(ref);
    await auth.renewed(1);
    clock.advance(1_000);
    expect(await waiting).toBe(access);
    resolve();
    expect(await grants.accessToken(ref)).not.toBe(access);
    expect(auth.renewals).toBe(1);
  });

  it("is not waited for by who has stopped waiting already", async () => {
    await give();
    const { grants } = await process();
    clock.advance(2 * HOUR_MS);
    const { promise, resolve } = Promise.withResolvers<void>();
    auth.habits = { holdsRenewals: promise };
    const { token } = consentTokens(grants, clock)(
      { orgId: ref.orgId, connectionId: ref.id },
      { name: "The vendor" },
      { signal: AbortSignal.abort(), deadlineAtMs: clock.monotonicMs() + HOUR_MS },
    );
    await expect(token()).rejects.toMatchObject({ name: "AbortError" });
    await auth.renewed(1);
    resolve();
    expect(auth.accessTokens.has(await grants.accessToken(ref))).toBe(true);
  });

  it("of a reply that says 0 seconds is not renewed by each call", async () => {
    const access = await give();
    auth.habits = { expiresIn: 0 };
    const { grants } = await process();
    clock.advance(2 * HOUR_MS);
    const renewed = await grants.accessToken(ref);
    expect(renewed).not.toBe(access);
    expect(await grants.accessToken(ref)).toBe(renewed);
    expect(auth.renewals).toBe(1);
  });

  it("is sealed with its organization's data key, and again with the next one", async () => {
    const access = await give();
    const { grants, database } = await process();
    const sealed = async () =>
      (
        await database.db
          .selectFrom("oauth_grants")
          .select("sealed")
          .where("id", "=", ref.id)
          .executeTakeFirst()
      )?.sealed ?? "";
    const before = dataKeyIdOf(await sealed());
    expect(before).toBeDefined();
    await rollDataKeys([GRANTS], { database, dataKeys: keys() });
    expect(dataKeyIdOf(await sealed())).not.toBe(before);
    expect(await grants.accessToken(ref)).toBe(access);
    const stored = await listStoredKeys(database);
    expect(stored.filter(({ kind }) => kind === "access to vendors and tool servers")).toEqual([]);
  });

  it("from before there were data keys is used, and sealed with one when it is renewed", async () => {
    await give();
    const { grants, database } = await process();
    const row = database.db.selectFrom("oauth_grants").selectAll().where("id", "=", ref.id);
    const plain = await openGrant(database.db, await row.executeTakeFirstOrThrow(), {
      secrets,
      dataKeys: keys(),
    });
    const sealed = secrets.seal(JSON.stringify(plain), SEAL_CONTEXT.oauthGrant(ref.orgId, ref.id));
    await database.db.updateTable("oauth_grants").set({ sealed }).where("id", "=", ref.id).execute();
    expect(await grants.accessToken(ref)).toBe(plain.access);
    clock.advance(2 * HOUR_MS);
    await grants.accessToken(ref);
    expect(dataKeyIdOf((await row.executeTakeFirstOrThrow()).sealed)).toBeDefined();
  });

  it("that was taken back is told of once, and asked for no more", async () => {
    await give();
    const [one, other] = [await process(), await process()];
    clock.advance(2 * HOUR_MS);
    auth.habits = { isDead: true };
    const calls = Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other).grants.accessToken(ref));
    const said = await Promise.all(calls.map((call) => call.catch((error: Error) => error.message)));
    const lastError = "The vendor took the access back, or it ran out (invalid_grant). Sign in again.";
    expect(new Set(said)).toEqual(new Set([lastError]));
    expect(dead).toEqual([lastError]);
    expect(auth.renewals).toBe(1);
  });

  it("is none of another organization's", async () => {
    await give();
    const { grants, database } = await process();
    const stranger = await createOrganization(database);
    await expect(grants.accessToken({ ...ref, orgId: stranger.orgId })).rejects.toThrow(
      "Nobody has signed in",
    );
  });
});
