import { liveCallKey } from "@parley/shared/contracts/call-plan.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { needs } from "../../testkit/needs.ts";
import { tellRedis } from "../../testkit/redis.ts";
import { type GatewayProcess, Installation } from "./support/installation.ts";
import { DRILL } from "./support/sizes.ts";

/** A heartbeat, and a reconnect that backs off. */
const TOLD_AGAIN_WITHIN_MS = 60_000;

/** A Redis without a disk, or one whose data was lost with its machine. */
describe.runIf(needs("redis") && needs("postgres"))("Redis that comes back empty under live calls", () => {
  let parley: Installation;
  let holder: GatewayProcess;
  let other: GatewayProcess;
  beforeAll(async () => {
    parley = await Installation.start();
    await parley.startControlApi();
    holder = await parley.startGateway();
  });
  afterAll(() => parley.remove());

  /** A watcher on the node that does not hold the call, and what it is told. */
  async function watch(sessionId: string): Promise<{ socket: WebSocket; topics: string[] }> {
    const url = new URL(await parley.streamUrl(sessionId));
    url.port = new URL(other.publicUrl).port;
    const topics: string[] = [];
    const socket = new WebSocket(url);
    socket.on("message", (data) => topics.push(JSON.parse(String(data)).topic));
    await new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    return { socket, topics };
  }

  it("keeps those who watch, lets others watch, and ends what is over", DRILL, async () => {
    const call = await parley.call();
    await call.ask("Can you hear me?");
    other = await parley.startGateway();
    const { topics } = await watch(call.sessionId);
    await call.ask("And now?");
    await expect.poll(() => topics).toContain("call.turn");
    topics.length = 0;
    const heldBy = (): Promise<string> =>
      tellRedis(parley.redis.port, `GET parley:${liveCallKey(call.sessionId)}`);

    await parley.redis.lose();
    expect(await heldBy()).toBe("$-1\r\n");
    await expect.poll(heldBy, { timeout: TOLD_AGAIN_WITHIN_MS }).toContain(holder.nodeId);
    const late = await watch(call.sessionId);
    await call.ask("And after it?");
    await expect.poll(() => topics).toContain("call.turn");
    expect(topics).not.toContain("call.ended");
    expect((await call.hangUp()).code).toBe(1000);
    for (const told of [topics, late.topics]) await expect.poll(() => told.at(-1)).toBe("call.ended");
  });
});
