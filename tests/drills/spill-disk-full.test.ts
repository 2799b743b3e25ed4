import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { type GatewayProcess, Installation } from "./support/installation.ts";
import { metricOf } from "./support/metric-of.ts";
import { DRILL, sizeOf } from "./support/sizes.ts";

/** A disk with room for the events of a turn of each call, and not for those of many. */
const ROOM_KIB_A_CALL = 2;
/** Two messages and the figures of the turn. */
const EVENTS_A_TURN = 3;

/** The kernel refuses every byte past a size, as a full disk does. */
describe.runIf(needs("redis") && needs("postgres"))("A disk that fills up while Redis is away", () => {
  const { calls: count } = sizeOf("spillDiskFull");
  let parley: Installation;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    parley = await Installation.start();
    await parley.startControlApi();
    const limits = { maxFileKib: ROOM_KIB_A_CALL * count };
    gateway = await parley.startGateway({ DRAIN_TIMEOUT_MS: "0" }, limits);
  });
  afterAll(() => parley.remove());

  const waiting = (): Promise<number> => metricOf(gateway, "parley_event_spill_size");
  const kept = (): Promise<number> => parley.keptEvents(gateway.nodeId).then(({ length }) => length);

  it("costs no later outage its copy on disk, and the gateway still ends", DRILL, async () => {
    const calls = await parley.calls(count);
    const turn = () => Promise.all(calls.map((call) => call.ask("Can you hear me?")));
    await turn();
    await parley.redis.crash();
    const refused = () =>
      gateway.server.logged("failed to keep waiting events on disk, they are in memory only").length;
    do await turn();
    while (refused() === 0);
    await turn();
    await parley.redis.restart();
    await expect.poll(waiting).toBe(0);

    await parley.redis.crash();
    await turn();
    await expect.poll(waiting).toBe(EVENTS_A_TURN * count);
    await expect.poll(kept).toBe(EVENTS_A_TURN * count);

    gateway.server.signal("SIGTERM");
    expect(await gateway.server.untilExit()).toEqual({ code: 0, signal: null });
    expect(await kept()).toBeGreaterThanOrEqual((EVENTS_A_TURN + 1) * count);
  });
});
