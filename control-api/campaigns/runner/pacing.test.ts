import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CampaignLine } from "../../../testkit/campaign-line.ts";
import { CampaignRunner, phones } from "../../../testkit/campaign-runner.ts";
import { needs } from "../../../testkit/needs.ts";

const MINUTE_MS = 60_000;
/** A Wednesday. */
const NOON = Date.UTC(2026, 5, 10, 12);
/** Rounds come once a second, though not on a busy machine. */
const STEPS_MS = [1_000, 1_400, 700, 1_900, 1_000];

describe.runIf(needs("postgres"))("the pace of a campaign", () => {
  let runner: CampaignRunner;

  beforeAll(async () => {
    runner = await CampaignRunner.start();
  });
  afterEach(() => runner.clear());
  afterAll(() => runner.stop());

  it.each([
    { callsPerMinute: 37, count: 38 },
    { callsPerMinute: 600, count: 151 },
  ])(
    "of $callsPerMinute calls a minute is held within five percent, whichever process comes first",
    async ({ callsPerMinute, count }) => {
      const clock = new ManualClock(NOON);
      const line = new CampaignLine(runner.database, clock, () => ({ status: "completed", afterMs: 500 }));
      const id = await runner.begin(clock, { callsPerMinute, maxLive: 500 }, phones(count));
      const rounds = [runner.roundsOf(clock, line), runner.roundsOf(clock, line)];
      for (let nr = 0; line.dialed.length < count; nr += 1)
        await rounds[nr % rounds.length]?.(STEPS_MS[nr % STEPS_MS.length]);
      const times = line.dialed.map(({ atMs }) => atMs);
      const perMinute = (count - 1) / (((times.at(-1) ?? 0) - (times[0] ?? 0)) / MINUTE_MS);
      expect(perMinute / callsPerMinute).toBeGreaterThan(0.95);
      expect(perMinute / callsPerMinute).toBeLessThan(1.05);
      // Nor is there a minute with more, but for what one late round makes up for.
      const most = Math.max(
        ...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE_MS).length),
      );
      expect(most).toBeLessThanOrEqual(callsPerMinute * (1 + 2 / 60) + 1);
      expect(new Set(line.dialed.map(({ to }) => to)).size).toBe(count);
      expect((await runner.campaignOf(id)).status).toBe("running");
    },
  );

  it("does not make up for hours in which nobody looked", async () => {
    const clock = new ManualClock(NOON);
    const line = new CampaignLine(runner.database, clock, () => ({ status: "completed", afterMs: 500 }));
    await runner.begin(clock, { callsPerMinute: 60, maxLive: 500 }, phones(40));
    const round = runner.roundsOf(clock, line);
    await round(3 * 3_600_000);
    await round();
    expect(line.dialed.length).toBeLessThanOrEqual(4);
  });

  it("gives way to the number of calls at once", async () => {
    const clock = new ManualClock(NOON);
    const line = new CampaignLine(runner.database, clock, () => ({ status: "completed", afterMs: 5_000 }));
    const id = await runner.begin(clock, { callsPerMinute: 600, maxLive: 3 }, phones(9));
    await runner.runUntilOver(id, { clock, line });
    expect(line.dialed).toHaveLength(9);
    expect(line.mostLive).toBe(3);
  });
});
