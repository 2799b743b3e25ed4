import { systemClock } from "@parley/shared/clock.ts";
import { createLogger } from "@parley/shared/log.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { Egress } from "@parley/shared/net/egress.ts";
import { NameLookups } from "@parley/shared/net/names/name-lookups.ts";
import { createSystemResolver } from "@parley/shared/net/names/system-resolver.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";
import type { FakeVendor } from "../../testkit/fakes/connectors/fake-vendor.ts";
import { startFakeZendesk, ZENDESK } from "../../testkit/fakes/connectors/zendesk.ts";
import { createOrganization, type TestOrganization } from "../../testkit/organization.ts";
import { Limits } from "../http/limits/limits.ts";
import { Audit } from "../identity/audit/audit.ts";
import { type Integrations, openIntegrations } from "./module.ts";
import type { CapabilityRequest } from "./run-capability.ts";

const SECRETS_KEY = `test:${Buffer.alloc(32, 7).toString("base64")}`;

let api: TestControlApi;
let help: FakeVendor;
let org: TestOrganization;
let egress: Egress;
let integrations: Integrations;

beforeAll(async () => {
  help = await startFakeZendesk();
  const vendorUrls = { zendesk: help.url };
  api = await TestControlApi.start({
    env: { INTEGRATION_URLS: `zendesk=${help.url}` },
    secretsKey: SECRETS_KEY,
    allowPrivateTargets: ["127.0.0.0/8"],
  });
  const { database, metrics } = api;
  const clock = systemClock;
  const names = new NameLookups({ resolve: createSystemResolver({ clock }), clock });
  egress = new Egress({ allowPrivateTargets: ["127.0.0.0/8"], names, clock, metrics: createMetrics() });
  integrations = openIntegrations({
    config: { integrations: { vendorUrls }, oauthClients: [] },
    database: { ...database, reads: database, background: database, unbounded: (work) => work(database) },
    clock,
    log: createLogger({ level: "error", format: "json", name: "test" }),
    metrics,
    secrets: new SecretBox(SECRETS_KEY),
    secretsKey: SECRETS_KEY,
    messenger: { post: () => undefined },
    baseUrl: () => "http://127.0.0.1",
    audit: new Audit({ database, clock }),
    limits: new Limits({ database, clock }),
    egress,
  });
});
afterAll(async () => {
  await egress.close();
  await api.close();
  help.close();
});
beforeEach(async () => {
  help.fault = undefined;
  help.calls.length = 0;
  org = await createOrganization(api.database);
});

async function connect(body: Record<string, unknown>): Promise<string> {
  const answer = await api.call("POST", "/api/v1/integrations/connections", { key: org.keys.owner, body });
  expect(answer.status).toBe(201);
  return (answer.body.connection as { id: string }).id;
}
const zendesk = (url: string) => ({ providerId: "zendesk", credentials: ZENDESK.bearer, settings: { url } });
function run(request: Partial<CapabilityRequest>, signal = new AbortController().signal, deadlineMs = 5_000) {
  const { orgId } = org;
  const full = { orgId, capability: "order.lookup", args: { orderNumber: "1001" }, ...request };
  return integrations.run(full, { signal, deadlineMs });
}
const lookup = { capability: "ticket.lookup", args: { id: "35" } };

