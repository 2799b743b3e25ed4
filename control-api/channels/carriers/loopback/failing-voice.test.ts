import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestCallee } from "../../../../testkit/callee.ts";
import { TestCaller } from "../../../../testkit/caller.ts";
import { STAY, TestSoftphones } from "../../../../testkit/softphones.ts";
import type { TestTelephony } from "../../../../testkit/telephony.ts";

const SPEAKS = [{ do: "say", text: "Good morning." }, STAY] as const;
let softphones: TestSoftphones;
let phones: TestTelephony;
/** What the voice waits for before it fails. */
let ready: Promise<void> = Promise.resolve();
/** What would have ended the process. */
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => {
  unhandled.push(reason);
};

beforeAll(async () => {
  const say = async (): Promise<never> => {
    await ready;
    throw new Error("no voice");
  };
  const voice = { say, close: async () => undefined };
  softphones = await TestSoftphones.start({ voice });
  phones = softphones.telephony;
});
afterAll(() => softphones.close());
beforeEach(() => {
  process.on("unhandledRejection", onUnhandled);
});
afterEach(() => {
  process.off("unhandledRejection", onUnhandled);
  expect(unhandled.splice(0)).toEqual([]);
});

describe("a simulated phone whose voice fails", () => {
  it("hangs up when it was called, and the log says why", async () => {
    const { call } = await softphones.talkTo(softphones.phone(SPEAKS));
    expect(await phones.untilStatus(call.sessionId, "completed")).toMatchObject({ endReason: null });
    const line = phones.api.logged.find((entry) => entry.includes(call.callSid ?? ""));
    expect(line).toContain("no voice");
  });

  it("hangs up when it called", async () => {
    const { orgId, keys } = phones.organization;
    const ada = await TestCallee.create(phones.api, { orgId, key: keys.developer });
    // The call is answered before the softphone is there: a caller who hung up by then would leave it nothing to join.
    const there = Promise.withResolvers<void>();
    ready = there.promise;
    const { sessionId } = await ada.ring(SPEAKS);
    const softphone = await TestCaller.start((await ada.answer(sessionId)).websocketUrl);
    there.resolve();
    expect(await softphone.next("ended")).toMatchObject({ reason: "hangup" });
    expect(await phones.untilStatus(sessionId, "completed")).toMatchObject({ endReason: null });
  });

  it("takes no call over: the caller stays with the agent", async () => {
    const to = phones.phone("+12025550140", { ringMs: 50, outcome: "answers", steps: [STAY] });
    const colleague = phones.phone("+12025550141", { ringMs: 50, outcome: "answers", steps: [] });
    const { sessionId } = await phones.dial(to);
    await phones.untilStatus(sessionId, "in-progress");
    const order = { to: colleague, mode: "warm", whisper: "Ada, about her order." };
    expect((await phones.request("POST", `/api/sessions/${sessionId}/transfer`, order)).status).toBe(200);
    const asked = () =>
      phones.brain.turns
        .filter(({ request }) => request.sessionId === sessionId)
        .map(({ request }) => request.query);
    await expect.poll(asked, { timeout: 90_000 }).toEqual(["TRANSFER FAILED: declined"]);
    expect((await phones.request("DELETE", `/api/sessions/${sessionId}`)).status).toBe(200);
  });
});
