import { describe, expect, it } from "vitest";
import { createOrganization } from "../../testkit/organization.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

/** A receiver has thirty seconds to answer; whoever stops does not. */
const STOPPED_WITHIN_MS = 20_000;

describe("a control API that stops while a receiver hangs", () => {
  it("does not wait for it, and leaves its delivery to whoever claims it when the lease is over", async () => {
    const webhooks = await TestWebhooks.start();
    const organization = await createOrganization(webhooks.api.database);
    const { receiver } = await webhooks.endpoint(organization, { answer: () => undefined });
    await webhooks.press(await webhooks.startCall(organization), organization.orgId);
    await expect.poll(() => receiver.received.length).toBe(1);
    const beganMs = performance.now();
    await webhooks.api.api.close();
    expect(performance.now() - beganMs).toBeLessThan(STOPPED_WITHIN_MS);
    const left = await webhooks.api.database.db
      .selectFrom("webhook_deliveries")
      .select(["id", "status", "attempts"])
      .execute();
    expect(left).toEqual([{ id: expect.any(String), status: "pending", attempts: 0 }]);
    const claims = webhooks.api.database.db.selectFrom("webhook_claims").select("taken");
    expect(await claims.execute()).toEqual([{ taken: [`${left[0]?.id}:0`] }]);
    await webhooks.api.database.close();
    await webhooks.api.bus.close();
  });
});
