import type { Claimed, Reported } from "@parley/shared/contracts/listeners.ts";
import { signBody } from "@parley/shared/security/signatures.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createOrganization, type TestOrganization } from "../../testkit/organization.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";
import { standardSignature } from "./send.ts";
import { signingKeysOf } from "./signing-keys.ts";

let webhooks: TestWebhooks;
let organization: TestOrganization;
let sessionId: string;
beforeAll(async () => {
  webhooks = await TestWebhooks.start();
  organization = await createOrganization(webhooks.api.database);
  sessionId = await webhooks.startCall(organization);
});
afterAll(() => webhooks.close());

interface Listener {
  readonly id: string;
  readonly secret: string;
}

const call = (method: string, path: string, body?: unknown, key = organization.keys.developer) =>
  webhooks.api.call(method, `/api/v1/listeners${path}`, { key, ...(body === undefined ? {} : { body }) });

async function listen(body: unknown = { events: ["call.dtmf"] }, key?: string): Promise<Listener> {
  const answer = await call("POST", "", body, key);
  expect(answer.status, answer.text).toBe(201);
  const { id, signing_secret: secret } = answer.body as { id: string; signing_secret: string };
  onTestFinished(async () => void (await call("DELETE", `/${id}`, undefined, key)));
  return { id, secret };
}

