import { randomBytes } from "node:crypto";
import { serve } from "@parley/shared/bus/request-reply.ts";
import { commandChannel } from "@parley/shared/contracts/call-commands.ts";
import { liveCallKey } from "@parley/shared/contracts/call-plan.ts";
import { newId } from "@parley/shared/ids.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestCallee } from "../../../testkit/callee.ts";
import { connectAccount } from "../../../testkit/carrier-account.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { FakeCarrier } from "../../../testkit/fakes/carriers/fake-carrier.ts";
import { PLIVO_ACCOUNT, startFakePlivo } from "../../../testkit/fakes/carriers/plivo.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";

const secretsKey = `test:${randomBytes(32).toString("base64")}`;
let fake: FakeCarrier;
let api: TestControlApi;
let acme: TestOrganization;
let ada: TestCallee;
let inboundUrl: string;
beforeAll(async () => {
  fake = await startFakePlivo();
  const env = { PLIVO_API_URL: fake.url };
  api = await TestControlApi.start({ env, secretsKey, allowPrivateTargets: ["127.0.0.0/8"] });
  await api.registerNode();
  acme = await api.createOrganization();
  const account = { carrier: "plivo", credentials: PLIVO_ACCOUNT, number: "+12025550133" } as const;
  const connectionId = await connectAccount(api.database, { orgId: acme.orgId, secretsKey, ...account });
  inboundUrl = `${api.api.baseUrl}/api/public/carriers/${connectionId}/inbound`;
  ada = await TestCallee.create(api, { orgId: acme.orgId, key: acme.keys.developer, carrier: "plivo" });
});
afterAll(async () => {
  await api.close();
  await fake.close();
});

/** Somebody calls Ada, and a gateway has the call that nothing can be told. */
async function ringUnreachable(): Promise<string> {
  const callSid = newId("ses");
  const numbers = { from: "12025550177", to: ada.number.replace("+", "") };
  await fake.callIn({
    ...numbers,
    callSid,
    direction: "inbound",
    callbackUrl: inboundUrl,
    state: "ringing",
  });
  const { session_id } = await api.database.db
    .selectFrom("calls")
    .select("session_id")
    .where("call_sid", "=", callSid)
    .executeTakeFirstOrThrow();
  await api.bus.keys.set(liveCallKey(session_id), "nod_1", 600_000);
  return session_id;
}

const statusOf = async (sessionId: string) =>
  (await api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.viewer })).body.status;

describe("a call that is being declined", () => {
  it("rings until its gateway has ended it, and nobody else answers or declines it meanwhile", async () => {
    const device = await ada.listen();
    const sessionId = await ringUnreachable();
    await device.untilTold(sessionId, "ringing");
    const asked = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    await serve(api.bus.channels, commandChannel(sessionId), async () => {
      asked.resolve();
      await ended.promise;
      return JSON.stringify({ ok: true });
    });
    const declined = ada.call("POST", `/api/sessions/${sessionId}/decline`);
    await asked.promise;
    expect(await statusOf(sessionId)).toBe("ringing");
    for (const verb of ["answer", "decline"]) {
      const other = await ada.call("POST", `/api/sessions/${sessionId}/${verb}`);
      expect(other).toMatchObject({ status: 409, body: { code: "conflict" } });
    }
    ended.resolve();
    expect((await declined).status).toBe(200);
    expect(await statusOf(sessionId)).toBe("busy");
    await device.untilTold(sessionId, "ringing", "declined");
  });
});

describe("declining a call whose gateway cannot be told", () => {
  it("fails, and the call rings on for its member, who may decline it again", async () => {
    const device = await ada.listen();
    const sessionId = await ringUnreachable();
    await device.untilTold(sessionId, "ringing");
    const decline = () => ada.call("POST", `/api/sessions/${sessionId}/decline`);
    const failed = await decline();
    expect(failed).toMatchObject({ status: 503, body: { success: false, code: "unavailable" } });
    expect(failed.headers.get("retry-after")).toBe("1");
    expect(await statusOf(sessionId)).toBe("ringing");

    const told: unknown[] = [];
    await serve(api.bus.channels, commandChannel(sessionId), async (payload) => {
      told.push(JSON.parse(payload));
      return JSON.stringify({ ok: true });
    });
    expect((await decline()).status).toBe(200);
    expect(told).toEqual([{ command: "end", reason: "declined" }]);
    expect(await statusOf(sessionId)).toBe("busy");
    await device.untilTold(sessionId, "ringing", "declined");
  });
});
