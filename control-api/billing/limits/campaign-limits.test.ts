import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lentDatabase } from "../../../testkit/lent-database.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import type { Databases } from "../../database/open.ts";
import { JobQueue } from "../../jobs/queue.ts";
import { rebuildSums } from "../ledger/rebuild.ts";
import { insertUsage } from "../metering/usage-store.ts";
import { admitsCalls } from "../wallet/admit-calls.ts";
import { settleCall } from "../wallet/billed-calls.ts";
import { chargeUsage } from "../wallet/charge.ts";
import { giveCredit } from "../wallet/credit.ts";
import { setLimit } from "./put-limit.ts";
import { putLimit } from "./store.ts";

const DOLLAR = 1_000_000n;
const CAMPAIGN = "cmp_spring";

let database: Databases;
let admit: ReturnType<typeof admitsCalls>;
let orgId: string;
let nr = 0;
const clock = new ManualClock(Date.UTC(2026, 10, 22, 12));
const now = () => new Date(clock.wallMs());
beforeAll(async () => {
  database = await lentDatabase();
  const { channels } = createMemoryBus({ clock: systemClock });
  admit = admitsCalls({ isOn: true, queue: new JobQueue({ clock, channels }) });
});
afterAll(() => database.close());
beforeEach(async () => {
  ({ orgId } = await createOrganization(database));
  await giveCredit(database, { orgId, amount: 100n * DOLLAR, source: "welcome", at: now() });
});

const limit = (kind: "soft" | "hard", dollars: bigint, period: "day" | "month" = "day") =>
  putLimit(database.db, {
    ...{ id: `lim_${++nr}`, orgId, scope: "campaign", scopeId: CAMPAIGN, period, kind },
    ...{ amount: dollars * DOLLAR, at: now() },
  });

/** Admits a call, and has it cost that much. */
async function call(dollars: bigint, campaignId: string | undefined = CAMPAIGN): Promise<void> {
  const sessionId = `ses_${++nr}`;
  const about = { sessionId, orgId, agentId: null, channel: "telephony" };
  await database.db
    .transaction()
    .execute((trx) => admit(trx, { ...about, ...(campaignId && { campaignId }), at: now() }));
  await database.db.transaction().execute(async (trx) => {
    const row = { sessionId, orgId, agentId: "", keyId: "", channel: "telephony", vendor: "", priceId: null };
    const of = campaignId === "" ? {} : { campaignId };
    const used = await insertUsage(trx, [
      {
        ...row,
        ...of,
        source: sessionId,
        metric: "call_seconds",
        quantity: 1n,
        amount: dollars * DOLLAR,
        at: now(),
      },
    ]);
    await chargeUsage(trx, { used, ended: [], now: now() });
    await settleCall(trx, sessionId, now());
  });
}

describe("a spending limit of a campaign", () => {
  it("refuses the campaign's next call when its calls have cost that much, and no others", async () => {
    await limit("hard", 5n);
    await call(3n);
    await call(50n, "cmp_other");
    await call(2n);
    await expect(call(1n)).rejects.toMatchObject({
      code: "spending_limit_reached",
      message: expect.stringContaining("The campaign's spending limit of 5.00 USD a day is reached"),
      details: { spent: "5.00" },
    });
    await call(1n, "cmp_other");
    await call(1n, "");
    expect(await rebuildSums(database.db)).toEqual({ balances: 0, days: 0 });
    await database.db.deleteFrom("campaign_days").where("campaign_id", "=", CAMPAIGN).execute();
    expect(await rebuildSums(database.db)).toEqual({ balances: 0, days: 1 });
  });

  it("is of its period: the next day begins anew, the month does not", async () => {
    await limit("hard", 5n);
    await limit("hard", 8n, "month");
    await call(5n);
    await expect(call(1n)).rejects.toMatchObject({ code: "spending_limit_reached" });
    clock.advance(86_400_000);
    await call(3n);
    await expect(call(1n)).rejects.toMatchObject({ details: { limit: "8.00", spent: "8.00" } });
  });

  it("that is soft warns the owners once, and lets calls go on", async () => {
    await limit("soft", 5n);
    for (let times = 0; times < 3; times++) await call(5n);
    const jobs = await database.db
      .selectFrom("jobs")
      .select("id")
      .where("kind", "=", "warn_of_spending")
      .where("owner", "=", orgId)
      .execute();
    expect(jobs).toHaveLength(1);
  });

  it("is set for a campaign of the organization, whether it calls or writes", async () => {
    const at = now();
    const about = {
      org_id: orgId,
      name: "Spring",
      status: "draft",
      settings: "{}",
      created_by: "usr_1",
    } as const;
    const times = { created_at: at, updated_at: at };
    await database.db
      .insertInto("campaigns")
      .values([
        { id: `cmp_calls_${orgId}`, kind: "calls", ...about, ...times },
        { id: `cmp_writes_${orgId}`, kind: "whatsapp", ...about, ...times },
      ])
      .execute();
    const of = (scopeId: string) =>
      setLimit(database, {
        orgId,
        limit: { scope: "campaign", scopeId, period: "day", kind: "hard", amount: "5" },
        at,
      });
    expect(await of(`cmp_calls_${orgId}`)).toMatchObject({ scope: "campaign" });
    expect(await of(`cmp_writes_${orgId}`)).toMatchObject({ scope: "campaign" });
    await expect(of("cmp_of_others")).rejects.toMatchObject({ code: "not_found" });
  });
});
