import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrganization } from "../../testkit/organization.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await TestWebhooks.start();
});
afterAll(() => webhooks.close());

interface Sent {
  readonly deliveries: { readonly id: string; readonly endpoint_id: string; readonly url: string | null }[];
  readonly total: number;
}

describe("POST /api/v1/events/test", () => {
  it("delivers a sample to each endpoint and listener that wants its event, and to no others", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const key = organization.keys.developer;
    const all = await webhooks.endpoint(organization);
    const some = await webhooks.endpoint(organization, { events: ["call.dtmf"] });
    const ofAgent = await webhooks.endpoint(organization, { agentId: organization.agentId });
    const listener = (await webhooks.api.call("POST", "/api/v1/listeners", { key })).body.id as string;
    const elsewhere = await webhooks.endpoint(await createOrganization(webhooks.api.database));
    const trigger = async (body: unknown) =>
      (await webhooks.api.call("POST", "/api/v1/events/test", { key, body })).body as unknown as Sent;
    const receivers = ({ deliveries }: Sent) => deliveries.map(({ endpoint_id }) => endpoint_id).toSorted();
    const ended = await trigger({ event: "call.ended", set: { messageCount: 12 } });
    expect(receivers(ended)).toEqual([all.id, listener].toSorted());
    expect(ended.deliveries.find(({ endpoint_id }) => endpoint_id === listener)?.url).toBeNull();
    await expect.poll(() => all.receiver.received.length).toBe(1);
    expect(JSON.parse(all.receiver.received[0]?.body ?? "")).toMatchObject({
      event: "call.ended",
      orgId: organization.orgId,
      messageCount: 12,
    });
    const agents = await trigger({ event: "call.dtmf", set: { agentId: organization.agentId, digit: 5 } });
    expect(receivers(agents)).toEqual([all.id, some.id, ofAgent.id, listener].toSorted());
    expect(receivers(await trigger({ event: "call.ended", endpoint_id: some.id }))).toEqual([some.id]);
    expect(receivers(await trigger({ event: "billing.number_renewed" }))).toEqual(
      [all.id, listener].toSorted(),
    );
    expect(elsewhere.receiver.received).toEqual([]);
  });

  it("refuses an event that does not exist, a value it cannot have, and a webhook of others", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const elsewhere = await webhooks.endpoint(await createOrganization(webhooks.api.database));
    const ask = (body: unknown, key = organization.keys.developer) =>
      webhooks.api.call("POST", "/api/v1/events/test", { key, body });
    const unknown = await ask({ event: "call.end" });
    expect(unknown.status).toBe(400);
    expect(unknown.body.error).toContain('there is no event "call.end"; there are call.started, call.ended');
    const wrong = await ask({ event: "call.ended", set: { durationSecs: "x" } });
    expect(wrong).toMatchObject({ status: 400, body: { error: expect.stringContaining("durationSecs") } });
    // Thousands of values held the process up for minutes.
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`field${i}`, 1]));
    for (const path of ["/api/v1/events/test", `/api/orgs/${organization.orgId}/webhooks/whk_none/test`])
      expect(
        await webhooks.api.call("POST", path, {
          key: organization.keys.developer,
          body: { event: "call.ended", set: many },
        }),
      ).toMatchObject({ status: 400, body: { error: expect.stringContaining("set: at most 100 values") } });
    expect((await ask({ event: "call.ended", endpoint_id: elsewhere.id })).status).toBe(404);
    expect((await ask({ event: "call.ended" }, organization.keys.viewer)).status).toBe(403);
    expect((await ask({ event: "call.ended" })).body).toMatchObject({ total: 0 });
  });
});
