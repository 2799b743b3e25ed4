import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { startJobRunner } from "../../testkit/jobs.ts";
import { lentDatabase } from "../../testkit/lent-database.ts";
import { createOrganization } from "../../testkit/organization.ts";
import type { Database } from "../database/open.ts";
import { reap, webhooksReaper } from "./reaper.ts";

const DAY_MS = 86_400_000;
const log = createLogger({ level: "silent", format: "json", name: "test" });

let database: Database;
beforeAll(async () => {
  database = await lentDatabase();
});
afterAll(() => database.close());

/** Deliveries of each status, 10 and 20 days old, of an organization. */
async function seed(clock: ManualClock, legalHold: boolean): Promise<string> {
  const { orgId, userId } = await createOrganization(database);
  await database.db
    .updateTable("organizations")
    .set({ legal_hold: legalHold })
    .where("id", "=", orgId)
    .execute();
  const endpointId = newId("whk");
  await database.db
    .insertInto("webhook_endpoints")
    .values({
      id: endpointId,
      org_id: orgId,
      url: "https://a.example/",
      events: JSON.stringify(["*"]),
      include_recording: false,
      include_transcript: false,
      secret_sealed: "x",
      created_by: userId,
      created_at: new Date(),
    })
    .execute();
  for (const status of ["pending", "failed", "delivered", "dead"] as const) {
    for (const days of [10, 20]) {
      const at = new Date(clock.wallMs() - days * DAY_MS);
      await database.db
        .insertInto("webhook_deliveries")
        .values({
          id: newId("dlv"),
          endpoint_id: endpointId,
          org_id: orgId,
          event: "call.dtmf",
          body: "{}",
          status,
          created_at: at,
          next_attempt_at: at,
        })
        .execute();
    }
  }
  return orgId;
}

async function left(orgId: string): Promise<string[]> {
  const rows = await database.db
    .selectFrom("webhook_deliveries")
    .select("status")
    .where("org_id", "=", orgId)
    .orderBy("id")
    .execute();
  return rows.map(({ status }) => status);
}

it("deliveries that are over are kept for the retention, under legal hold forever, and others always", async () => {
  const clock = new ManualClock();
  const [free, held] = [await seed(clock, false), await seed(clock, true)];
  await reap({ database, clock, log, retentionDays: 14 });
  expect(await left(free)).toEqual(["pending", "pending", "failed", "failed", "delivered", "dead"]);
  expect(await left(held)).toHaveLength(8);
});

it("a retention of 0 days deletes no delivery", async () => {
  const clock = new ManualClock();
  const orgId = await seed(clock, false);
  await reap({ database, clock, log, retentionDays: 0 });
  expect(await left(orgId)).toHaveLength(8);
});

it("a listener that nobody came back to goes, whatever the retention, with what it is owed", async () => {
  const clock = new ManualClock();
  const [gone, here] = [await seed(clock, true), await seed(clock, true)];
  const listening = (orgId: string, untilMs: number) =>
    database.db
      .updateTable("webhook_endpoints")
      .set({ listening_until: new Date(untilMs) })
      .where("org_id", "=", orgId)
      .execute();
  await listening(gone, clock.wallMs() + 600_000);
  await listening(here, clock.wallMs() + 600_001);
  const { runner } = startJobRunner([webhooksReaper({ database, clock, log, retentionDays: 0 })], {
    database,
    clock,
  });
  onTestFinished(() => runner.stop());
  clock.advance(600_000);
  await expect.poll(() => left(gone)).toEqual([]);
  expect(await left(here)).toHaveLength(8);
});
