import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { CALL_EVENTS_STREAM, RECORDER_GROUP } from "@parley/shared/contracts/call-events.ts";
import { createLogger } from "@parley/shared/log.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AckGate } from "../support/ack-gate.ts";
import { needs } from "../support/needs.ts";
import { expectRecordedOnce } from "./support/expect-recorded.ts";
import { Installation } from "./support/installation.ts";
import { metricAt } from "./support/metric-of.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

/** What a dead recorder had taken is claimed after 10 s; the rest is patience. */
const CAUGHT_UP_WITHIN_MS = 60_000;

describe.runIf(needs("redis") && needs("postgres"))(
  "A recorder killed between commit and acknowledge",
  () => {
    let parley: Installation;
    let gate: AckGate;
    beforeAll(async () => {
      parley = await Installation.start();
      gate = await AckGate.start(parley.redis.port);
    });
    afterAll(async () => {
      gate.close();
      await parley.remove();
    });

    it("leaves no event unrecorded and none recorded twice", DRILL, async () => {
      const recorder = await parley.startControlApi({ REDIS_URL: gate.url });
      await parley.startGateway();
      const calls = await parley.calls(sizeOf("recorderKilled").calls);
      await Promise.all(calls.map((call) => call.ask("Can you hear me?")));
      // The recorder acknowledges after its commit: when its word is held up here, the commit is done.
      const withheld = gate.withhold();
      const asked = Promise.all(calls.map((call) => call.ask("And now?")));
      await withheld;
      await recorder.kill();
      await asked;

      await parley.startControlApi();
      await Promise.all(calls.map((call) => call.ask("And after it?")));
      await Promise.all(calls.map((call) => call.hangUp()));
      await expectCaughtUp();
      await expectRecordedOnce(parley, calls);
      expect(await metricAt(parley.apiUrl, "parley_recorder_duplicates_total")).toBeGreaterThan(0);
    });

    async function expectCaughtUp(): Promise<void> {
      const log = createLogger({ level: "silent", format: "json", name: "drill" });
      const bus = await connectRedisBus({ url: parley.redis.url, log });
      const backlog = (): Promise<number> => bus.streams.backlog(CALL_EVENTS_STREAM, RECORDER_GROUP);
      await expect.poll(backlog, { timeout: CAUGHT_UP_WITHIN_MS, interval: 100 }).toBe(0);
      await bus.close();
    }
  },
);
