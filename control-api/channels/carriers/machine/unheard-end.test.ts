// Real time: a control API waits three seconds for a gateway's answer.
import { commandChannel } from "@parley/shared/contracts/call-commands.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FaultyBus, type Published } from "../../../../testkit/faulty-bus.ts";
import { TestTelephony } from "../../../../testkit/telephony.ts";

const MAILBOX = "+12025550601";
const HOURS_MS = 7_200_000;

const faulty = new FaultyBus();
let phones: TestTelephony;
beforeAll(async () => {
  phones = await TestTelephony.start({ apiBus: (bus) => faulty.wrap(bus) });
  phones.phone(MAILBOX, {
    ringMs: 50,
    outcome: "answers",
    answeredBy: "machine_start",
    steps: [
      { do: "wait", ms: 1_000 },
      { do: "say", text: "You have reached the voice mail of Ada. Please leave a message after the beep." },
      { do: "wait", ms: HOURS_MS },
    ],
  });
});
afterAll(() => phones.close());
beforeEach(() => {
  faulty.loses = () => false;
  faulty.isAwayFor = () => false;
});

const isEndOf =
  (sessionId: string) =>
  ({ channel, payload }: Published): boolean => {
    if (channel !== commandChannel(sessionId)) return false;
    const { payload: order } = JSON.parse(payload) as { payload: string };
    return (JSON.parse(order) as { command: string }).command === "end";
  };

describe("a call to a machine that its gateway does not end", () => {
  it.each([
    ["because it does not hear of it", "loses"],
    ["because the bus is away", "isAwayFor"],
  ] as const)("is hung up at the carrier: %s", async (_why, fault) => {
    const { sessionId } = await phones.dial(MAILBOX, { machineDetection: "true" });
    faulty[fault] = isEndOf(sessionId);
    const { durationSecs } = await phones.untilStatus(sessionId, "completed");
    expect(durationSecs).toBeLessThan(60);
  });
});
