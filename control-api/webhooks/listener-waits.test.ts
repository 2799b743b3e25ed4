import type { Claimed } from "@parley/shared/contracts/listeners.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { createOrganization, type TestOrganization } from "../../testkit/organization.ts";
import { TestPerson } from "../../testkit/person.ts";
import { createTestDatabase } from "../../testkit/postgres.ts";
import { TestWebhooks } from "../../testkit/webhooks.ts";

interface Scene {
  readonly webhooks: TestWebhooks;
  readonly organization: TestOrganization;
  readonly listenerId: string;
  readonly claim: (wait: number, signal?: AbortSignal) => Promise<{ status: number; deliveries: string[] }>;
  /** Claims with a long wait, `untilPlaced`. */
  readonly hold: (wait: number, signal?: AbortSignal) => Promise<{ status: number; deliveries: string[] }>;
}

/** Asks again where a look at whether all places are taken had the last one. */
async function untilPlaced<T extends { readonly status: number }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 429) return answer;
  }
}

/** A control API with an organization that has a listener. */
async function scene(databaseUrl?: string): Promise<Scene> {
  const webhooks = await TestWebhooks.start(databaseUrl === undefined ? {} : { databaseUrl });
  const organization = await createOrganization(webhooks.api.database);
  const key = organization.keys.owner;
  const created = await webhooks.api.call("POST", "/api/v1/listeners", { key });
  const listenerId = String(created.body.id);
  const claim: Scene["claim"] = async (wait, signal) => {
    const url = `${webhooks.api.api.baseUrl}/api/v1/listeners/${listenerId}/claim?wait=${wait}`;
    const headers = { "x-api-key": key };
    const answer = await fetch(url, { method: "POST", headers, ...(signal ? { signal } : {}) });
    const { deliveries = [] } = (await answer.json()) as Partial<Claimed>;
    return { status: answer.status, deliveries: deliveries.map(({ id }) => id) };
  };
  const hold: Scene["claim"] = (wait, signal) => untilPlaced(() => claim(wait, signal));
  return { webhooks, organization, listenerId, claim, hold };
}

describe("a request that waits", () => {
  it("lets go of its place when its client goes, and when the listener is ended", async () => {
    const { webhooks, organization, listenerId, claim, hold } = await scene();
    const going = new AbortController();
    const gone = Array.from({ length: 4 }, () => hold(25, going.signal).catch(() => "gone"));
    const status = async () => (await claim(0)).status;
    await expect.poll(status).toBe(429);
    going.abort();
    expect(await Promise.all(gone)).toEqual(["gone", "gone", "gone", "gone"]);
    await expect.poll(status).toBe(200);
    await webhooks.press(await webhooks.startCall(organization), organization.orgId);
    expect((await claim(25)).deliveries).toHaveLength(1);

    const closing = Array.from({ length: 4 }, () => hold(25));
    await expect.poll(status).toBe(429);
    const startedMs = performance.now();
    await webhooks.api.call("DELETE", `/api/v1/listeners/${listenerId}`, { key: organization.keys.owner });
    expect((await Promise.all(closing)).map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    await webhooks.close();
  });

  it("is given nothing that is raised once its key is revoked", async () => {
    const { webhooks } = await scene();
    onTestFinished(() => webhooks.close());
    const person = await TestPerson.register(webhooks.api);
    const keys = `/api/orgs/${person.orgId}/api-keys`;
    const newKey = async () =>
      (await person.call("POST", keys, { name: "Key", role: "owner" })).body.data as {
        key: { id: string };
        secret: string;
      };
    const [revoked, other] = [await newKey(), await newKey()];
    const asKey = (key: string, path: string, body?: unknown) =>
      webhooks.api.call("POST", path, { key, ...(body === undefined ? {} : { body }) });
    const { id } = (await asKey(revoked.secret, "/api/v1/listeners")).body;
    const claim = `/api/v1/listeners/${String(id)}/claim`;
    const waiting = Array.from({ length: 4 }, () =>
      untilPlaced(() => asKey(revoked.secret, `${claim}?wait=25`)),
    );
    await expect.poll(async () => (await asKey(other.secret, `${claim}?wait=0`)).status).toBe(429);
    expect((await person.call("DELETE", `${keys}/${revoked.key.id}`)).status).toBe(200);
    await asKey(other.secret, "/api/v1/events/test", { event: "call.ended" });
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect((await asKey(other.secret, claim)).body.deliveries).toHaveLength(1);
  });

  it("ends with nothing when the server closes, and does not keep it open", async () => {
    const { webhooks, claim, hold } = await scene();
    const waiting = Array.from({ length: 4 }, () => hold(25));
    await expect.poll(async () => (await claim(0)).status).toBe(429);
    const startedMs = performance.now();
    await webhooks.close();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ status: 200, deliveries: [] })));
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });
});

describe.runIf(needs("postgres"))("on Postgres", () => {
  it("three who claim for one listener never get the same delivery", async () => {
    const database = await createTestDatabase();
    const { webhooks, organization, claim } = await scene(database.url);
    onTestFinished(async () => {
      await webhooks.close();
      await database.drop();
    });
    const sessionId = await webhooks.startCall(organization);
    const EVENTS = 100;
    for (let i = 0; i < EVENTS; i++) await webhooks.press(sessionId, organization.orgId);
    const got: string[] = [];
    const fetchAll = async (): Promise<void> => {
      while (got.length < EVENTS) got.push(...(await claim(5)).deliveries);
    };
    await Promise.all([fetchAll(), fetchAll(), fetchAll()]);
    expect(got).toHaveLength(EVENTS);
    expect(new Set(got).size).toBe(EVENTS);
  });
});
