import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { FakeVendor } from "../../../testkit/fakes/connectors/fake-vendor.ts";
import { startFakeZendesk, ZENDESK } from "../../../testkit/fakes/connectors/zendesk.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";

const BASE = "/api/v1/integrations/connections";
const HOUR_SECS = 3_600;
const MINUTE_SECS = 60;
/** What a key may do in an hour, of each kind. */
const MAX = 600;

describe("the limits of a key", () => {
  const clock = new SteppingClock();
  let help: FakeVendor;
  let api: TestControlApi;
  beforeAll(async () => {
    help = await startFakeZendesk();
    api = await TestControlApi.start({
      clock,
      env: { INTEGRATION_URLS: `zendesk=${help.url}` },
      allowPrivateTargets: ["127.0.0.0/8"],
    });
  });
  afterAll(async () => {
    await api.close();
    help.close();
  });

  /** A key that has a connection, by which it spent one of each. */
  async function connected() {
    const { keys } = await api.createOrganization();
    const call = (method: string, path: string, body?: unknown) =>
      api.call(method, `${BASE}${path}`, {
        key: keys.developer,
        ...(body === undefined ? {} : { body }),
      });
    const settings = { url: "https://shoes.zendesk.com" };
    const made = await call("POST", "", { providerId: "zendesk", credentials: ZENDESK.basic, settings });
    const { id } = made.body.connection as { id: string };
    return {
      write: () => call("PATCH", `/${id}`, { label: "a", verify: false }),
      verify: () => call("POST", `/${id}/test`),
      /** As if so many were left. */
      leave: (of: "writes" | "verifications", left: number) =>
        api.database.db
          .updateTable("rate_limits")
          .set({ count: MAX - left })
          .where("key", "like", `connector_${of}%`)
          .execute(),
    };
  }

  it("are counted from one, and one verified creation spends one of each", async () => {
    await api.database.db.deleteFrom("rate_limits").execute();
    await connected();
    const counted = await api.database.db
      .selectFrom("rate_limits")
      .select(["key", "count"])
      .where("key", "like", "connector_%")
      .orderBy("key")
      .execute();
    expect(counted.map(({ count }) => count)).toEqual([1, 1]);
    expect(counted.map(({ key }) => key.split(":")[0])).toEqual([
      "connector_verifications_per_key",
      "connector_writes_per_key",
    ]);
  });

  it.each([
    ["verifications", "verify", "write"],
    ["writes", "write", "verify"],
  ] as const)("let 600 %s an hour pass, and say when to go on", async (of, spend, other) => {
    await api.database.db.deleteFrom("rate_limits").execute();
    const key = await connected();
    await key.leave(of, 2);
    clock.pass((HOUR_SECS / 3) * 1_000);
    expect((await key[spend]()).status).toBe(200);
    expect((await key[spend]()).status).toBe(200);
    const refused = await key[spend]();
    expect(refused).toMatchObject({ status: 429, body: { success: false, code: "too_many_requests" } });
    const waitSecs = Number(refused.headers.get("retry-after"));
    expect(waitSecs).toBeGreaterThan(0);
    expect(waitSecs).toBeLessThanOrEqual((HOUR_SECS * 2) / 3);
    // The other kind is counted apart.
    expect((await key[other]()).status).toBe(200);
    clock.pass((waitSecs - MINUTE_SECS) * 1_000);
    expect((await key[spend]()).status).toBe(429);
    clock.pass(MINUTE_SECS * 1_000);
    expect((await key[spend]()).status).toBe(200);
  });
});
