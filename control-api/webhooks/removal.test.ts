import { createLogger } from "@parley/shared/log.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestOrganization } from "../../testkit/organization.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";
import { reap } from "./reaper.ts";

const SOON = { timeout: 90_000 };
const log = createLogger({ level: "silent", format: "json", name: "test" });

let webhooks: TestWebhooks;
let acme: TestOrganization;
beforeAll(async () => {
  webhooks = await TestWebhooks.start();
  acme = await webhooks.api.createOrganization();
});
afterAll(() => webhooks.close());

const hold = (isHeld: boolean) =>
  webhooks.api.database.db
    .updateTable("organizations")
    .set({ legal_hold: isHeld })
    .where("id", "=", acme.orgId)
    .execute();
const rowsOf = async (endpointId: string) => {
  const { db } = webhooks.api.database;
  const endpoints = db.selectFrom("webhook_endpoints").select("id").where("id", "=", endpointId);
  const deliveries = db.selectFrom("webhook_deliveries").select("id").where("endpoint_id", "=", endpointId);
  return { endpoints: (await endpoints.execute()).length, deliveries: (await deliveries.execute()).length };
};
const reapNow = () => reap({ database: webhooks.api.database, clock: webhooks.clock, log, retentionDays: 0 });

describe("an endpoint that is deleted", () => {
  it("under legal hold is gone for everybody and gets nothing more, and what it was sent is kept until the hold ends", async () => {
    const { id, receiver } = await webhooks.endpoint(acme);
    const sessionId = await webhooks.startCall(acme);
    await webhooks.press(sessionId, acme.orgId);
    await expect.poll(() => receiver.received.length, SOON).toBe(1);
    await hold(true);
    const path = `/api/orgs/${acme.orgId}/webhooks`;
    const key = acme.keys.owner;
    expect((await webhooks.api.call("DELETE", `${path}/${id}`, { key })).status).toBe(200);
    expect((await webhooks.api.call("DELETE", `${path}/${id}`, { key })).status).toBe(404);
    expect((await webhooks.api.call("GET", `${path}/${id}`, { key })).status).toBe(404);
    expect((await webhooks.api.call("GET", `${path}/${id}/deliveries`, { key })).status).toBe(404);
    const health = await webhooks.api.call("GET", `${path}/health`, { key });
    expect(JSON.stringify(health.body)).not.toContain(id);
    expect((await webhooks.api.call("GET", path, { key })).body.data).toMatchObject({ total: 0 });
    const other = await webhooks.endpoint(acme);
    await webhooks.press(sessionId, acme.orgId);
    await expect.poll(() => other.receiver.received.length, SOON).toBe(1);
    expect(receiver.received).toHaveLength(1);
    await reapNow();
    expect(await rowsOf(id)).toEqual({ endpoints: 1, deliveries: 1 });
    await hold(false);
    await reapNow();
    expect(await rowsOf(id)).toEqual({ endpoints: 0, deliveries: 0 });
    expect(await rowsOf(other.id)).toEqual({ endpoints: 1, deliveries: 1 });
  });

  it("goes at once with its deliveries when there is no hold", async () => {
    const { id, receiver } = await webhooks.endpoint(acme);
    await webhooks.press(await webhooks.startCall(acme), acme.orgId);
    await expect.poll(() => receiver.received.length, SOON).toBe(1);
    const path = `/api/orgs/${acme.orgId}/webhooks/${id}`;
    expect((await webhooks.api.call("DELETE", path, { key: acme.keys.owner })).status).toBe(200);
    expect(await rowsOf(id)).toEqual({ endpoints: 0, deliveries: 0 });
  });
});
