import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AckGate } from "../../testkit/ack-gate.ts";
import { needs } from "../../testkit/needs.ts";
import { expectRecordedOnce } from "./support/expect-recorded.ts";
import { Installation } from "./support/installation.ts";
import { metricAt } from "./support/metric-of.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";
import { untilCaughtUp } from "./support/until-caught-up.ts";

describe.runIf(needs("redis") && needs("postgres"))(
  "An event projector killed between commit and acknowledge",
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
      const projector = await parley.startControlApi({ REDIS_URL: gate.url });
      await parley.startGateway();
      const calls = await parley.calls(sizeOf("recorderKilled").calls);
      await Promise.all(calls.map((call) => call.ask("Can you hear me?")));
      // The event projector acknowledges after its commit: when its word is held up here, the commit is done.
      const withheld = gate.withhold();
      const asked = Promise.all(calls.map((call) => call.ask("And now?")));
      await withheld;
      await projector.kill();
      await asked;

      await parley.startControlApi();
      await Promise.all(calls.map((call) => call.ask("And after it?")));
      await Promise.all(calls.map((call) => call.hangUp()));
      await untilCaughtUp(parley);
      await expectRecordedOnce(parley, calls);
      expect(await metricAt(parley.apiUrl, "parley_recorder_duplicates_total")).toBeGreaterThan(0);
    });
  },
);
