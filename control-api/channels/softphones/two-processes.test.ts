import { describe, expect, it, onTestFinished } from "vitest";
import { timesRecorded } from "../../../testkit/call-events.ts";
import { TestCallee } from "../../../testkit/callee.ts";
import { TestCaller } from "../../../testkit/caller.ts";
import { TestGateway } from "../../../testkit/gateway.ts";
import { needs } from "../../../testkit/needs.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import { STAY } from "../../../testkit/softphones.ts";
import { startTwoApis } from "../../../testkit/two-apis.ts";

describe.runIf(needs("redis") && needs("postgres"))("two control APIs", () => {
  it("let one of many devices answer, whichever they ask, and tell all of them", async () => {
    const nodes = await startTwoApis();
    onTestFinished(() => nodes.close());
    const { one, other } = nodes;
    const gateway = await TestGateway.start({
      bus: await nodes.openBus(),
      keys: one.keys,
      env: { DATA_DIR: one.dataDir },
    });
    onTestFinished(() => gateway.close());
    const { orgId, keys } = await createOrganization(one.database);
    const ada = await TestCallee.create(one, { orgId, key: keys.developer });
    const devices = [await ada.listen(one), await ada.listen(other)];

    const answered = await ada.ring([STAY]);
    for (const device of devices) await device.untilTold(answered.sessionId, "ringing");
    const path = `/api/sessions/${answered.sessionId}/answer`;
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) => ada.call("POST", path, undefined, i % 2 === 0 ? one : other)),
    );
    const statuses = all.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
    for (const device of devices) await device.untilTold(answered.sessionId, "ringing", "answered");
    const won = all.find(({ status }) => status === 200)?.body.data as { websocketUrl: string };
    const softphone = await TestCaller.start(won.websocketUrl);
    await softphone.next("leg", ({ state }) => state === "live");

    // The phone lives in the first, and is hung up on by the second.
    const declined = await ada.ring([STAY]);
    for (const device of devices) await device.untilTold(declined.sessionId, "ringing");
    const refusal = await ada.call("POST", `/api/sessions/${declined.sessionId}/decline`, undefined, other);
    expect(refusal.status).toBe(200);
    for (const device of devices) await device.untilTold(declined.sessionId, "ringing", "declined");
    const statusOf = async (sessionId: string) =>
      (await one.call("GET", `/api/v1/calls/${sessionId}`, { key: keys.developer })).body.status;
    await expect.poll(() => statusOf(declined.sessionId)).toBe("busy");

    softphone.send({ type: "hangup" });
    await expect.poll(() => statusOf(answered.sessionId)).toBe("completed");
    for (const { sessionId } of [answered, declined]) {
      expect(await timesRecorded(one.database, sessionId, "call.ended")).toBe(1);
    }
  });
});