async function claim(id: string, wait = 10): Promise<Claimed> {
  const answer = await call("POST", `/${id}/claim?wait=${wait}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Claimed;
}

const reportTo = (id: string, { claim_id }: Claimed, deliveryId: string, result: Record<string, unknown>) =>
  call("POST", `/${id}/deliveries/${deliveryId}`, { claim_id, duration_ms: 3, ...result });

async function reported(...args: Parameters<typeof reportTo>): Promise<Reported> {
  const answer = await reportTo(...args);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Reported;
}

const press = (digit?: string) => webhooks.press(sessionId, organization.orgId, digit);

/** One delivery, waited for. */
async function claimOne(id: string) {
  const claimed = await claim(id);
  expect(claimed.deliveries).toHaveLength(1);
  return { claimed, delivery: claimed.deliveries[0]! };
}

describe("a listener", () => {
  it("is owed what a receiver would get, in order, with the headers a receiver would get", async () => {
    const { id, secret } = await listen({});
    for (const digit of ["1", "2", "3"]) await press(digit);
    const digits: unknown[] = [];
    while (digits.length < 3) {
      const claimed = await claim(id);
      for (const { id: deliveryId, body, headers, event, attempt } of claimed.deliveries) {
        expect({ event, attempt }).toEqual({ event: "call.dtmf", attempt: 1 });
        const seconds = headers["webhook-timestamp"] ?? "";
        expect(headers).toEqual({
          "content-type": "application/json",
          "user-agent": "Parley-Webhooks/1",
          "x-service-event": "call.dtmf",
          "x-service-delivery": deliveryId,
          "x-service-signature": signBody(secret, body),
          "webhook-id": deliveryId,
          "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
          "webhook-signature": standardSignature(signingKeysOf(secret), { id: deliveryId, seconds, body }),
        });
        digits.push(JSON.parse(body).digit);
        await reported(id, claimed, deliveryId, { status: 204 });
      }
    }
    expect(digits).toEqual(["1", "2", "3"]);
  });

  it("waits until something is raised, and is told at once", async () => {
    const { id } = await listen();
    const startedMs = performance.now();
    const waiting = claim(id, 25);
    await press();
    expect((await waiting).deliveries).toHaveLength(1);
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });

  it("that nothing is due for gets nothing when the time is over, and at once without one", async () => {
    const { id } = await listen();
    expect((await claim(id, 1)).deliveries).toEqual([]);
    expect((await claim(id, 0)).deliveries).toEqual([]);
  });

  it("gets the events and the agent it asked for, and nothing from before", async () => {
    await press("9");
    await webhooks.recorded();
    const [digits, others, elsewhere] = [
      await listen(),
      await listen({ events: ["call.ended"] }),
      await listen({ agent_id: organization.agentId, include_transcript: true }),
    ];
    await press("1");
    expect((await claimOne(digits.id)).delivery.body).toContain('"digit":"1"');
    expect((await claimOne(elsewhere.id)).delivery.event).toBe("call.dtmf");
    expect((await claim(others.id, 0)).deliveries).toEqual([]);
  });

  it("is no endpoint of the listings, nor of the deliverer", async () => {
    const { id } = await listen();
    await press();
    const { orgId, keys } = organization;
    const { body } = await webhooks.api.call("GET", `/api/orgs/${orgId}/webhooks`, { key: keys.owner });
    expect(body.data).toMatchObject({ total: 0 });
    await claimOne(id);
    expect(await webhooks.deliveries(organization, id)).toMatchObject([{ status: "pending", attempts: 0 }]);
  });

  it.each([
    [{ events: ["no.such.event"] }, "not an event of the catalog", 400],
    [{ agent_id: "agt_none" }, "There is no agent agt_none", 404],
    [{ url: "https://a.example" }, "url", 400],
  ])("with %j is refused with a reason", async (body, reason, status) => {
    const answer = await call("POST", "", body);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toContain(reason);
  });

  it("is one of at most twenty of its organization", async () => {
    const other = await createOrganization(webhooks.api.database);
    for (let i = 0; i < 19; i++) await listen({}, other.keys.owner);
    const both = await Promise.all([
      call("POST", "", {}, other.keys.owner),
      call("POST", "", {}, other.keys.owner),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(both.find(({ status }) => status === 409)?.body.error).toContain("20 listeners already. Stop one");
    webhooks.clock.step(121_000);
    await listen({}, other.keys.owner);
  });

  it("is made and ended in the audit log", async () => {
    const { id } = await listen();
    await call("DELETE", `/${id}`);
    const events = await webhooks.api.database.db
      .selectFrom("audit_events")
      .select(["action", "details"])
      .where("org_id", "=", organization.orgId)
      .orderBy("id", "desc")
      .limit(2)
      .execute();
    const details = { webhookId: id, isListener: true };
    expect(events).toEqual([
      { action: "webhook.deleted", details },
      { action: "webhook.created", details },
    ]);
  });
});

describe("a claimed delivery", () => {
  it("is nobody else's for sixty seconds, then anybody's, and the late report of the first is refused", async () => {
    const { id } = await listen();
    await press();
    const { claimed, delivery } = await claimOne(id);
    expect((await claim(id, 0)).deliveries).toEqual([]);
    webhooks.clock.step(60_000);
    const again = await claimOne(id);
    expect(again.delivery).toMatchObject({ id: delivery.id, attempt: 1 });
    const late = await reportTo(id, claimed, delivery.id, { status: 200 });
    expect(late.status).toBe(409);
    expect(late.body.error).toContain("no longer yours");
    expect(await reported(id, again.claimed, delivery.id, { status: 200 })).toMatchObject({
      status: "delivered",
    });
    expect((await reportTo(id, again.claimed, delivery.id, { status: 200 })).status).toBe(409);
  });

  it("that the receiver did not take comes again after the backoff", async () => {
    const { id } = await listen();
    await press();
    const { claimed, delivery } = await claimOne(id);
    const failed = { id: delivery.id, status: "failed", attempt: 1, retry_in_secs: 10 };
    const error = "nobody listens there";
    expect(await reported(id, claimed, delivery.id, { error })).toEqual(failed);
    expect(await webhooks.deliveries(organization, id)).toMatchObject([{ status: "failed", error }]);
    expect((await claim(id, 0)).deliveries).toEqual([]);
    webhooks.clock.step(10_000);
    const again = await claimOne(id);
    expect(again.delivery).toMatchObject({ id: delivery.id, body: delivery.body, attempt: 2 });
    expect(again.delivery.headers["webhook-timestamp"]).not.toBe(delivery.headers["webhook-timestamp"]);
    await reported(id, again.claimed, delivery.id, { status: 500, body: "a\u00e4".repeat(2_000) });
    const [listed] = await webhooks.deliveries(organization, id);
    expect(listed).toMatchObject({ responseStatus: 500, attempts: 2, error: "the receiver answered 500" });
    expect(Buffer.byteLength(listed!.responseBody ?? "")).toBeLessThanOrEqual(4_096);
  });

  it("is dead after the eighth failure", async () => {
    const { id } = await listen();
    await press();
    for (let attempt = 1; attempt <= 8; attempt++) {
      const { claimed, delivery } = await claimOne(id);
      const { status, retry_in_secs } = await reported(id, claimed, delivery.id, { status: 503 });
      expect(status).toBe(attempt === 8 ? "dead" : "failed");
      // In steps in which the listener lives on.
      for (let secs = retry_in_secs ?? 0; secs > 0; secs -= 100) {
        expect((await claim(id, 0)).deliveries).toEqual([]);
        webhooks.clock.step(Math.min(100, secs) * 1_000);
      }
    }
    expect((await claim(id, 0)).deliveries).toEqual([]);
  });

  it("that is answered with 410 fails like any other, and the listener goes on", async () => {
    const { id } = await listen();
    await press();
    const { claimed, delivery } = await claimOne(id);
    expect(await reported(id, claimed, delivery.id, { status: 410 })).toMatchObject({
      status: "failed",
      retry_in_secs: 10,
    });
    expect(await webhooks.read(organization, id)).toMatchObject({ enabled: true, last_error: null });
  });

  it.each([
    [{}, "send status when the receiver answered"],
    [{ status: 200, error: "no" }, "send status when the receiver answered"],
    [{ status: 7 }, "status"],
    [{ status: 200, error: "" }, "error"],
  ])("is not reported with %j", async (result, reason) => {
    const answer = await reportTo("whk_none", { claim_id: "evt_x", deliveries: [] }, "dlv_none", result);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(reason);
  });
});

describe("a listener whose time is over", () => {
  it("is gone: events have passed it by, and it must not believe that it has them all", async () => {
    const [left, kept] = [await listen(), await listen()];
    webhooks.clock.step(119_000);
    await claim(kept.id, 0);
    webhooks.clock.step(1_000);
    await press("7");
    await claimOne(kept.id);
    for (const path of [`/${left.id}/claim`, `/${left.id}/deliveries/dlv_none`]) {
      const body = path.endsWith("claim") ? undefined : { claim_id: "x", status: 200, duration_ms: 1 };
      const answer = await call("POST", path, body);
      expect(answer.status).toBe(404);
      expect(answer.body.error).toContain("make a new one");
    }
    const rows = webhooks.api.database.db.selectFrom("webhook_deliveries").select("id");
    expect(await rows.where("endpoint_id", "=", left.id).execute()).toEqual([]);
  });
});

describe("a listener of another organization, and an ordinary endpoint", () => {
  it("are not found", async () => {
    const { id } = await listen();
    const stranger = await createOrganization(webhooks.api.database);
    const ordinary = await webhooks.endpoint(stranger);
    for (const target of [id, ordinary.id, "whk_none"]) {
      const key = stranger.keys.owner;
      const body = { claim_id: "evt_x", status: 200, duration_ms: 1 };
      expect((await call("POST", `/${target}/claim`, undefined, key)).status).toBe(404);
      expect((await call("POST", `/${target}/deliveries/dlv_none`, body, key)).status).toBe(404);
      expect((await call("DELETE", `/${target}`, undefined, key)).status).toBe(404);
    }
    expect((await claim(id, 0)).deliveries).toEqual([]);
  });

  it("have deliveries that are not reported here", async () => {
    const [one, other] = [await listen(), await listen()];
    await press();
    const { claimed, delivery } = await claimOne(one.id);
    expect((await reportTo(other.id, claimed, delivery.id, { status: 200 })).status).toBe(404);
  });
});
