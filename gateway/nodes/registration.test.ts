import type { Keys } from "@parley/shared/bus/bus.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import {
  type GatewayNode,
  gatewayNodeSchema,
  NODE_HEARTBEAT_MS,
  NODE_TTL_MS,
  nodeKey,
} from "@parley/shared/contracts/gateway-nodes.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { startRegistration } from "./registration.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function setUp({ isAway = false } = {}) {
  const clock = new ManualClock();
  const bus = createMemoryBus({ clock });
  const link = { isAway, outages: 0 };
  let forgotten = 0;
  const check = (): void => {
    if (link.isAway) throw new Error("away");
  };
  const keys: Pick<Keys, "get" | "set" | "delete"> = {
    get: async (key) => {
      check();
      return bus.keys.get(key);
    },
    set: async (...args) => {
      check();
      await bus.keys.set(...args);
    },
    delete: async (key) => {
      check();
      await bus.keys.delete(key);
    },
  };
  const node: GatewayNode = {
    nodeId: "nod_1",
    publicUrl: "ws://127.0.0.1:1",
    calls: 0,
    maxCalls: 10,
    draining: false,
    sttVendors: [],
  };
  let current = node;
  const registration = await startRegistration({
    keys,
    clock,
    log,
    describe: () => current,
    outages: () => link.outages,
    onForgotten: () => {
      forgotten += 1;
    },
  });
  const listed = async (): Promise<GatewayNode | undefined> => {
    const text = await bus.keys.get(nodeKey("nod_1"));
    return text === undefined ? undefined : gatewayNodeSchema.parse(JSON.parse(text));
  };
  const become = (change: Partial<GatewayNode>): void => {
    current = { ...node, ...change };
  };
  /** Time goes by a heartbeat at a time, as it does for a process that lives. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += NODE_HEARTBEAT_MS) {
      clock.advance(NODE_HEARTBEAT_MS);
      await settle();
    }
  };
  const lose = () => bus.keys.delete(nodeKey("nod_1"));
  return { link, registration, listed, become, pass, lose, forgotten: () => forgotten };
}

describe("a node's registration", () => {
  it("outlives its lifetime while the node beats, and tells the load of the last beat", async () => {
    const { listed, become, pass } = await setUp();
    become({ calls: 7 });
    await pass(10 * NODE_TTL_MS);
    expect(await listed()).toMatchObject({ nodeId: "nod_1", calls: 7 });
  });

  it("changes at once when it is refreshed", async () => {
    const { registration, listed, become } = await setUp();
    become({ draining: true });
    await registration.refresh();
    expect(await listed()).toMatchObject({ draining: true });
  });

  it("comes back by itself when the bus was away, from the start too", async () => {
    const { link, listed, pass } = await setUp({ isAway: true });
    await pass(2 * NODE_TTL_MS);
    expect(await listed()).toBeUndefined();
    link.isAway = false;
    await pass(NODE_HEARTBEAT_MS);
    expect(await listed()).toBeDefined();
  });

  it("tells when the bus may have lost what the node has written, and only then", async () => {
    const { link, forgotten, lose, pass } = await setUp();
    const begun = forgotten();
    await pass(10 * NODE_HEARTBEAT_MS);
    expect(forgotten()).toBe(begun);
    await lose();
    await pass(NODE_HEARTBEAT_MS);
    expect(forgotten()).toBe(begun + 1);
    link.outages += 1;
    await pass(NODE_HEARTBEAT_MS);
    expect(forgotten()).toBe(begun + 2);
    await pass(10 * NODE_HEARTBEAT_MS);
    expect(forgotten()).toBe(begun + 2);
  });

  it("is gone when the node stops, and does not come back", async () => {
    const { registration, listed, pass } = await setUp();
    await registration.stop();
    await pass(NODE_TTL_MS);
    expect(await listed()).toBeUndefined();
  });

  it("stops without an error while the bus is away", async () => {
    const { link, registration } = await setUp();
    link.isAway = true;
    await expect(registration.stop()).resolves.toBeUndefined();
  });
});
