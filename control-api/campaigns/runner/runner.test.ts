import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { campaignSettingsSchema } from "@parley/shared/contracts/campaigns.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CampaignLine, type LineEnd } from "../../../testkit/campaign-line.ts";
import { needs } from "../../../testkit/needs.ts";
import { createTestDatabase } from "../../../testkit/postgres.ts";
import { migrateToLatest } from "../../database/migrate.ts";
import { type Database, openDatabase } from "../../database/open.ts";
import { JobQueue } from "../../jobs/queue.ts";
import { addTargets } from "../targets/add-targets.ts";
import { dialsAttempts, type PlaceCall } from "./dial-attempt.ts";
import { runCampaigns } from "./run-campaigns.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ALWAYS = { days: [0, 1, 2, 3, 4, 5, 6], from: "00:00", to: "23:59" };
const ONCE = { times: 0, afterMinutes: 1 };
const NO_RETRIES = { no_answer: ONCE, busy: ONCE, voicemail: ONCE, failed: ONCE };
const QUIET = createLogger({ level: "silent", format: "json", name: "test" });
/** A Wednesday. */
const NOON = Date.UTC(2026, 5, 10, 12);

type Job = { readonly id: string; readonly payload: unknown };

describe.runIf(needs("postgres"))("the runner of campaigns", () => {
  let own: Awaited<ReturnType<typeof createTestDatabase>>;
  let database: Database;
  const orgId = newId("org");

  beforeAll(async () => {
    own = await createTestDatabase();
    database = await openDatabase({ databaseUrl: own.url });
    await migrateToLatest(database.db);
    const organization = { id: orgId, name: "Acme", created_at: new Date() };
    await database.db.insertInto("organizations").values(organization).execute();
  });
  afterEach(async () => {
    await database.db.deleteFrom("campaigns").execute();
    await database.db.deleteFrom("jobs").execute();
  });
  afterAll(async () => {
    await database.close();
    await own.drop();
  });

  /** What a process does in a round: it looks who is called next, and dials them. */
  const processOf = (clock: Clock, placeCall: PlaceCall) => {
    const { channels } = createMemoryBus({ clock: systemClock });
    const deps = { database, clock, placeCall, log: QUIET, queue: new JobQueue({ clock, channels }) };
    const dials = dialsAttempts(deps);
    const { signal } = new AbortController();
    const dial = async ({ id, payload }: Job) => {
      const progress = async () => undefined;
      await dials.run({ jobId: id, orgId, payload, attempt: 1, signal, progress });
      await database.db.deleteFrom("jobs").where("id", "=", id).execute();
    };
    return { look: () => runCampaigns(signal, deps), dial };
  };
  const jobs = (): Promise<Job[]> => database.db.selectFrom("jobs").select(["id", "payload"]).execute();

  const begin = async (
    clock: Clock,
    settings: Record<string, unknown>,
    rows: readonly Record<string, string>[],
  ): Promise<string> => {
    const id = newId("cmp");
    const at = new Date(clock.wallMs());
    const parsed = campaignSettingsSchema.parse({ agentId: "agt_1", hours: ALWAYS, ...settings });
    await database.db
      .insertInto("campaigns")
      .values({
        ...{ id, org_id: orgId, kind: "calls", name: "Test", status: "running", created_by: "usr_1" },
        ...{ settings: JSON.stringify(parsed), created_at: at, updated_at: at, started_at: at },
      })
      .execute();
    await addTargets({ orgId, campaignId: id }, { rows, mapping: {} }, { database, clock });
    return id;
  };

  const targetsOf = (id: string) =>
    database.db
      .selectFrom("campaign_targets")
      .select(["id", "phone", "zone", "state", "outcome", "attempts"])
      .where("campaign_id", "=", id)
      .orderBy("arrived")
      .execute();
  const campaignOf = (id: string) =>
    database.db
      .selectFrom("campaigns")
      .select(["status", "status_reason as reason"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();

  const roundsOf = (clock: ManualClock, line: CampaignLine) => {
    const { look, dial } = processOf(clock, line.placeCall());
    return async (stepMs = 1_000): Promise<void> => {
      await look();
      for (const job of await jobs()) await dial(job);
      clock.advance(stepMs);
      await line.endCalls();
    };
  };
  /** Time goes on until the campaign runs no more. */
  const runUntilOver = async (
    id: string,
    { clock, line, stepMs = 1_000 }: { clock: ManualClock; line: CampaignLine; stepMs?: number },
  ) => {
    const round = roundsOf(clock, line);
    while ((await campaignOf(id)).status === "running") await round(stepMs);
    return campaignOf(id);
  };

  const phones = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ phone: `+120255${10_000 + i}` }));

  it("keeps the pace within five percent, and no more calls at once than allowed", async () => {
    const clock = new ManualClock(NOON);
    const line = new CampaignLine(database, clock, () => ({ status: "completed", afterMs: 1_000 }));
    const id = await begin(clock, { callsPerMinute: 90, maxLive: 50 }, phones(45));
    expect((await runUntilOver(id, { clock, line })).status).toBe("done");
    const [first, last] = [line.dialed[0]?.atMs ?? 0, line.dialed.at(-1)?.atMs ?? 0];
    const perMinute = 44 / ((last - first) / MINUTE_MS);
    expect(perMinute).toBeGreaterThan(90 * 0.95);
    expect(perMinute).toBeLessThan(90 * 1.05);
    expect(new Set(line.dialed.map(({ to }) => to)).size).toBe(45);

    const slow = new CampaignLine(database, clock, () => ({ status: "completed", afterMs: 5_000 }));
    const other = await begin(clock, { callsPerMinute: 600, maxLive: 3 }, phones(9));
    await runUntilOver(other, { clock, line: slow });
    expect(slow.dialed).toHaveLength(9);
    expect(slow.mostLive).toBe(3);
  });

  it("calls again by what came of the call, and settles when that was often enough", async () => {
    const clock = new ManualClock(NOON);
    const ends: Record<string, LineEnd> = {
      "+12025550001": { status: "busy" },
      "+12025550002": { status: "no-answer" },
      "+12025550003": { status: "completed", answeredBy: "machine_start" },
      "+12025550004": { status: "completed", answeredBy: "human" },
      "+12025550005": { status: "failed" },
    };
    const line = new CampaignLine(database, clock, (to, times) =>
      to === "+12025550006" && times > 1 ? { status: "completed" } : (ends[to] ?? { status: "busy" }),
    );
    const retries = {
      busy: { times: 2, afterMinutes: 5 },
      no_answer: { times: 1, afterMinutes: 60 },
      voicemail: { times: 1, afterMinutes: 30 },
      failed: { times: 0, afterMinutes: 1 },
    };
    const rows = [1, 2, 3, 4, 5, 6].map((n) => ({ phone: `+1202555000${n}` }));
    const id = await begin(clock, { retries, callsPerMinute: 600 }, rows);
    await runUntilOver(id, { clock, line, stepMs: 30_000 });
    const shown = (await targetsOf(id)).map(({ outcome, attempts }) => [outcome, attempts]);
    expect(shown).toEqual([
      ["busy", 3],
      ["no_answer", 2],
      ["voicemail", 2],
      ["answered", 1],
      ["failed", 1],
      ["answered", 2],
    ]);
    const [first = 0, second = 0] = line.dialed
      .filter(({ to }) => to === "+12025550002")
      .map(({ atMs }) => atMs);
    expect(second - first).toBeGreaterThanOrEqual(HOUR_MS);
  });

  it("dials nobody who is on the do-not-call list, whenever they joined it", async () => {
    const clock = new ManualClock(NOON);
    const line = new CampaignLine(database, clock, () => ({ status: "busy" }));
    const retries = { ...NO_RETRIES, busy: { times: 5, afterMinutes: 10 } };
    const id = await begin(clock, { retries, callsPerMinute: 600 }, phones(4));
    const join = (number: string) =>
      database.db
        .insertInto("do_not_call")
        .values({ org_id: orgId, number, reason: "", source: "member", created_at: new Date() })
        .execute();
    await join("+12025510000");
    const round = roundsOf(clock, line);
    for (let i = 0; i < 5; i++) await round();
    expect(line.dialed).toHaveLength(3);
    // Between two attempts.
    await join("+12025510001");
    await runUntilOver(id, { clock, line, stepMs: MINUTE_MS });
    const times = (to: string) => line.dialed.filter((one) => one.to === to).length;
    expect(["+12025510000", "+12025510001", "+12025510002"].map(times)).toEqual([0, 1, 6]);
    const outcomes = (await targetsOf(id)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["do_not_call", "do_not_call", "busy", "busy"]);
    await database.db.deleteFrom("do_not_call").execute();
  });

  it("pauses when call after call fails, when the budget is used up, and ends when enough answered or its time is over", async () => {
    const clock = new ManualClock(NOON);
    const all: [LineEnd, Record<string, unknown>, string, string][] = [
      [{ status: "failed" }, { pauseAfterFailures: 3 }, "paused", "in a row failed"],
      [{ status: "completed", afterMs: 70_000 }, { budgetMinutes: 2 }, "paused", "2 minutes"],
      [{ status: "completed" }, { stopAfterAnswered: 4 }, "done", "4 people answered"],
      [{ status: "completed" }, { endsAt: new Date(NOON).toISOString() }, "done", "time was over"],
    ];
    for (const [end, settings, status, reason] of all) {
      const line = new CampaignLine(database, clock, () => end);
      const id = await begin(
        clock,
        { maxLive: 1, callsPerMinute: 60, retries: NO_RETRIES, ...settings },
        phones(9),
      );
      expect(await runUntilOver(id, { clock, line })).toEqual({
        status,
        reason: expect.stringContaining(reason),
      });
      expect(line.dialed.length).toBeLessThan(9);
    }
  });

  it("pauses when its calls have cost as much as it may, and when nothing is left to pay the next one with", async () => {
    const clock = new ManualClock(NOON);
    const line = new CampaignLine(database, clock, () => ({ status: "completed" }));
    const charged: PlaceCall = async (...asked) => {
      const placed = await line.placeCall()(...asked);
      await sql`insert into usage_rows (source, metric, org_id, session_id, agent_id, key_id, channel, vendor, quantity, amount, at)
        values (${placed.sessionId}, 'call_seconds', ${orgId}, ${placed.sessionId}, '', '', '', '', 1, 400000, now())`.execute(
        database.db,
      );
      return placed;
    };
    const suspended: PlaceCall = async () => {
      throw new AppError("payment_required", "The account is suspended: pay what is due.");
    };
    const slow = { maxLive: 1, callsPerMinute: 60, retries: NO_RETRIES };
    for (const [placeCall, reason, dialed] of [
      [charged, "Its budget of $1.00 is used up.", 3],
      [suspended, "The account is suspended: pay what is due.", 3],
    ] as const) {
      const id = await begin(clock, { ...slow, budgetUsd: "1.00" }, phones(9));
      const { look, dial } = processOf(clock, placeCall);
      while ((await campaignOf(id)).status === "running") {
        await look();
        for (const job of await jobs()) await dial(job);
        clock.advance(1_000);
        await line.endCalls();
      }
      expect(await campaignOf(id)).toEqual({ status: "paused", reason });
      expect(line.dialed).toHaveLength(dialed);
      expect((await targetsOf(id)).filter(({ state }) => state === "calling")).toEqual([]);
    }
  });

  it("calls people by the clock where they are, in twelve zones and across a change of the clocks", async () => {
    // The clocks of Europe go back on the 25th, those of North America a week later.
    const clock = new ManualClock(Date.UTC(2026, 9, 24, 0));
    const line = new CampaignLine(database, clock);
    const rows = ZONES.flatMap((timezone, zone) =>
      [1, 2, 3].map((n) => ({ phone: `+1202555${zone + 10}${n}0`, timezone })),
    );
    const hours = { days: [0, 1, 6], from: "09:00", to: "10:00" };
    const id = await begin(clock, { hours, callsPerMinute: 1, maxLive: 1 }, rows);
    // One call a round: each zone needs several days.
    await runUntilOver(id, { clock, line, stepMs: 30 * MINUTE_MS });
    expect(line.dialed).toHaveLength(rows.length);
    const zoneOf = new Map(rows.map(({ phone, timezone }) => [phone, timezone]));
    const wrong = line.dialed.filter(({ to, atMs }) => {
      const timeZone = zoneOf.get(to) ?? "UTC";
      const [day = "", time = ""] = new Date(atMs).toLocaleString("sv-SE", { timeZone }).split(" ");
      const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
      return time < "09:00:00" || time >= "10:00:00" || !hours.days.includes(weekday);
    });
    expect(wrong).toEqual([]);
    const berlin = line.dialed.filter(({ to }) => zoneOf.get(to) === "Europe/Berlin");
    expect(new Set(berlin.map(({ atMs }) => new Date(atMs).getUTCHours()))).toEqual(new Set([7, 8]));
  });

  it("calls each target once for an attempt, whatever a process was doing that dies, or wakes up again", async () => {
    const clock = new ManualClock(NOON);
    const line = new CampaignLine(database, clock, (to) => ({
      status: to.endsWith("3") ? "busy" : "completed",
      afterMs: 3_000,
    }));
    const busy = { times: 1, afterMinutes: 2 };
    const retries = { ...NO_RETRIES, busy, failed: { times: 2, afterMinutes: 1 } };
    const id = await begin(clock, { callsPerMinute: 600, maxLive: 60, retries }, phones(60));
    const wakes = Promise.withResolvers<void>();
    const points = ["before", "meant", "rings"] as const;
    let calls = 0;
    const stalled = processOf(
      clock,
      line.placeCall((at) => {
        calls += at === "before" ? 1 : 0;
        return at === points[calls % 3] ? wakes.promise : undefined;
      }),
    );
    const left: Promise<unknown>[] = [];
    const seen = new Set<string>();
    for (let i = 0; i < 5; i++) {
      await stalled.look();
      // Nobody waits for it: it stands still.
      for (const job of await jobs()) {
        if (seen.has(job.id)) continue;
        seen.add(job.id);
        left.push(stalled.dial(job).catch(() => undefined));
      }
      await expect.poll(() => calls).toBe(left.length);
      clock.advance(1_000);
    }
    expect(calls).toBeGreaterThan(20);
    const round = roundsOf(clock, line);
    for (let i = 0; i < 3; i++) await round();
    wakes.resolve();
    await Promise.all(left);
    expect((await runUntilOver(id, { clock, line, stepMs: 5_000 })).status).toBe("done");
    const attempts = await database.db
      .selectFrom("campaign_attempts")
      .select(["target_id", "number", "session_id", "outcome"])
      .where("campaign_id", "=", id)
      .execute();
    const bySession = Map.groupBy(line.dialed, ({ sessionId }) => sessionId);
    expect([...bySession.values()].every((rings) => rings.length === 1)).toBe(true);
    const sessions = new Set(attempts.map(({ session_id }) => session_id));
    expect(line.dialed.filter(({ sessionId }) => !sessions.has(sessionId))).toEqual([]);
    const targets = await targetsOf(id);
    expect(targets.every(({ state, outcome }) => state === "done" && outcome !== null)).toBe(true);
    const times = Map.groupBy(line.dialed, ({ to }) => to);
    expect(targets.filter(({ phone, attempts: n }) => (times.get(phone)?.length ?? 0) > n)).toEqual([]);
  });
});

const ZONES = [
  "Pacific/Honolulu",
  "America/Los_Angeles",
  "America/New_York",
  "America/Sao_Paulo",
  "Atlantic/Azores",
  "Europe/London",
  "Europe/Berlin",
  "Africa/Lagos",
  "Asia/Kolkata",
  "Asia/Tokyo",
  "Australia/Adelaide",
  "Pacific/Auckland",
];
