import { CALL_EVENTS_STREAM } from "@parley/shared/contracts/call-events.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { TestRedisCluster } from "../../testkit/redis-cluster.ts";
import { expectRecordedOnce } from "./support/expect-recorded.ts";
import { Installation } from "./support/installation.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

describe.runIf(needs("redis") && needs("postgres"))(
  "a Redis Cluster that loses a master under live calls",
  () => {
    let parley: Installation;
    let cluster: TestRedisCluster;
    beforeAll(async () => {
      [parley, cluster] = await Promise.all([Installation.start(), TestRedisCluster.start()]);
      const env = { REDIS_URL: cluster.url, EVENT_LANES: "6" };
      await Promise.all([parley.startControlApi(env), parley.startGateway(env)]);
    });
    afterAll(async () => {
      await parley.remove();
      await cluster.remove();
    });

    it("drops no call and loses no event", DRILL, async () => {
      const { calls: count } = sizeOf("clusterFailover");
      const calls = await parley.calls(count);
      await Promise.all(calls.map((call) => call.ask("Can you hear me?")));
      await cluster.killMasterOf(`parley:${CALL_EVENTS_STREAM}`);
      await Promise.all(calls.map((call) => call.ask("And now?")));
      const closed = await Promise.all(calls.map((call) => call.hangUp()));
      expect(new Set(closed.map(({ code }) => code))).toEqual(new Set([1000]));
      await expectRecordedOnce(parley, calls);
    });
  },
);
