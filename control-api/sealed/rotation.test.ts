import { randomBytes } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";
import { type EverySecret, storeEverySecret } from "../../testkit/every-secret.ts";
import { needs } from "../../testkit/needs.ts";
import { createTestDatabase } from "../../testkit/postgres.ts";
import { SEALED_COLUMNS } from "./columns.ts";
import { SEAL_CONTEXT } from "./contexts.ts";
import { reseal } from "./reseal.ts";
import { sealedTexts } from "./sealed-texts.ts";
import { listStoredKeys } from "./stored-keys.ts";

const key = (keyId: string): string => `${keyId}:${randomBytes(32).toString("base64")}`;
const [OLD, NEW] = [key("old"), key("new")];
/** Sealed for a browser that brings it back within minutes: after a rotation it asks for another. */
const NEVER_STORED = ["apps/frames/frame-token.ts"];
const KINDS = SEALED_COLUMNS.map(({ kind }) => kind);
const LASTING = SEALED_COLUMNS.filter(({ isShortLived }) => !isShortLived).map(({ kind }) => kind);

describe("what is sealed with SECRETS_KEY", () => {
  it("is listed where it is sealed again from", () => {
    const room = join(import.meta.dirname, "..");
    const sealing = globSync("**/*.ts", { cwd: room })
      .filter((file) => !file.includes(".test.") && !file.startsWith("sealed"))
      .filter((file) => !NEVER_STORED.includes(file))
      .map((file) => ({ file, text: readFileSync(join(room, file), "utf8") }))
      .filter(({ text }) => /secrets\.seal\(/.test(text));
    expect(sealing.length).toBeGreaterThan(5);
    expect(
      sealing.filter(({ text }) => !text.includes("sealed/contexts.ts")).map(({ file }) => file),
    ).toEqual([]);
    expect(SEALED_COLUMNS).toHaveLength(Object.keys(SEAL_CONTEXT).length);
  });
});

describe.runIf(needs("postgres"))("SECRETS_KEY with two control APIs on one Postgres", () => {
  let databaseUrl: string;
  let drop: () => Promise<void>;
  let stored: EverySecret;

  const start = async (secretsKey: string): Promise<TestControlApi> => {
    const api = await TestControlApi.start({ databaseUrl, secretsKey, allowPrivateTargets: ["127.0.0.0/8"] });
    onTestFinished(() => api.close());
    await api.registerNode();
    return api;
  };
  /** Saves the brain's secret by one API, then begins a call by the other; gives that answer. */
  const saveAndCall = async (saves: TestControlApi, calls: TestControlApi, secret: string) => {
    const { agentId, keys } = stored.chats.organization;
    const body = { brain: { secret } };
    const saved = await saves.call("PATCH", `/api/agents/${agentId}`, { key: keys.developer, body });
    expect(saved.status).toBe(200);
    const call = { agentId, identifier: "customer-7" };
    return calls.call("POST", "/api/sessions/init-web-call", { key: keys.owner, body: call });
  };
  const secretIn = async (api: TestControlApi, { body }: { body: Record<string, unknown> }) => {
    const plan = await api.planOf((body.data as { sessionId: string }).sessionId);
    return "secret" in plan.brain ? plan.brain.secret : undefined;
  };

  beforeAll(async () => {
    ({ url: databaseUrl, drop } = await createTestDatabase());
  });
  afterAll(async () => {
    stored.chats.close();
    await drop();
  });

  it("seals every kind there is with its first key", async () => {
    const api = await start(OLD);
    stored = await storeEverySecret(api, OLD);
    const keys = await listStoredKeys(api.database);
    expect(keys.map(({ kind, keyId }) => [kind, keyId])).toEqual(KINDS.map((kind) => [kind, "old"]));
  });

  it("is rolled without an error: behind the old key first, then in front of it", async () => {
    const steps = [
      [OLD, `${OLD},${NEW}`],
      [`${OLD},${NEW}`, `${NEW},${OLD}`],
    ] as const;
    for (const [before, after] of steps) {
      const [one, other] = await Promise.all([start(before), start(after)]);
      expect(await secretIn(other, await saveAndCall(one, other, "secret-a"))).toBe("secret-a");
      expect(await secretIn(one, await saveAndCall(other, one, "secret-b"))).toBe("secret-b");
    }
  });

  it("put in front at once leaves the other process with an error that says why, and a line for it", async () => {
    const [early, late] = await Promise.all([start(`${NEW},${OLD}`), start(OLD)]);
    const refused = await saveAndCall(early, late, "secret-c");
    expect(refused).toMatchObject({ status: 500, body: { code: "internal" } });
    expect(refused.body.error).toContain(
      'sealed with the key "new", which SECRETS_KEY on this server does not have',
    );
    const line = late.logged.find((text) => text.includes(String(refused.body.requestId)));
    expect(JSON.parse(line ?? "{}")).toMatchObject({ level: 50, route: "/api/sessions/init-web-call" });
  });

  it("seals everything again beside live traffic, and then the old key can go", async () => {
    const both = await start(`${NEW},${OLD}`);
    const secrets = new SecretBox(`${NEW},${OLD}`);
    const saving = Array.from({ length: 10 }, (_, n) => saveAndCall(both, both, `secret-${n}`));
    const [done] = await Promise.all([reseal({ database: both.database, secrets }), ...saving]);
    expect(done.filter(({ unopenable }) => unopenable > 0)).toEqual([]);
    const left = await listStoredKeys(both.database);
    expect(left.map(({ kind, keyId }) => [kind, keyId])).toEqual(KINDS.map((kind) => [kind, "new"]));
    expect((await reseal({ database: both.database, secrets })).every(({ resealed }) => resealed === 0)).toBe(
      true,
    );

    await expectAllToOpenWith(both, new SecretBox(NEW));
    const alone = await start(NEW);
    expect(await secretIn(alone, await saveAndCall(alone, alone, "the-last-one"))).toBe("the-last-one");
    const shown = await stored.code();
    const { email } = stored.person;
    const body = { email, password: "correct horse battery staple", totpCode: shown };
    expect((await alone.call("POST", "/api/auth/login", { body })).status).toBe(200);
  });

  it("that is lost keeps nobody out who is signed in, and says at the start what has to be entered again", async () => {
    const api = await start(key("another"));
    const { accessToken } = stored.person;
    expect((await api.call("GET", "/api/auth/me", { token: accessToken })).status).toBe(200);
    const newcomer = { email: "new@example.com", password: "correct horse battery staple" };
    expect((await api.call("POST", "/api/auth/register", { body: newcomer })).status).toBe(201);
    const said = () => api.logged.find((line) => line.includes("SECRETS_KEY lacks keys"));
    await expect.poll(said).toBeDefined();
    const { keyIds, unopenable } = JSON.parse(said() ?? "{}");
    expect(keyIds).toEqual(["new"]);
    expect(unopenable.map(({ kind }: { kind: string }) => kind)).toEqual(LASTING);
    // The processes that have the key still sign and verify: one that lacks it takes nothing from them.
    const rightful = await start(NEW);
    expect((await rightful.call("GET", "/api/auth/me", { token: accessToken })).status).toBe(200);
  });
});

async function expectAllToOpenWith({ database }: TestControlApi, secrets: SecretBox): Promise<void> {
  for (const column of SEALED_COLUMNS) {
    const { rows } = await sql<Record<string, string>>`select * from ${sealedTexts(column)} as s`.execute(
      database.db,
    );
    expect(rows.length, column.kind).toBeGreaterThan(0);
    for (const row of rows) {
      const context = column.context(
        column.key.map((part) => row[part]!),
        row.name!,
      );
      expect(secrets.open(row.sealed!, context)).toBeTypeOf("string");
    }
  }
}
