import { CALL_EVENTS_STREAM, type CallEvent } from "@parley/shared/contracts/call-events.ts";
import { EVENT_CATALOG, isEventName } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { newId } from "@parley/shared/ids.ts";
import { verifyBody } from "@parley/shared/security/signatures.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../../tests/support/control-api.ts";
import { createOrganization, type TestOrganization } from "../../tests/support/organization.ts";
import { TestReceiver } from "../../tests/support/receiver.ts";
import { SteppingClock } from "../../tests/support/stepping-clock.ts";

let api: TestControlApi;
let clock: SteppingClock;
beforeAll(async () => {
  clock = new SteppingClock();
  api = await TestControlApi.start({ clock, allowPrivateTargets: ["127.0.0.0/8"] });
  await api.registerNode({ maxCalls: 10_000 });
});
afterAll(() => api.close());

interface Endpoint {
  readonly id: string;
  readonly secret: string;
  readonly receiver: TestReceiver;
}

async function endpoint(
  organization: TestOrganization,
  {
    answer = 200,
    ...body
  }: Record<string, unknown> & { answer?: Parameters<typeof TestReceiver.answering>[0] } = {},
): Promise<Endpoint> {
  const receiver = await TestReceiver.answering(answer);
  onTestFinished(() => receiver.close());
  const created = await api.call("POST", `/api/orgs/${organization.orgId}/webhooks`, {
    key: organization.keys.owner,
    body: { url: receiver.url, ...body },
  });
  expect(created.status).toBe(201);
  const { id, signing_secret: secret } = created.body.data as { id: string; signing_secret: string };
  return { id, secret, receiver };
}

async function startCall(
  organization: TestOrganization,
  extra: Record<string, unknown> = {},
): Promise<string> {
  const answer = await api.call("POST", "/api/sessions/init-web-call", {
    key: organization.keys.owner,
    body: { agentId: organization.agentId, identifier: "customer-7", ...extra },
  });
  return (answer.body.data as { sessionId: string }).sessionId;
}

let seq = 0;
async function happen(sessionId: string, orgId: string, event: Record<string, unknown>): Promise<void> {
  seq += 1;
  const at = new Date(clock.wallMs()).toISOString();
  const full = { id: newId("evt"), sessionId, orgId, seq, at, ...event } as unknown as CallEvent;
  await api.bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(full));
}
const press = (sessionId: string, orgId: string, digit = "5") =>
  happen(sessionId, orgId, { type: "call.dtmf", digit });

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
}
async function deliveries(organization: TestOrganization, id: string, query = ""): Promise<Listed[]> {
  const path = `/api/orgs/${organization.orgId}/webhooks/${id}/deliveries${query}`;
  const { body } = await api.call("GET", path, { key: organization.keys.viewer });
  return (body.data as { deliveries: Listed[] }).deliveries;
}
async function read(organization: TestOrganization, id: string) {
  const path = `/api/orgs/${organization.orgId}/webhooks/${id}`;
  return (await api.call("GET", path, { key: organization.keys.viewer })).body.data;
}

