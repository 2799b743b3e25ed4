import { verifyBody } from "@parley/shared/security/signatures.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrganization } from "../../testkit/organization.ts";
import { SteppingClock } from "../../testkit/stepping-clock.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await TestWebhooks.start();
});
afterAll(() => webhooks.close());

const msBetween = (from: string | null | undefined, to: string | null | undefined): number =>
  Date.parse(to ?? "") - Date.parse(from ?? "");

describe("a delivery", () => {
  it("has the headers of the contract, and a signature over its very bytes", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { id, secret, receiver } = await webhooks.endpoint(organization);
    await webhooks.press(await webhooks.startCall(organization), organization.orgId);
    await expect.poll(() => receiver.received.length).toBe(1);
    const { headers, body } = receiver.received[0]!;
    const [listed] = await webhooks.deliveries(organization, id);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "x-service-event": "call.dtmf",
      "x-service-delivery": listed?.id,
      "webhook-id": listed?.id,
    });
    expect(verifyBody(secret, body, String(headers["x-service-signature"]))).toBe(true);
    expect(verifyBody(secret, `${body} `, String(headers["x-service-signature"]))).toBe(false);
  });

  it("is made at once, not when a poll comes by", async () => {
    const clock = new SteppingClock();
    clock.every = () => () => undefined;
    const webhooks = await TestWebhooks.start({ clock });
    const organization = await createOrganization(webhooks.api.database);
    const { receiver } = await webhooks.endpoint(organization);
    await webhooks.press(await webhooks.startCall(organization), organization.orgId);
    await expect.poll(() => receiver.received.length).toBe(1);
    await webhooks.close();
  });

  it("that fails is tried eight times with the same body and signature, and then is dead", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { id, receiver } = await webhooks.endpoint(organization, { answer: 500, events: ["call.dtmf"] });
    await webhooks.press(await webhooks.startCall(organization), organization.orgId);
    const waits = [10, 20, 40, 80, 160, 320, 640];
    for (const [index, seconds] of waits.entries()) {
      await expect
        .poll(async () => (await webhooks.deliveries(organization, id))[0])
        .toMatchObject({
          status: "failed",
          attempts: index + 1,
          responseStatus: 500,
        });
      const [failed] = await webhooks.deliveries(organization, id);
      expect(msBetween(failed?.lastAttemptAt, failed?.nextAttemptAt)).toBe(seconds * 1_000);
      webhooks.clock.step(seconds * 1_000);
      await webhooks.api.bus.channels.publish("webhooks-due", "");
    }
    await expect
      .poll(async () => (await webhooks.deliveries(organization, id))[0])
      .toMatchObject({ status: "dead", attempts: 8 });
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-service-signature"])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-service-delivery"])).size).toBe(1);
    expect(receiver.received).toHaveLength(8);
    expect(await webhooks.read(organization, id)).toMatchObject({
      enabled: true,
      last_error: "the receiver answered 500",
    });
  });

  it("whose secret cannot be opened is not sent, is dead after eight tries, and says what is missing", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { id, receiver } = await webhooks.endpoint(organization, { events: ["call.dtmf"] });
    await webhooks.api.database.db
      .updateTable("webhook_endpoints")
      .set({ secret_sealed: "gone:AAAA" })
      .where("id", "=", id)
      .execute();
    await webhooks.press(await webhooks.startCall(organization), organization.orgId);
    for (const [index, seconds] of [10, 20, 40, 80, 160, 320, 640].entries()) {
      await expect
        .poll(async () => (await webhooks.deliveries(organization, id))[0])
        .toMatchObject({ status: "failed", attempts: index + 1 });
      webhooks.clock.step(seconds * 1_000);
      await webhooks.api.bus.channels.publish("webhooks-due", "");
    }
    await expect
      .poll(async () => (await webhooks.deliveries(organization, id))[0])
      .toMatchObject({ status: "dead", attempts: 8 });
    expect(await webhooks.read(organization, id)).toMatchObject({
      enabled: true,
      last_error: "its signing secret cannot be decrypted: its key is missing from SECRETS_KEY",
    });
    expect(receiver.received).toEqual([]);
  });

  it("answered 410 is dead, and its endpoint gets nothing more: the owners are told", async () => {
    const organization = await createOrganization(webhooks.api.database);
    await webhooks.api.database.db
      .insertInto("memberships")
      .values({ org_id: organization.orgId, user_id: organization.userId, role: "owner" })
      .execute();
    const { id, receiver } = await webhooks.endpoint(organization, { answer: 410 });
    const sessionId = await webhooks.startCall(organization);
    await webhooks.press(sessionId, organization.orgId);
    await expect
      .poll(() => webhooks.read(organization, id))
      .toMatchObject({
        enabled: false,
        last_error: "the receiver answered 410",
      });
    await webhooks.press(sessionId, organization.orgId);
    await webhooks.recorded();
    const another = await webhooks.endpoint(organization);
    await webhooks.press(sessionId, organization.orgId);
    await expect.poll(() => another.receiver.received.length).toBe(1);
    expect(receiver.received).toHaveLength(1);
    const mail = await webhooks.api.messagesTo(`${organization.userId}@acme.example`);
    expect(mail[0]?.subject).toContain("is disabled");
  });

  it("to a receiver that is slow keeps nobody else waiting", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const hanging = await webhooks.endpoint(organization, { answer: () => undefined });
    const quick = await webhooks.endpoint(organization);
    const sessionId = await webhooks.startCall(organization);
    for (let i = 0; i < 20; i++) await webhooks.press(sessionId, organization.orgId);
    await expect.poll(() => quick.receiver.received.length).toBe(20);
    // A few at a time: the rest waits for its turn, and takes nobody else's.
    expect(hanging.receiver.received.length).toBeLessThanOrEqual(8);
  });

  it("to an address that is not allowed any more is dead, and its endpoint disabled", async () => {
    const organization = await createOrganization(webhooks.api.database);
    const { id } = await webhooks.endpoint(organization);
    await webhooks.api.database.db
      .updateTable("webhook_endpoints")
      .set({ url: "https://10.0.0.1/" })
      .where("id", "=", id)
      .execute();
    await webhooks.press(await webhooks.startCall(organization), organization.orgId);
    await expect
      .poll(() => webhooks.read(organization, id))
      .toMatchObject({
        enabled: false,
        last_error: "the url leads to a private or reserved address",
      });
    expect((await webhooks.deliveries(organization, id))[0]).toMatchObject({ status: "dead", attempts: 1 });
  });
});
