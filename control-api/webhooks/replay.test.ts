import { verifyBody } from "@parley/shared/security/signatures.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrganization } from "../../testkit/organization.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await TestWebhooks.start();
});
afterAll(() => webhooks.close());

describe("a delivery", () => {
  it("is listed newest first, filtered, and clamped to 200", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { id, receiver } = await webhooks.endpoint(organization);
    const sessionId = await webhooks.startCall(organization);
    for (let i = 0; i < 3; i++) await webhooks.press(sessionId, organization.orgId);
    await expect.poll(() => receiver.received.length).toBe(3);
    expect(await webhooks.deliveries(organization, id, "?limit=2")).toHaveLength(2);
    expect(await webhooks.deliveries(organization, id, "?limit=100000")).toHaveLength(3);
    expect(await webhooks.deliveries(organization, id, "?limit=0")).toHaveLength(1);
    expect(await webhooks.deliveries(organization, id, "?limit=nonsense")).toHaveLength(3);
    expect(await webhooks.deliveries(organization, id, "?limit=")).toHaveLength(3);
    await expect
      .poll(() => webhooks.deliveries(organization, id, "?status=delivered&event=call.dtmf"))
      .toHaveLength(3);
    expect(await webhooks.deliveries(organization, id, "?status=dead")).toEqual([]);
  });

  it("is found on the page after this one, and by its own id, its session's or its call's", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { id } = await webhooks.endpoint(organization);
    const sessionId = await webhooks.startCall(organization);
    const otherId = await webhooks.startCall(organization);
    for (const digit of ["1", "2", "3"]) await webhooks.press(sessionId, organization.orgId, digit);
    await webhooks.press(otherId, organization.orgId, "4");
    await expect.poll(() => webhooks.deliveries(organization, id)).toHaveLength(4);
    const all = (await webhooks.deliveries(organization, id)).map((delivery) => delivery.id);
    const path = `/api/orgs/${organization.orgId}/webhooks/${id}/deliveries`;
    const page = async (query: string) => {
      const answer = await webhooks.api.call("GET", path + query, { key: organization.keys.viewer });
      const data = answer.body.data as { deliveries: { id: string }[]; nextBefore: string | null };
      return { ids: data.deliveries.map((delivery) => delivery.id), next: data.nextBefore };
    };
    const first = await page("?limit=3");
    const second = await page(`?limit=3&before=${first.next}`);
    expect([first.ids, second]).toEqual([all.slice(0, 3), { ids: all.slice(3), next: null }]);
    const { id: callId } = await webhooks.api.database.db
      .selectFrom("calls")
      .select("id")
      .where("session_id", "=", otherId)
      .executeTakeFirstOrThrow();
    expect((await page(`?search=${sessionId}`)).ids).toHaveLength(3);
    expect((await page(`?search=${otherId}`)).ids).toEqual((await page(`?search=${callId}`)).ids);
    expect((await page(`?search=${all[1]}`)).ids).toEqual([all[1]]);
    expect((await page("?search=nothing")).ids).toEqual([]);
    const nonsense = await webhooks.api.call("GET", `${path}?before=x`, { key: organization.keys.viewer });
    expect(nonsense.status).toBe(400);
  });

  it("is made again on request: one, or all since a time, each under a new id with the same body", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { id, receiver } = await webhooks.endpoint(organization);
    const sessionId = await webhooks.startCall(organization);
    const since = new Date(webhooks.clock.wallMs()).toISOString();
    for (const digit of ["1", "2"]) await webhooks.press(sessionId, organization.orgId, digit);
    // Deliver again on one that waits for its result would be its own next attempt.
    await expect.poll(() => webhooks.deliveries(organization, id, "?status=delivered")).toHaveLength(2);
    const base = `/api/orgs/${organization.orgId}/webhooks/${id}`;
    const ask = (path: string, body?: unknown) =>
      webhooks.api.call("POST", base + path, {
        key: organization.keys.developer,
        ...(body === undefined ? {} : { body }),
      });
    const [latest] = await webhooks.deliveries(organization, id);
    expect((await ask(`/deliveries/${latest?.id}/replay`)).status).toBe(202);
    await expect.poll(() => receiver.received.length).toBe(3);
    // What was made again already is not made a third time.
    await expect.poll(() => webhooks.deliveries(organization, id, "?status=delivered")).toHaveLength(3);
    expect((await ask("/replay", { since })).body.data).toMatchObject({ total: 0, nextAfter: null });
    expect((await ask("/replay", { since, all: true })).body.data).toMatchObject({
      total: 2,
      nextAfter: null,
    });
    await expect.poll(() => receiver.received.length).toBe(5);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-service-delivery"])).size).toBe(5);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(2);
    expect((await ask("/deliveries/dlv_none/replay")).status).toBe(404);
    expect((await ask("/replay", { since: "yesterday" })).status).toBe(400);
  });

  it("that failed for good is replayed once: not what got through, is replayed already, or is still tried", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { id, receiver } = await webhooks.endpoint(organization, { answer: 500 });
    const sessionId = await webhooks.startCall(organization);
    const since = new Date(webhooks.clock.wallMs()).toISOString();
    for (const digit of ["1", "2", "3"]) await webhooks.press(sessionId, organization.orgId, digit);
    await expect.poll(() => webhooks.deliveries(organization, id, "?status=failed")).toHaveLength(3);
    const [tried, dead, through] = await webhooks.deliveries(organization, id);
    const { db } = webhooks.api.database;
    const become = (status: "dead" | "delivered", deliveryId = "") =>
      db.updateTable("webhook_deliveries").set({ status }).where("id", "=", deliveryId).execute();
    await become("dead", dead?.id);
    await become("delivered", through?.id);
    const base = `/api/orgs/${organization.orgId}/webhooks/${id}`;
    const ask = async (path: string, body?: unknown) => {
      const key = organization.keys.developer;
      const answer = await webhooks.api.call("POST", base + path, {
        key,
        ...(body === undefined ? {} : { body }),
      });
      return answer.body.data as { deliveryIds: string[]; total: number };
    };
    expect(await ask("/replay", { since })).toMatchObject({ total: 1 });
    // Its replay is refused, too, and so tried again: neither it nor what it repeats is made another time.
    await expect.poll(() => webhooks.deliveries(organization, id, "?status=failed")).toHaveLength(2);
    const [replayed] = await webhooks.deliveries(organization, id);
    expect(replayed).toMatchObject({ replayOf: dead?.id, sessionId });
    expect(await ask("/replay", { since })).toMatchObject({ total: 0 });
    receiver.answer = (response) => void response.writeHead(200).end();
    expect((await ask(`/deliveries/${dead?.id}/replay`)).deliveryIds).toEqual([replayed?.id]);
    expect((await ask(`/deliveries/${tried?.id}/replay`)).deliveryIds).toEqual([tried?.id]);
    await expect.poll(() => webhooks.deliveries(organization, id, "?status=delivered")).toHaveLength(3);
    expect(await webhooks.deliveries(organization, id)).toHaveLength(4);
    expect(await ask("/replay", { since })).toMatchObject({ total: 0 });
    // Which delivery is gone on from is this webhook's own.
    const other = await createOrganization(webhooks.api.database);
    const foreign = await webhooks.endpoint(other);
    await webhooks.press(await webhooks.startCall(other), other.orgId);
    await expect.poll(() => webhooks.deliveries(other, foreign.id)).toHaveLength(1);
    const [theirs] = await webhooks.deliveries(other, foreign.id);
    for (const after of [theirs?.id, "dlv_none"]) {
      const asked = { key: organization.keys.developer, body: { since, after } };
      expect(await webhooks.api.call("POST", `${base}/replay`, asked)).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining("after: this webhook has no such delivery") },
      });
    }
    // What was delivered is made again when it is asked for by name, and once however often that is asked at a time.
    const twice = await Promise.all([1, 2].map(() => ask(`/deliveries/${dead?.id}/replay`)));
    expect(new Set(twice.flatMap(({ deliveryIds }) => deliveryIds)).size).toBe(1);
  });

  it("of a sample is made on request, and of none to a disabled endpoint", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { id, secret, receiver } = await webhooks.endpoint(organization);
    const path = `/api/orgs/${organization.orgId}/webhooks/${id}/test`;
    const test = (body?: unknown) =>
      webhooks.api.call("POST", path, {
        key: organization.keys.owner,
        ...(body === undefined ? {} : { body }),
      });
    expect((await test()).status).toBe(202);
    expect((await test({ event: "billing.invoice_issued" })).status).toBe(202);
    expect((await test({ event: "no.such.event" })).status).toBe(400);
    await expect.poll(() => receiver.received.length).toBe(2);
    const events = receiver.received.map(({ headers }) => headers["x-service-event"]);
    expect(events.toSorted()).toEqual(["billing.invoice_issued", "call.ended"]);
    const { body, headers } = receiver.received[0]!;
    expect(verifyBody(secret, body, String(headers["x-service-signature"]))).toBe(true);
    expect(JSON.parse(body)).toMatchObject({ orgId: organization.orgId });
    await webhooks.api.database.db
      .updateTable("webhook_endpoints")
      .set({ enabled: false })
      .where("id", "=", id)
      .execute();
    expect((await test()).status).toBe(409);
  });

  it("becomes the sample of its event", async () => {
    const organization = await createOrganization(webhooks.api.database);
    await webhooks.endpoint(organization);
    const sessionId = await webhooks.startCall(organization);
    await webhooks.press(sessionId, organization.orgId, "9");
    const sample = () =>
      webhooks.api.call("GET", "/api/v1/events/sample?type=call.dtmf", { key: organization.keys.member });
    await expect
      .poll(async () => (await sample()).body)
      .toMatchObject({ is_real: true, samples: [{ digit: "9", sessionId }] });
  });
});
