import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { lentDatabase } from "../../../testkit/lent-database.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import type { Database, Databases } from "../../database/open.ts";
import { readBalances } from "../ledger/post.ts";
import { rebuildSums } from "../ledger/rebuild.ts";
import { giveCredit } from "../wallet/credit.ts";
import { AppCallMeter } from "./app-calls.ts";

const AT = new Date("2026-11-22T12:00:00Z");
/** A tenth of a cent a call. */
const MICROS = 1_000n;

let database: Databases;
let orgId: string;
const clock = new ManualClock(AT.getTime());
beforeAll(async () => {
  database = await lentDatabase();
  const always = { from_at: new Date(0), created_at: new Date(0) };
  await database.db
    .insertInto("prices")
    .values({ id: "prc_1", org_id: "", metric: "app_calls", vendor: "", micros: MICROS, per: 1n, ...always })
    .execute();
});
afterAll(() => database.close());
beforeEach(async () => {
  ({ orgId } = await createOrganization(database));
  await giveCredit(database, { orgId, amount: 1_000_000n, source: "welcome", at: AT });
});

const meterOn = (of: Database = database) => new AppCallMeter({ isOn: true, database: of, clock });
const used = async () => {
  const rows = await database.db
    .selectFrom("usage_rows")
    .select(["vendor", "quantity", "amount"])
    .where("org_id", "=", orgId)
    .where("metric", "=", "app_calls")
    .orderBy("vendor")
    .execute();
  return rows.map(({ vendor, quantity, amount }) => `${vendor} ${quantity} ${amount}`);
};
const wallet = async () => (await readBalances(database.db, orgId)).wallet;

it("calls of apps become a row for each app when they are written, and are charged", async () => {
  const meter = meterOn();
  for (let nr = 0; nr < 3; nr++) meter.count({ orgId, appId: "app_1" });
  meter.count({ orgId, appId: "app_2" });
  await meter.write();
  await meter.write();
  expect(await used()).toEqual(["app_1 3 3000", "app_2 1 1000"]);
  expect(await wallet()).toBe(1_000_000n - 4n * MICROS);
  expect(await rebuildSums(database.db)).toEqual({ balances: 0, days: 0 });
});

it("a batch whose commit went unheard is counted once, and calls meanwhile after it", async () => {
  let isHeard = false;
  const deaf = {
    db: {
      transaction: () => ({
        execute: async (work: Parameters<ReturnType<Database["db"]["transaction"]>["execute"]>[0]) => {
          await database.db.transaction().execute(work);
          if (!isHeard) throw new Error("the connection ended");
        },
      }),
    },
  } as unknown as Database;
  const meter = meterOn(deaf);
  meter.count({ orgId, appId: "app_1" });
  await expect(meter.write()).rejects.toThrow("the connection ended");
  isHeard = true;
  meter.count({ orgId, appId: "app_1" });
  await meter.stop();
  expect(await used()).toEqual(["app_1 1 1000", "app_1 1 1000"]);
  expect(await wallet()).toBe(1_000_000n - 2n * MICROS);
});

it("an organization whose rows cannot be written keeps nobody else's back", async () => {
  const meter = meterOn();
  meter.count({ orgId: "org_\u0000", appId: "app_1" });
  meter.count({ orgId, appId: "app_1" });
  await expect(meter.write()).rejects.toThrow();
  expect(await used()).toEqual(["app_1 1 1000"]);
});