describe("a call", () => {
  it("is told of from its start to its end, each payload as the catalog has it", async () => {
    const organization = await createOrganization(api.database);
    const { receiver } = await endpoint(organization, { includeTranscript: true, includeRecording: true });
    const { orgId } = organization;
    const sessionId = await startCall(organization);
    await happen(sessionId, orgId, { type: "call.started", nodeId: "nod_1", audio: "pcm_s16le" });
    await happen(sessionId, orgId, {
      type: "call.message",
      turn: 1,
      role: "user",
      text: "Hello?",
      interrupted: false,
      source: "speech",
    });
    await press(sessionId, orgId);
    await happen(sessionId, orgId, {
      type: "call.tool_invoked",
      turn: 1,
      name: "book",
      arguments: { people: 2 },
      result: "x".repeat(1_048_577),
      status: "success",
      latencyMs: 3,
    });
    await happen(sessionId, orgId, {
      type: "recording.ready",
      recordingId: "rec_1",
      key: "k",
      durationMs: 2_900,
      sizeBytes: 10,
    });
    await happen(sessionId, orgId, {
      type: "call.ended",
      reason: "hangup",
      status: "completed",
      durationSecs: 3,
    });
    await expect.poll(() => receiver.received.length).toBe(6);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    for (const body of bodies) {
      const name = String(body.event);
      if (!isEventName(name)) throw new Error(`${name} is not in the catalog`);
      expect(EVENT_CATALOG[name].schema.parse(body)).toEqual(body);
      expect(body).toMatchObject({
        orgId,
        sessionId,
        agentId: organization.agentId,
        identifier: "customer-7",
      });
    }
    const of = (name: string) => bodies.find(({ event }) => event === name);
    expect(of("call.started")).toMatchObject({
      channel: "web_chat",
      direction: "web",
      userId: organization.userId,
    });
    expect(Object.keys(of("call.started")?.variables as object)).toEqual(
      expect.arrayContaining([
        "current_date",
        "current_datetime",
        "today_date",
        "current_weekday",
        "identifier",
      ]),
    );
    expect(of("tool.invoked")).toMatchObject({
      status: "error",
      result: { error: expect.stringContaining("1048576") },
    });
    expect(of("call.ended")).toMatchObject({
      endReason: null,
      messageCount: 1,
      durationSecs: 3,
      recording: { id: "rec_1" },
      transcript: [{ role: "user", text: "Hello?" }],
    });
  });

  it("is told of with neither recording nor transcript to who did not ask for them", async () => {
    const organization = await createOrganization(api.database);
    const { receiver } = await endpoint(organization, { events: ["call.ended"] });
    const sessionId = await startCall(organization);
    await happen(sessionId, organization.orgId, {
      type: "call.message",
      turn: 1,
      role: "user",
      text: "é".repeat(9_000),
      interrupted: false,
      source: "text",
    });
    await happen(sessionId, organization.orgId, {
      type: "call.ended",
      reason: "max_duration",
      status: "completed",
    });
    await expect.poll(() => receiver.received.length).toBe(1);
    const body = JSON.parse(receiver.received[0]?.body ?? "{}") as object;
    expect(body).toMatchObject({ event: "call.ended", endReason: "max_duration" });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(["transcript"]));
  });

  it("has texts of at most 8,000 bytes in its transcript, and never half a character", async () => {
    const organization = await createOrganization(api.database);
    const { receiver } = await endpoint(organization, { events: ["call.ended"], includeTranscript: true });
    const sessionId = await startCall(organization);
    const text = `x${"é".repeat(9_000)}`;
    await happen(sessionId, organization.orgId, {
      type: "call.message",
      turn: 1,
      role: "user",
      text,
      interrupted: false,
      source: "text",
    });
    await happen(sessionId, organization.orgId, {
      type: "call.ended",
      reason: "hangup",
      status: "completed",
    });
    await expect.poll(() => receiver.received.length).toBe(1);
    const { transcript } = JSON.parse(receiver.received[0]?.body ?? "{}") as {
      transcript: { text: string }[];
    };
    expect(transcript[0]?.text).toBe(`x${"é".repeat(3_999)}`);
  });

  it("is told to those who subscribed, and of their agent only", async () => {
    const organization = await createOrganization(api.database);
    const all = await endpoint(organization);
    const keys = await endpoint(organization, { events: ["call.dtmf"], agentId: organization.agentId });
    const others = await endpoint(organization, { events: ["call.started"] });
    const sessionId = await startCall(organization);
    await press(sessionId, organization.orgId);
    await expect.poll(() => [all.receiver.received.length, keys.receiver.received.length]).toEqual([1, 1]);
    expect(others.receiver.received).toEqual([]);
  });
});

