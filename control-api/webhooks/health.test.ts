import type { DeliveryDetail, WebhookHealth } from "@parley/shared/contracts/webhooks.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrganization, type TestOrganization } from "../../testkit/organization.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await TestWebhooks.start();
});
afterAll(() => webhooks.close());

async function health({ orgId, keys }: TestOrganization, query = ""): Promise<WebhookHealth> {
  const path = `/api/orgs/${orgId}/webhooks/health${query}`;
  const { body } = await webhooks.api.call("GET", path, { key: keys.viewer });
  return body.data as WebhookHealth;
}

describe("the health of endpoints", () => {
  it("counts what was raised by what became of it, in all and over time", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const good = await webhooks.endpoint(organization);
    const bad = await webhooks.endpoint(organization, { answer: 500 });
    const sessionId = await webhooks.startCall(organization);
    webhooks.clock.step(60_000 - (webhooks.clock.wallMs() % 60_000));
    for (let i = 0; i < 2; i++) await webhooks.press(sessionId, organization.orgId);
    await expect.poll(() => good.receiver.received.length).toBe(2);
    webhooks.clock.step(120_000);
    await webhooks.press(sessionId, organization.orgId);
    await expect
      .poll(async () => (await health(organization, "?range=hour")).endpoints)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: good.id, delivered: 3, failed: 0, pending: 0, dead: 0 }),
          expect.objectContaining({ id: bad.id, delivered: 0, failed: 3, p50Ms: null, p95Ms: null }),
        ]),
      );
    const { endpoints, bucketSecs, from, to } = await health(organization, "?range=hour");
    const ofGood = endpoints.find(({ id }) => id === good.id)!;
    expect(bucketSecs).toBe(60);
    expect(Date.parse(to) - Date.parse(from)).toBe(3_600_000);
    expect(ofGood.buckets.map(({ delivered }) => delivered)).toEqual([2, 1]);
    expect(Date.parse(ofGood.buckets[1]!.at) - Date.parse(ofGood.buckets[0]!.at)).toBe(120_000);
    expect(ofGood.p50Ms).toBeGreaterThanOrEqual(0);
    expect(ofGood.p95Ms).toBeGreaterThanOrEqual(ofGood.p50Ms!);
  });

  it("leaves out what is older, and other organizations", async () => {
    const [ours, theirs] = [
      await createOrganization(webhooks.api.database),
      await createOrganization(webhooks.api.database),
    ];
    const { id, receiver } = await webhooks.endpoint(ours);
    await webhooks.press(await webhooks.startCall(ours), ours.orgId);
    await expect.poll(() => receiver.received.length).toBe(1);
    expect((await health(theirs)).endpoints).toEqual([]);
    webhooks.clock.step(2 * 3_600_000);
    expect((await health(ours, "?range=hour")).endpoints).toEqual([]);
    expect((await health(ours)).endpoints).toMatchObject([{ id }]);
  });
});

describe("one delivery", () => {
  it("is read with the request as it was sent, its signatures left out", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { id, receiver } = await webhooks.endpoint(organization, {
      answer: (response) => void response.writeHead(201).end("thank you"),
    });
    await webhooks.press(await webhooks.startCall(organization), organization.orgId);
    await expect.poll(() => webhooks.deliveries(organization, id, "?status=delivered")).toHaveLength(1);
    const [listed] = await webhooks.deliveries(organization, id);
    const path = `/api/orgs/${organization.orgId}/webhooks/${id}/deliveries/${listed!.id}`;
    const answer = await webhooks.api.call("GET", path, { key: organization.keys.viewer });
    const { request, ...delivery } = answer.body.data as DeliveryDetail;
    expect(delivery).toEqual(listed);
    expect(delivery.responseBody).toBe("thank you");
    expect(request).toMatchObject({ url: receiver.url, body: receiver.received[0]!.body });
    expect(receiver.received[0]!.headers).toMatchObject(request.headers);
    expect(Object.keys(request.headers).filter((name) => name.includes("signature"))).toEqual([]);
  });

  it("of another endpoint is not found", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const [one, other] = [await webhooks.endpoint(organization), await webhooks.endpoint(organization)];
    await webhooks.press(await webhooks.startCall(organization), organization.orgId);
    await expect.poll(() => webhooks.deliveries(organization, one.id)).toHaveLength(1);
    const [delivery] = await webhooks.deliveries(organization, one.id);
    const path = `/api/orgs/${organization.orgId}/webhooks/${other.id}/deliveries/${delivery!.id}`;
    expect((await webhooks.api.call("GET", path, { key: organization.keys.owner })).status).toBe(404);
  });
});
