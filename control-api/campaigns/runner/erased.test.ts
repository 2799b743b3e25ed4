import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CampaignLine } from "../../../testkit/campaign-line.ts";
import { CampaignRunner } from "../../../testkit/campaign-runner.ts";
import { needs } from "../../../testkit/needs.ts";
import { LISTED } from "../targets/erase-targets.ts";

const PHONE = "+12025550177";
const ROWS = [{ phone: PHONE, name: "Cleo" }];
/** A Wednesday. */
const NOON = Date.UTC(2026, 5, 10, 12);

describe.runIf(needs("postgres"))("a person who is erased while a campaign calls them", () => {
  let runner: CampaignRunner;

  beforeAll(async () => {
    runner = await CampaignRunner.start();
  });
  afterEach(() => runner.clear());
  afterAll(() => runner.stop());

  const erase = () =>
    runner.database.db
      .transaction()
      .execute((trx) => LISTED.forget(trx, { orgId: runner.orgId, identifier: PHONE }));
  const kept = async (id: string) => JSON.stringify(await rows(id));
  const rows = (id: string) =>
    runner.database.db.selectFrom("campaign_targets").selectAll().where("campaign_id", "=", id).execute();

  it("is not dialed if it was only their turn, and the job that would have dialed them finds nobody", async () => {
    const clock = new ManualClock(NOON);
    const line = new CampaignLine(runner.database, clock);
    const id = await runner.begin(clock, {}, ROWS);
    const { look, dial } = runner.processOf(clock, line.placeCall());
    await look();
    expect(await erase()).toEqual({ gone: 1, inUse: 0 });
    for (const job of await runner.jobs()) await dial(job);
    expect(line.dialed).toEqual([]);
    expect(await kept(id)).not.toMatch(/Cleo|2025550177/);
    expect((await runner.runUntilOver(id, { clock, line })).status).toBe("done");
    expect(await runner.targetsOf(id)).toMatchObject([{ state: "done", outcome: "removed" }]);
  });

  it("is not dialed by a process that prepares the call meanwhile", async () => {
    const clock = new ManualClock(NOON);
    const line = new CampaignLine(runner.database, clock);
    const id = await runner.begin(clock, {}, ROWS);
    const { look, dial } = runner.processOf(
      clock,
      line.placeCall(async (at) => {
        if (at === "before") expect(await erase()).toEqual({ gone: 1, inUse: 0 });
      }),
    );
    await look();
    for (const job of await runner.jobs()) await dial(job);
    expect(line.dialed).toEqual([]);
    expect(await runner.targetsOf(id)).toMatchObject([{ state: "done", outcome: "removed" }]);
  });

  it("whose phone rings is struck from the list when the call is over, and not called again", async () => {
    const clock = new ManualClock(NOON);
    const line = new CampaignLine(runner.database, clock, () => ({ status: "busy", afterMs: 2_000 }));
    const retries = { busy: { times: 5, afterMinutes: 1 } };
    const id = await runner.begin(clock, { retries }, ROWS);
    const round = runner.roundsOf(clock, line);
    await round();
    expect(line.dialed).toHaveLength(1);
    expect(await erase()).toEqual({ gone: 0, inUse: 1 });
    expect((await runner.runUntilOver(id, { clock, line })).status).toBe("done");
    expect(line.dialed).toHaveLength(1);
    expect(await kept(id)).not.toMatch(/Cleo|2025550177/);
    expect(await runner.targetsOf(id)).toMatchObject([{ state: "done", outcome: "busy" }]);
  });
});
