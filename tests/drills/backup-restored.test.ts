import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { CALL_EVENTS_STREAM, PROJECTOR_GROUP } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";
import { DurableRedis } from "../../testkit/durable-redis.ts";
import { type KeptCall, keepCall } from "../../testkit/kept-call.ts";
import { needs } from "../../testkit/needs.ts";
import type { TestOrganization } from "../../testkit/organization.ts";
import { createEmptyDatabase, createTestDatabase } from "../../testkit/postgres.ts";
import { ROOT } from "../house/compose-file.ts";

const run = promisify(execFile);
const BRAIN_SECRET = "brain-hunter2";
/** Of the stores; most of its marks are percent-encoded in a URL. */
const PASSWORD = "hun:t@r/2%";
/** What the scripts call with an address. */
const PROGRAMS = ["pg_dump", "pg_restore", "psql", "redis-cli"];
const WAITING = {
  type: "call.message",
  turn: 9,
  role: "user",
  text: "I waited in Redis",
  interrupted: false,
};

/** An installation is backed up by the script of docs/operations.md, destroyed, restored into empty stores, and asked. */
describe.runIf(needs("postgres") && needs("redis"))("a backup", () => {
  let folder: string;
  let redis: DurableRedis;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let org: TestOrganization;
  let call: KeptCall;
  let audio: Buffer;
  const secretsKey = `k1:${randomBytes(32).toString("base64")}`;

  const start = async (dataDir?: string): Promise<TestControlApi> => {
    const log = createLogger({ level: "silent", format: "json", name: "test" });
    const api = await TestControlApi.start({
      databaseUrl: database.url,
      bus: await connectRedisBus({ url: redis.url, log }),
      secretsKey,
      ...(dataDir === undefined ? {} : { env: { DATA_DIR: dataDir } }),
    });
    await api.registerNode();
    return api;
  };
  const script = (name: string, dataDir: string) =>
    run(join(ROOT, "scripts", name), [join(folder, "backup")], {
      env: {
        PATH: `${join(folder, "bin")}:${process.env.PATH}`,
        DATABASE_URL: withPassword(database.url),
        REDIS_URL: withPassword(redis.url, "backup"),
        DATA_DIR: dataDir,
        ENV_FILE: join(folder, ".env"),
      },
    });

  /** What everybody on the machine sees of the programs while they run. */
  const seenOfPrograms = () => readFile(join(folder, "seen"), "utf8");

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-backup-"));
    await mkdir(join(folder, "bin"));
    for (const program of PROGRAMS) {
      const shim = `#!/bin/sh\necho "${program} $*" >>${folder}/seen\nPATH=\${PATH#*:} exec ${program} "$@"\n`;
      await writeFile(join(folder, "bin", program), shim, { mode: 0o755 });
    }
    [redis, database] = await Promise.all([DurableRedis.start(), createTestDatabase()]);
    await redis.addUser("backup", PASSWORD);
    const api = await start();
    org = await api.createOrganization();
    const body = { brain: { secret: BRAIN_SECRET } };
    await api.call("PATCH", `/api/agents/${org.agentId}`, { key: org.keys.developer, body });
    call = await keepCall(api, org, { said: ["Keep what I say"] });
    audio = await readFile(call.path);
    await writeFile(join(folder, ".env"), `SECRETS_KEY=${secretsKey}\n`);
    await api.api.close();
    // Nobody records it before the backup is taken.
    const about = { id: newId("evt"), sessionId: call.sessionId, orgId: org.orgId, seq: 2_000 };
    const event = { ...about, ...WAITING, source: "speech", at: new Date().toISOString() };
    await api.bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(event));
    await script("backup.sh", api.dataDir);
    await api.database.close();
    await api.bus.close();
    await rm(api.dataDir, { recursive: true, force: true });
    await rm(join(folder, ".env"));
    await database.drop();
    await redis.lose();
    await redis.addUser("backup", PASSWORD);
    database = await createEmptyDatabase();
  });
  afterAll(async () => {
    await Promise.all([redis.remove(), database.drop()]);
    await rm(folder, { recursive: true, force: true });
  });

  test("brings back a call, its recording, an agent's secret and what waited in Redis", async () => {
    const dataDir = join(folder, "data");
    await script("restore.sh", dataDir);
    expect(await readFile(join(folder, ".env"), "utf8")).toContain(secretsKey);
    const api = await start(dataDir);
    onTestFinished(() => api.close());

    const record = await api.call("GET", `/api/v1/calls/${call.sessionId}`, { key: org.keys.viewer });
    expect(record).toMatchObject({ status: 200, body: { status: "completed" } });
    const file = await fetch(`http://127.0.0.1:${api.api.port}/api/v1/calls/${call.sessionId}/recording`, {
      headers: { "x-api-key": org.keys.viewer },
    });
    expect(Buffer.from(await file.arrayBuffer()).equals(audio)).toBe(true);

    const body = { agentId: org.agentId, identifier: "customer-7" };
    const begun = await api.call("POST", "/api/sessions/init-web-call", { key: org.keys.owner, body });
    const plan = await api.planOf((begun.body.data as { sessionId: string }).sessionId);
    expect(plan.brain).toMatchObject({ secret: BRAIN_SECRET });

    await expect.poll(() => api.bus.streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP)).toBe(0);
    const { rows } = { rows: await api.database.db.selectFrom("call_events").select("seq").execute() };
    expect(rows.map(({ seq }) => Number(seq))).toContain(2_000);
  });

  test("shows no password of the stores in the arguments of a program", async () => {
    const seen = await seenOfPrograms();
    for (const program of PROGRAMS) expect(seen).toContain(`${program} `);
    const { password } = new URL(withPassword(database.url));
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), password, decodeURIComponent(password)])
      expect(seen).not.toContain(secret);
  });

  test("is refused where something is already, or when it was changed", async () => {
    const dataDir = join(folder, "other");
    await expect(script("restore.sh", dataDir)).rejects.toThrow(/the database has \d+ tables/);
    await appendFile(join(folder, "backup", "data.tar"), "x");
    await expect(script("restore.sh", dataDir)).rejects.toThrow("is not what backup.sh has written");
    await expect(script("backup.sh", dataDir)).rejects.toThrow("is there already");
  });
});

/** The same address, its password said; a Postgres that asks for none takes any. */
function withPassword(address: string, user = ""): string {
  const url = new URL(address);
  if (user !== "") url.username = user;
  if (url.password === "") url.password = encodeURIComponent(PASSWORD);
  return url.href;
}
