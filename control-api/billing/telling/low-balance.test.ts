import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { lentDatabase } from "../../../testkit/lent-database.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import type { Databases } from "../../database/open.ts";
import { insertUsage } from "../metering/usage-store.ts";
import { keepCustomer, keepMethod, pauseAutoTopUp, setAutoTopUp } from "../payments/method-store.ts";
import { changePlan } from "../wallet/change-plan.ts";
import { chargeUsage } from "../wallet/charge.ts";
import { giveCredit } from "../wallet/credit.ts";
import { tellOfLow } from "./low-balance.ts";

const DOLLAR = 1_000_000n;
const DAY_MS = 86_400_000;

let database: Databases;
let orgId: string;
let clock: ManualClock;
let nr = 0;
beforeAll(async () => {
  database = await lentDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  ({ orgId } = await createOrganization(database));
  clock = new ManualClock(Date.UTC(2026, 10, 22, 12));
});

const now = () => new Date(clock.wallMs());
const credit = (dollars: bigint) =>
  giveCredit(database, { orgId, amount: dollars * DOLLAR, source: `credit ${++nr}`, at: now() });
async function spend(dollars: bigint): Promise<void> {
  const about = { sessionId: null, agentId: "", keyId: "", channel: "telephony", vendor: "", priceId: null };
  await database.db.transaction().execute(async (trx) => {
    const row = { ...about, source: `used ${++nr}`, metric: "call_seconds", orgId, quantity: 1n };
    const used = await insertUsage(trx, [{ ...row, amount: dollars * DOLLAR, at: now() }]);
    await chargeUsage(trx, { used, ended: [], now: now() });
  });
}
async function told(): Promise<string[]> {
  await tellOfLow({ database, clock });
  const jobs = await database.db
    .selectFrom("jobs")
    .select("payload")
    .where("owner", "=", orgId)
    .where("kind", "=", "tell_owners_of_billing")
    .orderBy("created_at")
    .execute();
  return jobs.map(({ payload }) => (payload as { subject: string }).subject);
}

it("a balance that lasts less than three days at last week's rate is told of once, and again after it was enough", async () => {
  await credit(20n);
  await spend(7n);
  expect(await told()).toEqual([]);
  await spend(7n);
  expect(await told()).toEqual([]);
  await spend(1n);
  expect(await told()).toEqual(["Low balance: 5.00 USD left"]);
  await spend(1n);
  expect(await told()).toHaveLength(1);
  await credit(16n);
  expect(await told()).toHaveLength(1);
  await spend(14n);
  expect(await told()).toEqual(["Low balance: 5.00 USD left", "Low balance: 6.00 USD left"]);
});

it("what was spent more than a week ago says nothing of how long a balance lasts", async () => {
  await credit(10n);
  await spend(9n);
  clock.advance(9 * DAY_MS);
  expect(await told()).toEqual([]);
});

it("a balance that is topped up by itself is not told of, unless that is paused, and neither is a postpaid one", async () => {
  await credit(10n);
  await spend(9n);
  await keepCustomer(database.db, orgId, "cus_1");
  await keepMethod(database.db, orgId, "pm_1");
  await setAutoTopUp(database.db, orgId, { below: DOLLAR, amount: DOLLAR });
  expect(await told()).toEqual([]);
  await pauseAutoTopUp(database.db, orgId, "The card was declined.");
  expect(await told()).toEqual(["Low balance: 1.00 USD left"]);

  ({ orgId } = await createOrganization(database));
  await changePlan(database, { orgId, plan: "postpaid", at: now() });
  await spend(9n);
  expect(await told()).toEqual([]);
});
