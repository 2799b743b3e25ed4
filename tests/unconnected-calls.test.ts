import { type VerifiedWebhook, verifyWebhook } from "@parley/platform/webhooks/verify-webhook.ts";
import { EVENT_CATALOG } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestReceiver } from "../testkit/receiver.ts";
import { OUR_NUMBER, TestTelephony } from "../testkit/telephony.ts";

/** As on every event: exactly three fractional digits. */
const OCCURRED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DATE_VARIABLES = [
  ...["current_date", "current_time", "current_datetime", "current_weekday", "current_year"],
  ...["current_month", "current_day", "current_timezone", "today_date", "tomorrow_date", "yesterday_date"],
];

let phones: TestTelephony;
let receiver: TestReceiver;
let secret: string;
beforeAll(async () => {
  phones = await TestTelephony.start({ ringTimeoutSecs: 2 });
  receiver = await TestReceiver.answering();
  const { orgId, keys } = phones.organization;
  const registered = await phones.api.call("POST", `/api/orgs/${orgId}/webhooks`, {
    key: keys.owner,
    body: { url: receiver.url, includeRecording: true, includeTranscript: true },
  });
  secret = (registered.body.data as { signing_secret: string }).signing_secret;
});
afterAll(async () => {
  await phones.close();
  await receiver.close();
});

/** All webhooks of a call whose end was told, each with its signature checked. */
async function webhooksOf(is: (payload: Record<string, unknown>) => boolean): Promise<VerifiedWebhook[]> {
  const told = () =>
    receiver.received
      .map(({ headers, body }) => verifyWebhook({ headers, body, secret }))
      .filter(({ payload }) => is(payload as unknown as Record<string, unknown>));
  await expect.poll(() => told().map(({ event }) => event), { timeout: 90_000 }).toContain("call.ended");
  return told();
}

const about = { identifier: "customer-7", variables: { name: "Ada" } };
const aboutAll = () => ({
  event: "call.ended",
  orgId: phones.organization.orgId,
  agentId: phones.organization.agentId,
  userId: phones.organization.userId,
  sessionId: expect.stringMatching(/^ses_/),
  identifier: "customer-7",
  occurredAt: expect.stringMatching(OCCURRED_AT),
  startTime: expect.any(String),
  endTime: expect.any(String),
  variables: expect.objectContaining({ name: "Ada", identifier: "customer-7" }),
  durationSecs: expect.any(Number),
  messageCount: 0,
  answeredBy: null,
});

/** What every call.ended says of a call that nobody was in: the fields of the catalog and no others. */
function expectNothingHappened(webhooks: readonly VerifiedWebhook[], rest: Record<string, unknown>): void {
  expect(webhooks.map(({ event }) => event)).toEqual(["call.ended"]);
  const [webhook] = webhooks;
  if (webhook?.event !== "call.ended") throw new Error("its end was not told");
  const { payload } = webhook;
  expect(payload).toEqual({ ...aboutAll(), ...rest });
  expect(EVENT_CATALOG["call.ended"].schema.parse(payload)).toEqual(payload);
  expect(Object.keys(payload.variables).toSorted()).toEqual(
    [...DATE_VARIABLES, "identifier", "name"].toSorted(),
  );
  const lastedMs = Date.parse(payload.endTime) - Date.parse(payload.startTime);
  expect(payload.durationSecs).toBe(Math.floor(lastedMs / 1_000));
}

const NOT_ANSWERED = { ringMs: 300, steps: [] } as const;
const busy = { ...NOT_ANSWERED, outcome: "busy" } as const;
const silent = { ...NOT_ANSWERED, outcome: "no-answer" } as const;
const refused = { ...NOT_ANSWERED, outcome: "refuses" } as const;
const dial = (to: string) => phones.dial(to, about);

describe("the end of a phone call that never connected", () => {
  it.each([
    ["busy", "busy", busy, dial],
    ["no-answer", "no_answer", silent, dial],
    [
      "canceled",
      "api_request",
      silent,
      async (to: string) => {
        const { sessionId } = await dial(to);
        await phones.untilStatus(sessionId, "ringing");
        await phones.request("DELETE", `/api/sessions/${sessionId}`);
      },
    ],
  ] as const)(
    "because it was %s is told, with its leg and nothing it does not have",
    async (status, endReason, script, call) => {
      const to = phones.phone(`+1202555041${status.length}`, script);
      await call(to);
      const webhooks = await webhooksOf(({ toNumber }) => toNumber === to);
      expectNothingHappened(webhooks, {
        direction: "outbound",
        channel: "telephony",
        callSid: expect.stringMatching(/^LB/),
        fromNumber: OUR_NUMBER,
        toNumber: to,
        fromOrTo: OUR_NUMBER,
        endReason,
      });
      expect(await phones.statusesOf(to)).toEqual([status]);
    },
    30_000,
  );

  it("because its carrier refused it is told without the name of a leg that there never was", async () => {
    const to = phones.phone("+12025550420", refused);
    await expect(dial(to)).rejects.toThrow("not in service");
    const webhooks = await webhooksOf(({ toNumber }) => toNumber === to);
    expectNothingHappened(webhooks, {
      direction: "outbound",
      channel: "telephony",
      callSid: null,
      fromNumber: OUR_NUMBER,
      toNumber: to,
      fromOrTo: OUR_NUMBER,
      endReason: "carrier_failed",
    });
    expect(await phones.statusesOf(to)).toEqual(["failed"]);
  });
});

describe("the end of a web call nobody connected to", () => {
  it("is told with no numbers and no leg: null, not absent", async () => {
    const body = { agentId: phones.organization.agentId, ...about };
    const begun = await phones.request("POST", "/api/sessions/init-web-call", body);
    const { sessionId } = begun.body.data as { sessionId: string };
    await phones.request("DELETE", `/api/sessions/${sessionId}`);
    const webhooks = await webhooksOf((payload) => payload.sessionId === sessionId);
    expectNothingHappened(webhooks, {
      direction: "web",
      channel: "web_chat",
      callSid: null,
      fromNumber: null,
      toNumber: null,
      fromOrTo: "",
      endReason: "api_request",
    });
    expect(await phones.record(sessionId)).toMatchObject({ status: "canceled", startTime: null });
  });
});