describe("a delivery", () => {
  it("has the headers of the contract, and a signature over its very bytes", async () => {
    const organization = await createOrganization(api.database);
    const { id, secret, receiver } = await endpoint(organization);
    await press(await startCall(organization), organization.orgId);
    await expect.poll(() => receiver.received.length).toBe(1);
    const { headers, body } = receiver.received[0]!;
    const [listed] = await deliveries(organization, id);
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
    const organization = await createOrganization(api.database);
    const { receiver } = await endpoint(organization);
    const sessionId = await startCall(organization);
    const raisedMs = performance.now();
    await press(sessionId, organization.orgId);
    await expect.poll(() => receiver.received.length).toBe(1);
    // The poll alone would come after up to five seconds.
    expect(receiver.received[0]!.atMs - raisedMs).toBeLessThan(4_000);
  });

  it("that fails is tried eight times with the same body and signature, and then is dead", async () => {
    const organization = await createOrganization(api.database);
    const { id, receiver } = await endpoint(organization, { answer: 500 });
    await press(await startCall(organization), organization.orgId);
    const waits = [10, 20, 40, 80, 160, 320, 640];
    for (const [index, seconds] of waits.entries()) {
      await expect
        .poll(async () => (await deliveries(organization, id))[0])
        .toMatchObject({
          status: "failed",
          attempts: index + 1,
          responseStatus: 500,
        });
      clock.step(seconds * 1_000);
      await api.bus.channels.publish("webhooks-due", "");
    }
    await expect
      .poll(async () => (await deliveries(organization, id))[0])
      .toMatchObject({ status: "dead", attempts: 8 });
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-service-signature"])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-service-delivery"])).size).toBe(1);
    expect(receiver.received).toHaveLength(8);
    expect(await read(organization, id)).toMatchObject({
      enabled: true,
      last_error: "the receiver answered 500",
    });
  }, 30_000);

  it("answered 410 is dead, and its endpoint gets nothing more: the owners are told", async () => {
    const organization = await createOrganization(api.database);
    await api.database.db
      .insertInto("memberships")
      .values({ org_id: organization.orgId, user_id: organization.userId, role: "owner" })
      .execute();
    const { id, receiver } = await endpoint(organization, { answer: 410 });
    const sessionId = await startCall(organization);
    await press(sessionId, organization.orgId);
    await expect
      .poll(() => read(organization, id))
      .toMatchObject({
        enabled: false,
        last_error: "the receiver answered 410",
      });
    await press(sessionId, organization.orgId);
    const another = await endpoint(organization);
    await press(sessionId, organization.orgId);
    await expect.poll(() => another.receiver.received.length).toBe(1);
    expect(receiver.received).toHaveLength(1);
    const mail = await api.messagesTo(`${organization.userId}@acme.example`);
    expect(mail[0]?.subject).toContain("is disabled");
  });

  it("redirected is failed, and nobody else is called", async () => {
    const organization = await createOrganization(api.database);
    const elsewhere = await TestReceiver.answering(200);
    onTestFinished(() => elsewhere.close());
    const { id } = await endpoint(organization, {
      answer: (response) => void response.writeHead(302, { location: elsewhere.url }).end(),
    });
    await press(await startCall(organization), organization.orgId);
    await expect
      .poll(async () => (await deliveries(organization, id))[0])
      .toMatchObject({
        status: "failed",
        responseStatus: 302,
      });
    expect(elsewhere.received).toEqual([]);
  });

  it("answered by a gigabyte or by drips is delivered, and four kilobytes of it are kept", async () => {
    const organization = await createOrganization(api.database);
    const large = await endpoint(organization, {
      answer: (response) => {
        response.writeHead(200);
        const chunk = Buffer.alloc(65_536, "x");
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once("drain", more);
        };
        more();
      },
    });
    const drips = await endpoint(organization, {
      answer: (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("."), 100);
        response.on("close", () => clearInterval(timer));
      },
    });
    await press(await startCall(organization), organization.orgId);
    for (const { id } of [large, drips]) {
      await expect
        .poll(async () => (await deliveries(organization, id))[0], { timeout: 8_000 })
        .toMatchObject({ status: "delivered", responseStatus: 200 });
    }
    const [kept] = await deliveries(organization, large.id);
    expect(kept?.responseBody?.length).toBe(4_096);
  });

  it("to somebody who hangs up is failed, and to a slow one keeps nobody else waiting", async () => {
    const organization = await createOrganization(api.database);
    const gone = await endpoint(organization, { answer: (response) => void response.destroy() });
    const hanging = await endpoint(organization, { answer: () => undefined });
    const quick = await endpoint(organization);
    const sessionId = await startCall(organization);
    for (let i = 0; i < 20; i++) await press(sessionId, organization.orgId);
    await expect.poll(() => quick.receiver.received.length).toBe(20);
    await expect
      .poll(async () => (await deliveries(organization, gone.id)).at(-1))
      .toMatchObject({
        status: "failed",
        error: expect.stringContaining("could not be reached"),
      });
    // A few at a time: the rest waits for its turn, and takes nobody else's.
    expect(hanging.receiver.received.length).toBeLessThanOrEqual(8);
  });

  it("to an address that is not allowed any more is dead, and its endpoint disabled", async () => {
    const organization = await createOrganization(api.database);
    const { id } = await endpoint(organization);
    await api.database.db
      .updateTable("webhook_endpoints")
      .set({ url: "https://10.0.0.1/" })
      .where("id", "=", id)
      .execute();
    await press(await startCall(organization), organization.orgId);
    await expect
      .poll(() => read(organization, id))
      .toMatchObject({
        enabled: false,
        last_error: "the url leads to a private or reserved address",
      });
    expect((await deliveries(organization, id))[0]).toMatchObject({ status: "dead", attempts: 1 });
  });

  it("is listed newest first, filtered, and clamped to 200", async () => {
    const organization = await createOrganization(api.database);
    const { id, receiver } = await endpoint(organization);
    const sessionId = await startCall(organization);
    for (let i = 0; i < 3; i++) await press(sessionId, organization.orgId);
    await expect.poll(() => receiver.received.length).toBe(3);
    expect(await deliveries(organization, id, "?limit=2")).toHaveLength(2);
    expect(await deliveries(organization, id, "?limit=100000")).toHaveLength(3);
    expect(await deliveries(organization, id, "?limit=0")).toHaveLength(1);
    expect(await deliveries(organization, id, "?limit=nonsense")).toHaveLength(3);
    await expect
      .poll(() => deliveries(organization, id, "?status=delivered&event=call.dtmf"))
      .toHaveLength(3);
    expect(await deliveries(organization, id, "?status=dead")).toEqual([]);
  });

  it("is made again on request: one, or all since a time, each under a new id with the same body", async () => {
    const organization = await createOrganization(api.database);
    const { id, receiver } = await endpoint(organization);
    const sessionId = await startCall(organization);
    const since = new Date(clock.wallMs()).toISOString();
    for (const digit of ["1", "2"]) await press(sessionId, organization.orgId, digit);
    await expect.poll(() => receiver.received.length).toBe(2);
    const base = `/api/orgs/${organization.orgId}/webhooks/${id}`;
    const ask = (path: string, body?: unknown) =>
      api.call("POST", base + path, {
        key: organization.keys.developer,
        ...(body === undefined ? {} : { body }),
      });
    const [latest] = await deliveries(organization, id);
    expect((await ask(`/deliveries/${latest?.id}/replay`)).status).toBe(202);
    await expect.poll(() => receiver.received.length).toBe(3);
    expect((await ask("/replay", { since })).body.data).toMatchObject({ total: 3 });
    await expect.poll(() => receiver.received.length).toBe(6);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-service-delivery"])).size).toBe(6);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(2);
    expect((await ask("/deliveries/dlv_none/replay")).status).toBe(404);
    expect((await ask("/replay", { since: "yesterday" })).status).toBe(400);
  });

  it("of a sample is made on request, and of none to a disabled endpoint", async () => {
    const organization = await createOrganization(api.database);
    const { id, secret, receiver } = await endpoint(organization);
    const path = `/api/orgs/${organization.orgId}/webhooks/${id}/test`;
    const test = (body?: unknown) =>
      api.call("POST", path, { key: organization.keys.owner, ...(body === undefined ? {} : { body }) });
    expect((await test()).status).toBe(202);
    expect((await test({ event: "billing.invoice_issued" })).status).toBe(202);
    expect((await test({ event: "no.such.event" })).status).toBe(400);
    await expect.poll(() => receiver.received.length).toBe(2);
    const events = receiver.received.map(({ headers }) => headers["x-service-event"]);
    expect(events.toSorted()).toEqual(["billing.invoice_issued", "call.ended"]);
    const { body, headers } = receiver.received[0]!;
    expect(verifyBody(secret, body, String(headers["x-service-signature"]))).toBe(true);
    expect(JSON.parse(body)).toMatchObject({ orgId: organization.orgId });
    await api.database.db
      .updateTable("webhook_endpoints")
      .set({ enabled: false })
      .where("id", "=", id)
      .execute();
    expect((await test()).status).toBe(409);
  });

  it("becomes the sample of its event", async () => {
    const organization = await createOrganization(api.database);
    await endpoint(organization);
    const sessionId = await startCall(organization);
    await press(sessionId, organization.orgId, "9");
    const sample = () =>
      api.call("GET", "/api/v1/events/sample?type=call.dtmf", { key: organization.keys.member });
    await expect
      .poll(async () => (await sample()).body)
      .toMatchObject({ is_real: true, samples: [{ digit: "9", sessionId }] });
  });
});
