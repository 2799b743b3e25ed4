import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { AppError } from "@parley/shared/errors.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { startJobRunner } from "../../../testkit/jobs.ts";
import { lentDatabase } from "../../../testkit/lent-database.ts";
import { createOrganization, type TestOrganization } from "../../../testkit/organization.ts";
import { startSubscriptions } from "../../../testkit/subscriptions.ts";
import type { Databases } from "../../database/open.ts";
import { insertEndedCall } from "../../records/call-rows/insert-call.ts";
import { followsCall, followsPhoneCalls } from "./follow-calls.ts";

const RETRY_MS = 1_000;
const POLL_MS = 5_000;

let database: Databases;
let acme: TestOrganization;
let clock: ManualClock;
let asked: string[];
let nr = 0;
beforeAll(async () => {
  database = await lentDatabase();
  acme = await createOrganization(database);
});
afterAll(() => database.close());
beforeEach(() => {
  clock = new ManualClock();
  asked = [];
});

/** A process that follows calls; its carrier does what it is told unless `refuses` says otherwise. */
async function start(refuses: () => Error | undefined = () => undefined) {
  const phoneCalls = {
    over: async ({ sessionId }: CallEvent) => {
      asked.push(`hang up ${sessionId}`);
      const error = refuses();
      if (error) throw error;
    },
    transferAsAsked: async ({ sessionId, to }: Extract<CallEvent, { type: "call.transfer_requested" }>) => {
      asked.push(`transfer ${sessionId} to ${to}`);
    },
    count: (carrier: string, outcome: string) => {
      asked.push(`count ${carrier} ${outcome}`);
    },
  };
  const log = createLogger({ level: "silent", format: "json", name: "test" });
  const { runner, queue } = startJobRunner([followsCall({ database, phoneCalls, log })], { database, clock });
  const following = await startSubscriptions([followsPhoneCalls({ queue, phoneCalls })], { database, clock });
  const stop = async (): Promise<void> => {
    await following.stop();
    await runner.stop();
  };
  onTestFinished(stop);
  return { record: following.record, stop };
}

/** A call that is over; returns what makes an event of it. */
async function call(carrier: string | null): Promise<(body: Record<string, unknown>) => CallEvent> {
  nr += 1;
  const { orgId, agentId, userId } = acme;
  const sessionId = `ses_followed_${nr}`;
  const at = new Date();
  const row = {
    ...{ id: `cal_followed_${nr}`, session_id: sessionId, org_id: orgId, agent_id: agentId, user_id: userId },
    ...{ agent_version: 1, identifier: null, variables: "{}", node_id: "nod_1", created_at: at },
    ...{ channel: "telephony", direction: "outbound", carrier, call_sid: carrier && `CA${nr}` },
  };
  const end = { status: "completed", reason: "hangup", startedAt: at, endedAt: at } as never;
  await insertEndedCall(database.db, row as Parameters<typeof insertEndedCall>[1], end);
  return (body) => {
    nr += 1;
    return {
      id: `evt_followed_${nr}`,
      sessionId,
      orgId,
      seq: nr,
      at: at.toISOString(),
      ...body,
    } as CallEvent;
  };
}
const ENDED = { type: "call.ended", reason: "hangup", status: "completed" };

it("a phone call that is over is hung up, even if the process that recorded its end died at once", async () => {
  const event = await call("twilio");
  const ended = event(ENDED);
  const dying = await start();
  await dying.stop();
  await dying.record([ended], { isTold: false });
  await start();
  await expect.poll(() => asked).toContain(`hang up ${ended.sessionId}`);
  expect(asked).toContain("count twilio completed");
});

it("a carrier that does not answer is asked again, and one that refuses is not", async () => {
  const event = await call("telnyx");
  const errors = [new AppError("unavailable", "Telnyx does not answer."), new AppError("bad_request", "No.")];
  const { record } = await start(() => errors.shift());
  const ended = event(ENDED);
  const hangUps = () => asked.filter((one) => one === `hang up ${ended.sessionId}`);
  await record([ended]);
  await expect.poll(hangUps).toHaveLength(1);
  await expect
    .poll(() => {
      clock.advance(RETRY_MS);
      return hangUps();
    })
    .toHaveLength(2);
  clock.advance(POLL_MS);
  const { count } = await database.db
    .selectFrom("jobs")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("kind", "=", "follow_phone_call")
    .where("state", "=", "dead")
    .executeTakeFirstOrThrow();
  expect([count, hangUps().length]).toEqual(["0", 2]);
});

it("a transfer that an agent asks for is made, although the process that recorded it died", async () => {
  const event = await call("twilio");
  const wish = event({ type: "call.transfer_requested", to: "+4930123456", mode: "blind" });
  const dying = await start();
  await dying.stop();
  await dying.record([wish], { isTold: false });
  await start();
  await expect.poll(() => asked).toEqual([`transfer ${wish.sessionId} to +4930123456`]);
});

it("nothing is asked of a carrier about a call without a phone, but for a transfer, which is refused there", async () => {
  const event = await call(null);
  const wish = event({ type: "call.transfer_requested", to: "+4930123456", mode: "blind" });
  const { record } = await start();
  await record([event(ENDED), wish]);
  await expect.poll(() => asked).toEqual([`transfer ${wish.sessionId} to +4930123456`]);
});
