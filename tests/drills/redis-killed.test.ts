import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import type { ServerProcess } from "../../testkit/server-process.ts";
import { elapsed } from "./support/elapsed.ts";
import { expectRecordedOnce } from "./support/expect-recorded.ts";
import { type GatewayProcess, Installation } from "./support/installation.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

/**
 * A Redis that keeps nothing on disk loses what it held; no client can mend that. The drill's Redis keeps
 * an append-only file and syncs it before it answers, as a production one has to when no event may be lost.
 */
describe.runIf(needs("redis") && needs("postgres"))("Redis killed and restarted under live calls", () => {
  let parley: Installation;
  let projector: ServerProcess;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    parley = await Installation.start();
    projector = await parley.startControlApi();
    gateway = await parley.startGateway();
  });
  afterAll(() => parley.remove());

  it("drops no call, leaves no turn unanswered and loses and doubles no event", DRILL, async () => {
    const { calls: count, awayMs } = sizeOf("redisKilled");
    const calls = await parley.calls(count);
    // What happens from here on is in Redis only when it dies.
    projector.signal("SIGSTOP");
    await Promise.all(calls.map((call) => call.ask("Can you hear me?")));
    await parley.redis.crash();
    const away = elapsed(awayMs);
    await Promise.all(calls.map((call) => call.ask("And now?")));
    projector.signal("SIGCONT");
    await away;
    await parley.redis.restart();
    await Promise.all(calls.map((call) => call.ask("And after it?")));
    const closed = await Promise.all(calls.map((call) => call.hangUp()));
    expect(new Set(closed.map(({ code }) => code))).toEqual(new Set([1000]));
    await expectRecordedOnce(parley, calls);
    await expect.poll(() => gateway.server.logged("Redis is back").length).toBe(1);
    expect(gateway.server.logged("failed to reach Redis, reconnecting")).toHaveLength(1);
  });
});
