import { createCampaign, readCampaign } from "@parley/control-api/campaigns/campaigns/campaigns.ts";
import { takeStep } from "@parley/control-api/campaigns/campaigns/steps.ts";
import { addNumbers } from "@parley/control-api/campaigns/do-not-call/add-numbers.ts";
import { addTargets } from "@parley/control-api/campaigns/targets/add-targets.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { createCampaignSchema } from "@parley/shared/contracts/campaigns.ts";
import { newId } from "@parley/shared/ids.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import type { ServerProcess } from "../../testkit/server-process.ts";
import { Installation } from "./support/installation.ts";
import { sizeOf } from "./support/sizes.ts";

const { rounds, kills } = sizeOf("campaignKilled");
const IS_LONG = rounds > 100;
/** By the last digits of a number of the loopback carrier: busy, hangs up, not in service. */
const ENDINGS = ["01", "05", "06"] as const;
const NOBODY_TELLS_MS = 8_000;
const LONG_AGO = "7 hours";

/** The one whose owner asked not to be called is among the busy ones. */
const LISTED = phoneOf(0, "01");

function phoneOf(nr: number, ending: string): string {
  return `+1202${300 + Math.floor(nr / 100)}${String(nr % 100).padStart(2, "0")}${ending}`;
}

/** It is day there. */
const TIME_ZONE = new Date().getUTCHours() < 12 ? "UTC" : "Pacific/Honolulu";

describe.runIf(needs("redis") && needs("postgres"))("a campaign whose processes are killed at random", () => {
  let parley: Installation;
  const apis: ServerProcess[] = [];
  beforeAll(async () => {
    parley = await Installation.start();
    apis.push(await parley.startControlApi(), await parley.startControlApi());
    await parley.startGateway();
  });
  afterAll(() => parley.remove());

  it("dials each target once for an attempt, comes to one outcome for each, and calls nobody on the list", {
    timeout: IS_LONG ? 1_800_000 : 240_000,
  }, async () => {
    const id = await begin();
    for (let kill = 0; kill < kills; kill++) {
      await new Promise((resolve) => setTimeout(resolve, 1_000 + Math.random() * 2_000));
      await apis.shift()?.kill();
      apis.push(await parley.startControlApi());
    }
    const statusOf = async (): Promise<string> => {
      await letTimePass();
      return (await readCampaign({ orgId: parley.orgId, id }, parley)).status;
    };
    await expect.poll(statusOf, { timeout: IS_LONG ? 1_500_000 : 150_000, interval: 500 }).toBe("done");

    const targets = await outcomes(id);
    expect(targets).toHaveLength(rounds * ENDINGS.length);
    expect(targets.filter(({ state, outcome }) => state !== "done" || outcome === null)).toEqual([]);
    expect(targets.find(({ phone }) => phone === LISTED)).toMatchObject({ outcome: "do_not_call", rung: 0 });
    // What a killed process dialed, nobody dials again: an attempt without an end counts as failed.
    expect(targets.filter(({ rung, attempts }) => rung > attempts)).toEqual([]);
    expect(await strangers(id)).toBe(0);
    // By their calls: what a killed process had read of the ends is recorded later than this test waits for outcomes.
    await expect.poll(statuses).toEqual(expect.arrayContaining(["busy", "completed", "failed"]));
  });

  async function begin(): Promise<string> {
    const { database, orgId, agentId } = parley;
    const { db } = database;
    const { id: userId } = await db.selectFrom("users").select("id").executeTakeFirstOrThrow();
    const at = new Date();
    const number = { id: newId("num"), org_id: orgId, number: "+12025550123", carrier: "loopback" };
    await db
      .insertInto("phone_numbers")
      .values({ ...number, label: "", agent_id: agentId, created_at: at })
      .execute();
    await addNumbers(db, [LISTED], { orgId, source: "member", reason: "", addedBy: userId, at });
    const deps = { database, clock: systemClock, audit: { write: async () => undefined } as never };
    const never = { times: 0, afterMinutes: 1 };
    const settings = createCampaignSchema.parse({
      ...{ name: "Renewals", agentId, fromNumberId: number.id, callsPerMinute: 600, maxLive: 40 },
      hours: { days: [0, 1, 2, 3, 4, 5, 6], from: "00:00", to: "23:59" },
      retries: { busy: { times: 1, afterMinutes: 1 }, no_answer: never, voicemail: never, failed: never },
      pauseAfterFailures: 1_000,
    });
    const { id } = await createCampaign(settings, { orgId, userId }, deps);
    const rows = Array.from({ length: rounds }, (_, nr) =>
      ENDINGS.map((ending) => ({ phone: phoneOf(nr, ending), timezone: TIME_ZONE })),
    ).flat();
    const mapping = { phone: "phone" };
    for (let from = 0; from < rows.length; from += 1_000)
      await addTargets({ orgId, campaignId: id }, { rows: rows.slice(from, from + 1_000), mapping }, deps);
    await takeStep("calls", { orgId, id }, "start", deps);
    return id;
  }

  /** Calls whose process was killed, and those that wait to be called again, do not take their hours and minutes. */
  async function letTimePass(): Promise<void> {
    const { db } = parley.database;
    const told = new Date(Date.now() - NOBODY_TELLS_MS);
    await sql`update campaign_attempts set dialed_at = dialed_at - ${LONG_AGO}::interval
      where settled_at is null and dialed_at < ${told} and dialed_at > now() - interval '1 hour'`.execute(db);
    await sql`update campaign_attempts set dealt_at = dealt_at - ${LONG_AGO}::interval
      where settled_at is null and session_id is null and dealt_at < ${new Date(Date.now() - 60_000)}`.execute(
      db,
    );
    await sql`update campaign_targets set due_at = now() where state = 'waiting' and due_at > now()`.execute(
      db,
    );
  }

  /** Each target, and how often its phone was dialed: a call that the carrier took has its name. */
  async function outcomes(campaignId: string) {
    const { rows } = await sql<{
      phone: string;
      state: string;
      outcome: string | null;
      attempts: number;
      rung: number;
    }>`select t.phone, t.state, t.outcome, t.attempts,
        (select count(*)::int from calls c where c.to_number = t.phone and c.call_sid is not null) as rung
      from campaign_targets t where t.campaign_id = ${campaignId}`.execute(parley.database.db);
    return rows;
  }

  async function statuses(): Promise<string[]> {
    const calls = parley.database.db.selectFrom("calls").select("status").distinct();
    return (await calls.execute()).map(({ status }) => status);
  }

  /** Calls that a carrier took and that are no attempt's. */
  async function strangers(campaignId: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from calls c
      where c.call_sid is not null and not exists (select from campaign_attempts a
        where a.session_id = c.session_id and a.campaign_id = ${campaignId})`.execute(parley.database.db);
    return rows[0]?.count ?? -1;
  }
});