describe("a capability that an agent asks for", () => {
  it("is served by the demo shop without anybody's account: an order found, an appointment moved", async () => {
    const connectionId = await connect({ providerId: "demo-shop" });
    const found = await run({ args: { orderNumber: "#1001" } });
    expect(found).toMatchObject({
      connectionId,
      providerId: "demo-shop",
      result: { orders: [{ number: "1001", status: "shipped", tracking: [{ number: "DP1001" }] }] },
    });
    const { result } = await run({ capability: "booking.lookup", args: { email: "Ada@example.com" } });
    const [booking] = (result as { bookings: { id: string; start: string }[] }).bookings;
    const from = new Date(Date.parse(booking!.start) + 1).toISOString();
    const to = new Date(Date.parse(booking!.start) + 86_400_000).toISOString();
    const free = await run({ capability: "slot.find", args: { from, to, timeZone: "UTC" } });
    const [slot] = (free.result as { slots: { start: string }[] }).slots;
    const moved = await run({
      capability: "booking.reschedule",
      args: { id: booking!.id, start: slot!.start },
    });
    expect(moved.result).toEqual({
      booking: { id: booking!.id, title: "Fitting appointment", start: slot!.start, status: "confirmed" },
    });
    const taken = run({ capability: "booking.reschedule", args: { id: booking!.id, start: slot!.start } });
    await expect(taken).rejects.toMatchObject({ code: "invalid_arguments" });
  });

  it("goes to the pinned connection, or else to the newest that works", async () => {
    const older = await connect(zendesk("https://one.zendesk.com"));
    const newer = await connect(zendesk("https://two.zendesk.com"));
    expect(await run(lookup)).toMatchObject({ connectionId: newer });
    expect(await run({ ...lookup, connectionId: older })).toMatchObject({ connectionId: older });
    help.fault = { status: 401, json: { error: "Couldn't authenticate you" } };
    await expect(run(lookup)).rejects.toMatchObject({ code: "denied" });
    help.fault = undefined;
    expect(await run(lookup)).toMatchObject({ connectionId: older });
  });

  it("lends its credentials to a request to the vendor's own host, and to no other", async () => {
    const of = { signal: new AbortController().signal, deadlineMs: 5_000 };
    const headers = (host: string, providerId = "zendesk") =>
      integrations.authorize({ orgId: org.orgId, providerId, host }, of);
    await expect(headers("one.zendesk.com")).rejects.toMatchObject({ code: "connection_missing" });
    await connect(zendesk("https://one.zendesk.com"));
    expect(await headers("one.zendesk.com")).toEqual({ authorization: expect.stringMatching(/^Bearer /) });
    for (const host of ["two.zendesk.com", "one.zendesk.com.evil.example", "evil.example"])
      await expect(headers(host), host).rejects.toMatchObject({ code: "denied" });
    await connect({ providerId: "demo-shop" });
    await expect(headers("demo.example", "demo-shop")).rejects.toMatchObject({ code: "denied" });
  });

  it("that is refused for its credentials shows at the connection, and is mended by the next that works", async () => {
    const id = await connect(zendesk("https://one.zendesk.com"));
    help.fault = { status: 401, json: { error: "Couldn't authenticate you" } };
    await expect(run({ ...lookup, connectionId: id })).rejects.toMatchObject({ code: "denied" });
    const read = () => api.call("GET", `/api/v1/integrations/connections/${id}`, { key: org.keys.viewer });
    expect((await read()).body).toMatchObject({
      status: "error",
      lastError: expect.stringContaining("Zendesk"),
    });
    help.fault = undefined;
    await run({ ...lookup, connectionId: id });
    expect((await read()).body).toMatchObject({ status: "active" });
  });

  it("without a connection, of another organization or with wrong arguments says so in a sentence", async () => {
    await expect(run({})).rejects.toMatchObject({
      code: "connection_missing",
      message: "No system is connected that can do this.",
    });
    const foreign = await connect({ providerId: "demo-shop" });
    org = await createOrganization(api.database);
    await expect(run({ connectionId: foreign })).rejects.toMatchObject({ code: "connection_missing" });
    await expect(run({ args: {} })).rejects.toMatchObject({
      code: "invalid_arguments",
      message: expect.stringContaining("orderNumber or email or phone"),
    });
    await expect(run({ capability: "order.delete" })).rejects.toMatchObject({ code: "invalid_arguments" });
  });

  it("ends when nobody waits for it any more, or its time is over", async () => {
    await connect(zendesk("https://one.zendesk.com"));
    help.fault = "silence";
    const caller = new AbortController();
    const running = run(lookup, caller.signal);
    await expect.poll(() => help.asked("GET", /tickets/)).toBe(1);
    caller.abort(new Error("the caller hung up"));
    await expect(running).rejects.toThrow("the caller hung up");
    await expect(run(lookup, undefined, 300)).rejects.toMatchObject({ code: "timed_out" });
  });

  it("leaves a vendor alone that failed five times in a row", async () => {
    await connect(zendesk("https://one.zendesk.com"));
    help.fault = { status: 500, json: {} };
    help.calls.length = 0;
    for (let i = 0; i < 7; i++) await expect(run(lookup)).rejects.toMatchObject({ code: "vendor_failed" });
    expect(help.calls).toHaveLength(5);
  });
});
