import { afterAll, beforeAll, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { lockAccount } from "../wallet/account-store.ts";
import { raiseBillingEvent } from "./raise.ts";

let api: TestControlApi;
beforeAll(async () => {
  api = await TestControlApi.start({ env: { BILLING: "on" } });
});
afterAll(() => api.close());

it("owners get a mail that says what happened, what follows, and where to act", async () => {
  const person = await TestPerson.register(api);
  const { orgId } = person;
  const at = new Date();
  await api.database.db.transaction().execute(async (trx) => {
    await lockAccount(trx, orgId, at);
    const event = {
      event: "billing.account_suspended",
      reason: "payment_overdue",
      graceDays: 7,
    } as const;
    await raiseBillingEvent(trx, { orgId, at, event });
  });
  const mails = async () => {
    const { body } = await api.call("GET", "/dev/outbox.json");
    return JSON.stringify(body);
  };
  await expect.poll(mails).toContain("Your account is suspended");
  expect(await mails()).toMatch(/New calls are refused; ongoing calls continue.*\/billing/);
});
