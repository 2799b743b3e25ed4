import { randomBytes } from "node:crypto";
import { createTicketVerifier } from "@parley/shared/security/tickets.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectAccount, dials } from "../../../testkit/carrier-account.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { FakeCarrier } from "../../../testkit/fakes/carriers/fake-carrier.ts";
import { startFakeTwilio, TWILIO_ACCOUNT } from "../../../testkit/fakes/carriers/twilio.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";

const FROM = "+12025550123";
const secretsKey = `test:${randomBytes(32).toString("base64")}`;

const clock = new SteppingClock();
let fake: FakeCarrier;
let api: TestControlApi;
let acme: TestOrganization;
let asked = 0;
beforeAll(async () => {
  fake = await startFakeTwilio();
  const env = { TWILIO_API_URL: fake.url };
  api = await TestControlApi.start({ clock, env, secretsKey, allowPrivateTargets: ["127.0.0.0/8"] });
  await api.registerNode();
  acme = await api.createOrganization();
  const { orgId } = acme;
  const account = { carrier: "twilio", credentials: TWILIO_ACCOUNT, number: FROM } as const;
  await connectAccount(api.database, { orgId, secretsKey, ...account });
});
beforeEach(() => {
  asked += 1;
  fake.fault = undefined;
  fake.calls.clear();
  fake.requests.length = 0;
});
afterAll(async () => {
  await api.close();
  await fake.close();
});

function ask(route = "initiate-call") {
  const to = `+120255503${String(asked).padStart(2, "0")}`;
  const body = route === "initiate-call" ? { agentId: acme.agentId, to } : { to, from: FROM };
  const headers = { "idempotency-key": `key-${asked}` };
  return api.call("POST", `/api/sessions/${route}`, { key: acme.keys.developer, body, headers });
}

/** What a repeated request gets for a call that failed: a softphone has no address to connect to any more. */
function toldAgain(route: string, sessionId: string) {
  return route === "initiate-call"
    ? { status: 200, body: { data: { sessionId, callSid: null, status: "failed" } } }
    : { status: 404, body: { code: "session_ended", details: { sessionId } } };
}

describe.each(["initiate-call", "init-manual-call"])("%s with an Idempotency-Key", (route) => {
  it.each([
    ["an error of the carrier's own", { status: 500 }],
    ["an answer that cannot be read", { status: 200 }],
  ])("after %s is not dialed again: the phone may ring", async (_what, fault) => {
    fake.fault = fault;
    const first = await ask(route);
    expect(first).toMatchObject({ status: 503, body: { code: "unavailable" } });
    const { sessionId } = first.body.details as { sessionId: string };
    fake.fault = undefined;
    await expect.poll(() => ask(route)).toMatchObject(toldAgain(route, sessionId));
    expect(dials(fake)).toBe(1);
  });

  it.each([
    ["that the carrier refuses", { status: 400 }, 400],
    ["that comes while the carrier takes no more", { status: 429 }, 429],
  ])("%s is dialed when it is asked for again", async (_what, fault, status) => {
    fake.fault = fault;
    expect((await ask(route)).status).toBe(status);
    fake.fault = undefined;
    expect((await ask(route)).status).toBe(200);
    expect(dials(fake)).toBe(2);
    expect(fake.calls.size).toBe(1);
  });
});

describe("a phone that rings although its dial seemed to fail", () => {
  it("is hung up when its carrier tells of it: the call was told to have failed", async () => {
    // It dials, and its answer gets lost on the way.
    fake.fault = { status: 502 };
    const first = await ask();
    const { sessionId } = first.body.details as { sessionId: string };
    fake.fault = undefined;
    const record = () => api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.developer });
    await expect.poll(async () => (await record()).body.status).toBe("failed");
    const callbackUrl = callbackOf(fake.requests[0]?.body ?? "");
    fake.calls.set("CAghost", {
      callSid: "CAghost",
      direction: "outbound",
      to: "+12025550199",
      from: FROM,
      callbackUrl,
      state: "queued",
    });
    await fake.tell("CAghost", { type: "ringing" });
    await expect.poll(() => fake.calls.get("CAghost")?.state).toBe("ended");
    expect((await record()).body).toMatchObject({ status: "failed" });
    expect(dials(fake)).toBe(1);
  });
});

describe("a repeated manual call", () => {
  it("gets a ticket each time that is good for a minute from then", async () => {
    const place = async () => {
      const { body } = await ask("init-manual-call");
      return new URL((body.data as { websocketUrl: string }).websocketUrl);
    };
    const first = await place();
    clock.step(61_000);
    const second = await place();
    expect(second.pathname).toBe(first.pathname);
    expect(dials(fake)).toBe(1);
    const verifier = createTicketVerifier({ publicKeyPem: api.keys.publicKeyPem, clock });
    const isExpired = async ({ searchParams }: URL) =>
      (await verifier.verify(searchParams.get("ticket") ?? "", "call")).expired;
    expect([await isExpired(first), await isExpired(second)]).toEqual([true, false]);
  });
});

function callbackOf(form: string): string {
  return new URLSearchParams(form).get("StatusCallback") ?? "";
}
