import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { lentDatabase } from "../../../testkit/lent-database.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import type { Database, Databases } from "../../database/open.ts";
import { readBalances } from "../ledger/post.ts";
import { rebuildSums } from "../ledger/rebuild.ts";
import { giveCredit } from "../wallet/credit.ts";
import { AppCallMeter } from "./app-calls.ts";
import { bookAppCalls } from "./book-app-calls.ts";

const AT = new Date("2026-11-22T12:00:00Z");
const SECOND_MS = 1_000;
/** A tenth of a cent a call; two tenths a second later. */
const MICROS = 1_000n;

let database: Databases;
let orgId: string;
let clock: ManualClock;
let meter: AppCallMeter;
beforeAll(async () => {
  database = await lentDatabase();
  const price = { org_id: "", metric: "app_calls", vendor: "", per: 1n, created_at: new Date(0) };
  await database.db
    .insertInto("prices")
    .values([
      { id: "prc_1", ...price, micros: MICROS, from_at: new Date(0) },
      { id: "prc_2", ...price, micros: 2n * MICROS, from_at: new Date(AT.getTime() + SECOND_MS) },
    ])
    .execute();
});
afterAll(() => database.close());
beforeEach(async () => {
  clock = new ManualClock(AT.getTime());
  meter = new AppCallMeter({ database, clock });
  ({ orgId } = await createOrganization(database));
  await giveCredit(database, { orgId, amount: 1_000_000n, source: "welcome", at: AT });
});

const count = (calls: number, appId = "app_1", of = meter) =>
  Promise.all(Array.from({ length: calls }, () => of.count({ orgId, appId })));
const book = () => bookAppCalls({ isOn: true, database, clock });
const counted = async () => {
  const rows = await database.db
    .selectFrom("counted_app_calls")
    .select(["app_id", "calls"])
    .where("org_id", "=", orgId)
    .orderBy("id")
    .execute();
  return rows.map(({ app_id: appId, calls }) => `${appId} ${calls}`);
};
const used = async () => {
  const rows = await database.db
    .selectFrom("usage_rows")
    .select(["vendor", "quantity", "amount"])
    .where("org_id", "=", orgId)
    .where("metric", "=", "app_calls")
    .orderBy("vendor")
    .orderBy("at")
    .execute();
  return rows.map(({ vendor, quantity, amount }) => `${vendor} ${quantity} ${amount}`);
};
const wallet = async () => (await readBalances(database.db, orgId)).wallet;

it("a call of an app is committed before it is carried out", async () => {
  await count(1);
  expect(await counted()).toEqual(["app_1 1"]);
});

it("calls of apps that come at once are written together, in a row for each app", async () => {
  await Promise.all([count(3), count(1, "app_2")]);
  expect(await counted()).toEqual(["app_1 3", "app_2 1"]);
});

it("counted calls become usage at the price of their moment, and are charged once", async () => {
  await count(2);
  await count(1);
  await count(1, "app_2");
  clock.advance(SECOND_MS);
  await count(1);
  await Promise.all([book(), book()]);
  await book();
  expect(await counted()).toEqual([]);
  expect(await used()).toEqual(["app_1 3 3000", "app_1 1 2000", "app_2 1 1000"]);
  expect(await wallet()).toBe(1_000_000n - 6n * MICROS);
  expect(await rebuildSums(database.db)).toEqual({ balances: 0, days: 0 });
});

it("a call that cannot be counted is refused, and those after it are counted", async () => {
  await expect(meter.count({ orgId: "org_\u0000", appId: "app_1" })).rejects.toThrow();
  await count(1);
  expect(await counted()).toEqual(["app_1 1"]);
});

it("no organization waits for others, however many are always busy", async () => {
  const busy = Array.from({ length: 501 }, (_, nr) => `org_0${String(nr).padStart(4, "0")}`);
  await Promise.all(busy.map((org) => meter.count({ orgId: org, appId: "app_1" })));
  await count(1);
  await bookAppCalls({ isOn: false, database, clock });
  expect(await used()).toEqual(["app_1 1 1000"]);
});

it("a booking whose commit went unheard is not made again", async () => {
  const deaf = {
    db: {
      selectFrom: database.db.selectFrom.bind(database.db),
      transaction: () => ({
        execute: async (work: Parameters<ReturnType<Database["db"]["transaction"]>["execute"]>[0]) => {
          await database.db.transaction().execute(work);
          throw new Error("the connection ended");
        },
      }),
    },
  } as unknown as Database;
  await count(1);
  await expect(bookAppCalls({ isOn: true, database: deaf, clock })).rejects.toThrow("the connection ended");
  await book();
  expect(await used()).toEqual(["app_1 1 1000"]);
  expect(await wallet()).toBe(1_000_000n - MICROS);
});
