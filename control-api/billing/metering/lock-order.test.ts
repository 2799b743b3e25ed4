import { systemClock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { raceBehind } from "../../../testkit/lock-race.ts";
import { migratedPostgres } from "../../../testkit/migrated-postgres.ts";
import { needs } from "../../../testkit/needs.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import type { Databases } from "../../database/open.ts";
import { lockAccount } from "../wallet/account-store.ts";
import { changePlan } from "../wallet/change-plan.ts";
import { bookAppCalls } from "./book-app-calls.ts";
import { countsMessages } from "./meter-messages.ts";
import { metersModels } from "./meter-models.ts";

describe.runIf(needs("postgres"))("usage that is counted while others write about the account", () => {
  let database: Databases;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ database, close } = await migratedPostgres());
  });
  afterAll(() => close());

  const count = countsMessages({ isOn: true, clock: systemClock });
  const countMessage = (orgId: string, id: string) =>
    database.db.transaction().execute((trx) =>
      count(trx, {
        ...{ orgId, sessionId: null, agentId: null, keyId: "", channel: "whatsapp" },
        ...{ kind: "conversation", messageIds: [id] },
      }),
    );
  const countTokens = (orgId: string, source: string) => {
    const admitCall = async () => undefined;
    const meter = metersModels({ isOn: true, database, clock: systemClock, admitCall });
    return meter.countEmbedded({ orgId, source, model: "m-1", tokens: 1 });
  };

  it.each([
    ["messages wait", countMessage],
    ["tokens wait", countTokens],
  ] as const)("%s for a change of the plan, and it does not wait for them", async (_what, countOne) => {
    const { orgId } = await createOrganization(database);
    await countOne(orgId, `${orgId} 1`);
    const failed = await raceBehind(database, (trx) => lockAccount(trx, orgId, new Date()), [
      () => changePlan(database, { orgId, plan: "postpaid", at: new Date() }),
      () => countOne(orgId, `${orgId} 2`),
    ]);
    expect(failed).toEqual([]);
    const days = await database.db
      .selectFrom("usage_days")
      .select(["quantity", "invoiced_quantity"])
      .where("org_id", "=", orgId)
      .execute();
    expect(
      days.map(({ quantity, invoiced_quantity }) => [Number(quantity), Number(invoiced_quantity)]),
    ).toEqual([[2, 1]]);
  });

  it("two processes make usage of the same apps' calls with billing off, in whatever order they came", async () => {
    const { orgId } = await createOrganization(database);
    const come = async (...appIds: readonly string[]): Promise<void> => {
      for (const appId of appIds)
        await database.db
          .insertInto("counted_app_calls")
          .values({ id: newId("app"), org_id: orgId, app_id: appId, calls: 1n, at: new Date() })
          .execute();
    };
    const book = () => bookAppCalls({ isOn: false, database, clock: systemClock });
    const days = database.db.selectFrom("usage_days").where("org_id", "=", orgId);
    await come("app_2");
    await book();
    await come("app_1", "app_2", "app_3");
    const failed = await raceBehind(
      database,
      (trx) => trx.selectFrom("usage_days").select("day").where("org_id", "=", orgId).forUpdate().execute(),
      [book, () => come("app_3", "app_2", "app_1").then(book)],
    );
    expect(failed).toEqual([]);
    const sums = await days.select(["vendor", "quantity"]).orderBy("vendor").execute();
    expect(sums.map(({ vendor, quantity }) => `${vendor} ${quantity}`)).toEqual([
      ...["app_1 2", "app_2 3", "app_3 2"],
    ]);
  });
});
