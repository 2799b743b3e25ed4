import { commandChannel } from "@parley/shared/contracts/call-commands.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestCallee } from "../../../testkit/callee.ts";
import { TestCaller } from "../../../testkit/caller.ts";
import { FaultyBus } from "../../../testkit/faulty-bus.ts";
import { STAY, TestSoftphones } from "../../../testkit/softphones.ts";
import type { TestTelephony } from "../../../testkit/telephony.ts";

const faulty = new FaultyBus();
let softphones: TestSoftphones;
let phones: TestTelephony;
let ada: TestCallee;
beforeAll(async () => {
  softphones = await TestSoftphones.start({ apiBus: (bus) => faulty.wrap(bus) });
  phones = softphones.telephony;
  const { orgId, keys } = phones.organization;
  ada = await TestCallee.create(phones.api, { orgId, key: keys.developer });
});
afterAll(() => softphones.close());

/** A call that rings, on the gateway as well as on two devices. */
async function ringing() {
  const [desk, mobile] = [await ada.listen(), await ada.listen()];
  const { sessionId } = await ada.ring([STAY]);
  for (const device of [desk, mobile]) await device.untilTold(sessionId, "ringing");
  await expect.poll(() => softphones.heardBy(sessionId).length).toBeGreaterThan(0);
  return { sessionId, devices: [desk, mobile] };
}

const answer = (sessionId: string) => ada.call("POST", `/api/sessions/${sessionId}/answer`);

/** One of the devices answers, talks, and hangs up. */
async function takes(sessionId: string): Promise<void> {
  const softphone = await TestCaller.start((await ada.answer(sessionId)).websocketUrl);
  onTestFinished(() => softphone.drop());
  await softphone.next("leg", ({ state }) => state === "live");
  softphone.send({ type: "hangup" });
  await phones.untilStatus(sessionId, "completed");
  expect((await softphones.eventsOf(sessionId)).filter((type) => type === "call.started")).toHaveLength(1);
}

describe("a call that somebody takes who cannot be connected", () => {
  it("because its gateway says nothing rings again on every device, and any of them takes it", async () => {
    const { sessionId, devices } = await ringing();
    faulty.loses = ({ channel }) => channel === commandChannel(sessionId);
    expect(await answer(sessionId)).toMatchObject({ status: 404, body: { code: "session_ended" } });
    faulty.loses = () => false;
    for (const device of devices) await device.untilTold(sessionId, "ringing", "answered", "ringing");
    expect((await phones.record(sessionId)).status).toBe("ringing");
    await (await ada.listen()).untilTold(sessionId, "ringing");
    await takes(sessionId);
    for (const device of devices)
      await device.untilTold(sessionId, "ringing", "answered", "ringing", "answered");
  });

  it("because the bus is away rings on, and no device is told that its caller hung up", async () => {
    for (let round = 0; round < 5; round++) {
      const { sessionId, devices } = await ringing();
      faulty.isAwayFor = ({ channel }) => channel === commandChannel(sessionId);
      expect((await answer(sessionId)).status).toBe(503);
      faulty.isAwayFor = () => false;
      await takes(sessionId);
      for (const device of devices) {
        await expect.poll(() => device.told(sessionId).at(-1)).toBe("answered");
        expect(device.told(sessionId)).not.toContain("hung_up");
        device.leave();
      }
    }
  });

  it("does not ring again when its caller gave up meanwhile", async () => {
    const { sessionId, devices } = await ringing();
    faulty.loses = ({ channel }) => channel === commandChannel(sessionId);
    const answered = answer(sessionId);
    for (const device of devices) await device.untilTold(sessionId, "ringing", "answered");
    const { call_sid } = await phones.api.database.db
      .selectFrom("calls")
      .select("call_sid")
      .where("session_id", "=", sessionId)
      .executeTakeFirstOrThrow();
    await phones.hangUpPhone(call_sid ?? "");
    await phones.untilStatus(sessionId, "no-answer");
    expect((await answered).status).toBe(404);
    expect((await phones.record(sessionId)).status).toBe("no-answer");
    faulty.loses = () => false;
    const next = await ringing();
    for (const device of devices) {
      await device.untilTold(next.sessionId, "ringing");
      await device.untilTold(sessionId, "ringing", "answered");
    }
    await phones.request("DELETE", `/api/sessions/${next.sessionId}`);
  });
});

describe("a device that answers and hears nothing of it", () => {
  const ask = (sessionId: string, key: string) => {
    const { accessToken: token } = ada.person;
    const headers = { "idempotency-key": key };
    return ada.api.call("POST", `/api/sessions/${sessionId}/answer`, { token, orgId: ada.orgId, headers });
  };

  it("gets the call when it asks again with its Idempotency-Key, and no other device does", async () => {
    const { sessionId } = await ringing();
    const keys = ["desk", "mobile"].map((device) => `${device}-${sessionId}`);
    const race = await Promise.all(keys.map((key) => ask(sessionId, key)));
    expect(race.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [winner = "", loser = ""] = race[0]?.status === 200 ? keys : keys.toReversed();
    const again = await ask(sessionId, winner);
    expect(again).toMatchObject({ status: 200, body: { data: { sessionId } } });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await ask(sessionId, loser)).status).toBe(409);
    const { websocketUrl } = again.body.data as { websocketUrl: string };
    const softphone = await TestCaller.start(websocketUrl);
    onTestFinished(() => softphone.drop());
    await softphone.next("leg", ({ state }) => state === "live");
    softphone.send({ type: "hangup" });
    await phones.untilStatus(sessionId, "completed");
    expect(await ask(sessionId, winner)).toMatchObject({ status: 404, body: { code: "session_ended" } });
  });

  it("gets the call when it asks again also where its first answer could not be written down", async () => {
    const { sessionId } = await ringing();
    const { db } = phones.api.database;
    await sql`alter table idempotent_requests add constraint no_answers check (status is null) not valid`.execute(
      db,
    );
    const drop = () =>
      sql`alter table idempotent_requests drop constraint if exists no_answers`
        .execute(db)
        .then(() => undefined);
    onTestFinished(drop);
    expect((await ask(sessionId, `unwritten-${sessionId}`)).status).toBe(500);
    await drop();
    expect(await ask(sessionId, `unwritten-${sessionId}`)).toMatchObject({
      status: 200,
      body: { data: { sessionId } },
    });
    await phones.request("DELETE", `/api/sessions/${sessionId}`);
  });

  it("may answer again with its key a call that rings on", async () => {
    const { sessionId } = await ringing();
    faulty.loses = ({ channel }) => channel === commandChannel(sessionId);
    expect((await ask(sessionId, `lost-${sessionId}`)).status).toBe(404);
    faulty.loses = () => false;
    expect((await ask(sessionId, `lost-${sessionId}`)).status).toBe(200);
    await phones.request("DELETE", `/api/sessions/${sessionId}`);
  });
});
