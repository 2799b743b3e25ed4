import { AppError } from "@parley/shared/errors.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CampaignLine, type LineEnd } from "../../../testkit/campaign-line.ts";
import { CampaignRunner, NO_RETRIES, phones } from "../../../testkit/campaign-runner.ts";
import { needs } from "../../../testkit/needs.ts";
import type { PlaceCall } from "./dial-attempt.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A Wednesday. */
const NOON = Date.UTC(2026, 5, 10, 12);

describe.runIf(needs("postgres"))("the runner of campaigns", () => {
  let runner: CampaignRunner;

  beforeAll(async () => {
    runner = await CampaignRunner.start();
  });
  afterEach(() => runner.clear());
  afterAll(() => runner.stop());

  it("calls again by what came of the call, and settles when that was often enough", async () => {
    const clock = new ManualClock(NOON);
    const ends: Record<string, LineEnd> = {
      "+12025550001": { status: "busy" },
      "+12025550002": { status: "no-answer" },
      "+12025550003": { status: "completed", answeredBy: "machine_start" },
      "+12025550004": { status: "completed", answeredBy: "human" },
      "+12025550005": { status: "failed" },
    };
    const line = new CampaignLine(runner.database, clock, (to, times) =>
      to === "+12025550006" && times > 1 ? { status: "completed" } : (ends[to] ?? { status: "busy" }),
    );
    const retries = {
      busy: { times: 2, afterMinutes: 5 },
      no_answer: { times: 1, afterMinutes: 60 },
      voicemail: { times: 1, afterMinutes: 30 },
      failed: { times: 0, afterMinutes: 1 },
    };
    const rows = [1, 2, 3, 4, 5, 6].map((n) => ({ phone: `+1202555000${n}` }));
    const id = await runner.begin(clock, { retries, callsPerMinute: 600 }, rows);
    await runner.runUntilOver(id, { clock, line, stepMs: 30_000 });
    const shown = (await runner.targetsOf(id)).map(({ outcome, attempts }) => [outcome, attempts]);
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
    const line = new CampaignLine(runner.database, clock, () => ({ status: "busy" }));
    const retries = { ...NO_RETRIES, busy: { times: 5, afterMinutes: 10 } };
    const id = await runner.begin(clock, { retries, callsPerMinute: 600 }, phones(4));
    const join = (number: string) =>
      runner.database.db
        .insertInto("do_not_call")
        .values({ org_id: runner.orgId, number, reason: "", source: "member", created_at: new Date() })
        .execute();
    await join("+12025510000");
    const round = runner.roundsOf(clock, line);
    for (let i = 0; i < 5; i++) await round();
    expect(line.dialed).toHaveLength(3);
    expect(line.dialed.every(({ campaignId }) => campaignId === id)).toBe(true);
    // Between two attempts.
    await join("+12025510001");
    await runner.runUntilOver(id, { clock, line, stepMs: MINUTE_MS });
    const times = (to: string) => line.dialed.filter((one) => one.to === to).length;
    expect(["+12025510000", "+12025510001", "+12025510002"].map(times)).toEqual([0, 1, 6]);
    const outcomes = (await runner.targetsOf(id)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["do_not_call", "do_not_call", "busy", "busy"]);
    await runner.database.db.deleteFrom("do_not_call").execute();
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
      const line = new CampaignLine(runner.database, clock, () => end);
      const id = await runner.begin(
        clock,
        { maxLive: 1, callsPerMinute: 60, retries: NO_RETRIES, ...settings },
        phones(9),
      );
      expect(await runner.runUntilOver(id, { clock, line })).toEqual({
        status,
        reason: expect.stringContaining(reason),
      });
      expect(line.dialed.length).toBeLessThan(9);
    }
  });

  it("pauses when its calls have cost as much as it may, and when nothing is left to pay the next one with", async () => {
    const clock = new ManualClock(NOON);
    const line = new CampaignLine(runner.database, clock, () => ({ status: "completed" }));
    const charged: PlaceCall = async (...asked) => {
      const placed = await line.placeCall()(...asked);
      await sql`insert into usage_rows (source, metric, org_id, session_id, agent_id, key_id, channel, vendor, quantity, amount, at)
        values (${placed.sessionId}, 'call_seconds', ${runner.orgId}, ${placed.sessionId}, '', '', '', '', 1, 400000, now())`.execute(
        runner.database.db,
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
      const id = await runner.begin(clock, { ...slow, budgetUsd: "1.00" }, phones(9));
      const { look, dial } = runner.processOf(clock, placeCall);
      while ((await runner.campaignOf(id)).status === "running") {
        await look();
        for (const job of await runner.jobs()) await dial(job);
        clock.advance(1_000);
        await line.endCalls();
      }
      expect(await runner.campaignOf(id)).toEqual({ status: "paused", reason });
      expect(line.dialed).toHaveLength(dialed);
      expect((await runner.targetsOf(id)).filter(({ state }) => state === "calling")).toEqual([]);
    }
  });

  it("calls people by the clock where they are, in twelve zones and across a change of the clocks", async () => {
    // The clocks of Europe go back on the 25th, those of North America a week later.
    const clock = new ManualClock(Date.UTC(2026, 9, 24, 0));
    const line = new CampaignLine(runner.database, clock);
    const rows = ZONES.flatMap((timezone, zone) =>
      [1, 2, 3].map((n) => ({ phone: `+1202555${zone + 10}${n}0`, timezone })),
    );
    const hours = { days: [0, 1, 6], from: "09:00", to: "10:00" };
    const id = await runner.begin(clock, { hours, callsPerMinute: 1, maxLive: 1 }, rows);
    // One call a round: each zone needs several days.
    await runner.runUntilOver(id, { clock, line, stepMs: 30 * MINUTE_MS });
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
    const line = new CampaignLine(runner.database, clock, (to) => ({
      status: to.endsWith("3") ? "busy" : "completed",
      afterMs: 3_000,
    }));
    const busy = { times: 1, afterMinutes: 2 };
    const retries = { ...NO_RETRIES, busy, failed: { times: 2, afterMinutes: 1 } };
    const id = await runner.begin(clock, { callsPerMinute: 600, maxLive: 60, retries }, phones(60));
    const wakes = Promise.withResolvers<void>();
    const points = ["before", "meant", "rings"] as const;
    let calls = 0;
    const stalled = runner.processOf(
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
      for (const job of await runner.jobs()) {
        if (seen.has(job.id)) continue;
        seen.add(job.id);
        left.push(stalled.dial(job).catch(() => undefined));
      }
      await expect.poll(() => calls).toBe(left.length);
      clock.advance(1_000);
    }
    expect(calls).toBeGreaterThan(20);
    const round = runner.roundsOf(clock, line);
    for (let i = 0; i < 3; i++) await round();
    wakes.resolve();
    await Promise.all(left);
    expect((await runner.runUntilOver(id, { clock, line, stepMs: 5_000 })).status).toBe("done");
    const attempts = await runner.database.db
      .selectFrom("campaign_attempts")
      .select(["target_id", "number", "session_id", "outcome"])
      .where("campaign_id", "=", id)
      .execute();
    const bySession = Map.groupBy(line.dialed, ({ sessionId }) => sessionId);
    expect([...bySession.values()].every((rings) => rings.length === 1)).toBe(true);
    const sessions = new Set(attempts.map(({ session_id }) => session_id));
    expect(line.dialed.filter(({ sessionId }) => !sessions.has(sessionId))).toEqual([]);
    const targets = await runner.targetsOf(id);
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
