import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Database, openDatabase } from "@parley/control-api/database/open.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../testkit/needs.ts";
import { createTestDatabase } from "../testkit/postgres.ts";

const SCRIPT = join(import.meta.dirname, "dead-jobs.ts");
const run = promisify(execFile);

describe.runIf(needs("postgres"))("npx node scripts/dead-jobs.ts", () => {
  let own: Awaited<ReturnType<typeof createTestDatabase>>;
  let database: Database;
  beforeAll(async () => {
    own = await createTestDatabase();
    database = await openDatabase({ databaseUrl: own.url });
    const at = new Date("2026-01-01");
    await database.db
      .insertInto("jobs")
      .values(
        ["job_a", "job_b"].map((id) => ({
          ...{ id, kind: "crawl_source", owner: "org_1", key: null, payload: '{"sourceId":"src_1"}' },
          ...{ state: "dead", due_at: at, attempts: 8, error: "no answer", created_at: at, finished_at: at },
        })),
      )
      .execute();
  });
  afterAll(async () => {
    await database.close();
    await own.drop();
  });
  const say = async (...args: string[]) =>
    run(process.execPath, [SCRIPT, ...args], { env: { ...process.env, DATABASE_URL: own.url } });
  const stateOf = async (id: string) =>
    database.db.selectFrom("jobs").select(["state", "attempts"]).where("id", "=", id).executeTakeFirst();

  it("lists what was put aside, lets one be tried again, drops the others", async () => {
    expect((await say("list")).stdout).toMatch(/job_a .*crawl_source .*tries 8 .*no answer[\s\S]*2 jobs/);
    expect((await say("rerun", "job_a")).stdout).toContain("1 of them will be tried again");
    expect(await stateOf("job_a")).toEqual({ state: "waiting", attempts: 0 });
    expect((await say("drop", "all")).stdout).toContain("1 of them were dropped");
    expect(await stateOf("job_b")).toBeUndefined();
  });

  it("says what is wrong with what was typed", async () => {
    await expect(say("rerun", "job_z")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No dead job has the id job_z."),
    });
    await expect(say("burn")).rejects.toMatchObject({ stderr: expect.stringContaining("Usage:") });
  });
});
