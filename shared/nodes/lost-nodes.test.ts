import { describe, expect, it } from "vitest";
import { createMemoryBus } from "../bus/memory.ts";
import { NODE_HEARTBEAT_MS, NODE_TTL_MS, nodeKey } from "../contracts/gateway-nodes.ts";
import { ManualClock } from "../manual-clock.ts";
import { LostNodes } from "./lost-nodes.ts";

function setUp() {
  const clock = new ManualClock();
  const { keys } = createMemoryBus({ clock });
  const link = { isAway: false };
  const get = async (key: string): Promise<string | undefined> => {
    if (link.isAway) throw new Error("away");
    return keys.get(key);
  };
  const register = () => keys.set(nodeKey("nod_1"), "{}", NODE_TTL_MS);
  const writes = { acceptedForMs: Number.POSITIVE_INFINITY };
  const bus = { keys: { get }, writableForMs: () => writes.acceptedForMs };
  return { clock, link, register, writes, nodes: new LostNodes({ bus, clock }) };
}

describe("a node", () => {
  it("is not lost while it is registered, nor when it is late once", async () => {
    const { clock, nodes, register } = setUp();
    await register();
    expect(await nodes.isLost("nod_1")).toBe(false);
    clock.advance(NODE_TTL_MS);
    expect(await nodes.isLost("nod_1")).toBe(false);
    await register();
    clock.advance(NODE_TTL_MS / 2);
    expect(await nodes.isLost("nod_1")).toBe(false);
  });

  it("is lost when it stays away", async () => {
    const { clock, nodes } = setUp();
    expect(await nodes.isLost("nod_1")).toBe(false);
    clock.advance(NODE_TTL_MS / 2);
    expect(await nodes.isLost("nod_1")).toBe(true);
  });

  it("gets its time again after the bus was away, for it could not register either", async () => {
    const { clock, link, nodes } = setUp();
    expect(await nodes.isLost("nod_1")).toBe(false);
    link.isAway = true;
    clock.advance(60_000);
    await expect(nodes.isLost("nod_1")).rejects.toThrow();
    link.isAway = false;
    expect(await nodes.isLost("nod_1")).toBe(false);
    clock.advance(NODE_TTL_MS / 2);
    expect(await nodes.isLost("nod_1")).toBe(true);
  });

  it("gets its time again after the bus took no writes, which reads do not tell", async () => {
    const { clock, nodes, writes } = setUp();
    writes.acceptedForMs = 0;
    expect(await nodes.isLost("nod_1")).toBe(false);
    clock.advance(60_000);
    expect(await nodes.isLost("nod_1")).toBe(false);
    writes.acceptedForMs = NODE_TTL_MS + NODE_HEARTBEAT_MS - 1;
    expect(await nodes.isLost("nod_1")).toBe(false);
    writes.acceptedForMs += 1;
    expect(await nodes.isLost("nod_1")).toBe(true);
  });
});
