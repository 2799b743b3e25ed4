import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestCallee } from "../../../testkit/callee.ts";
import { TestCaller } from "../../../testkit/caller.ts";
import { STAY, TestSoftphones } from "../../../testkit/softphones.ts";

const RINGS_MS = 1_500;
let softphones: TestSoftphones;
let ada: TestCallee;
beforeAll(async () => {
  softphones = await TestSoftphones.start({ memberRingsMs: RINGS_MS });
  const { api, organization } = softphones.telephony;
  ada = await TestCallee.create(api, { orgId: organization.orgId, key: organization.keys.developer });
});
afterAll(() => softphones.close());

describe("a call that rings for a member", () => {
  it("ends as no-answer when its time is over, for its caller and for every device", async () => {
    const device = await ada.listen();
    const { sessionId } = await ada.ring([STAY]);
    await device.untilTold(sessionId, "ringing", "timed_out");
    expect(await softphones.telephony.untilStatus(sessionId, "no-answer")).toMatchObject({
      endReason: "no_answer",
      startTime: null,
      recording: null,
    });
    expect(await softphones.eventsOf(sessionId)).toEqual(["call.ended"]);
    const late = await ada.call("POST", `/api/sessions/${sessionId}/answer`);
    expect(late).toMatchObject({ status: 404, body: { code: "session_ended" } });
  });

  it("waits longer for the softphone of somebody who has answered", async () => {
    const { sessionId } = await ada.ring([STAY]);
    await expect.poll(() => softphones.heardBy(sessionId).length).toBeGreaterThan(0);
    const { websocketUrl } = await ada.answer(sessionId);
    const answeredMs = performance.now();
    await expect.poll(() => performance.now() - answeredMs).toBeGreaterThan(RINGS_MS);
    const softphone = await TestCaller.start(websocketUrl);
    onTestFinished(() => softphone.drop());
    await softphone.next("leg", ({ state }) => state === "live");
    softphone.send({ type: "hangup" });
    await softphones.telephony.untilStatus(sessionId, "completed");
  });
});
