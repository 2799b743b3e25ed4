import { describe, expect, it } from "vitest";
import { createMemoryBus } from "../bus/memory.ts";
import { SCRAPE_HEARTBEAT_MS, SCRAPE_TTL_MS } from "../contracts/scrape-targets.ts";
import { createLogger } from "../log.ts";
import { ManualClock } from "../manual-clock.ts";
import { announceTarget, listTargets } from "./scrape-list.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const TARGET = { job: "gateway", address: "10.0.0.7:8090" } as const;

function setUp() {
  const clock = new ManualClock();
  const { keys } = createMemoryBus({ clock });
  const link = { isAway: false };
  const set = async (...args: Parameters<typeof keys.set>): Promise<void> => {
    if (link.isAway) throw new Error("away");
    await keys.set(...args);
  };
  const leave = announceTarget(TARGET, { keys: { set, delete: (key) => keys.delete(key) }, clock, log });
  return { clock, keys, link, leave };
}

describe("a process on the list that Prometheus reads", () => {
  it("leaves it at once when it ends", async () => {
    const { keys, leave } = setUp();
    expect(await listTargets(keys)).toEqual([TARGET]);
    await leave();
    expect(await listTargets(keys)).toEqual([]);
  });

  it("stays for as long as it announces itself, and ten minutes longer when it died", async () => {
    const { clock, keys, link } = setUp();
    await clock.advance(10 * SCRAPE_TTL_MS);
    expect(await listTargets(keys)).toEqual([TARGET]);
    link.isAway = true;
    await clock.advance(SCRAPE_TTL_MS - SCRAPE_HEARTBEAT_MS);
    expect(await listTargets(keys)).toEqual([TARGET]);
    await clock.advance(2 * SCRAPE_HEARTBEAT_MS);
    expect(await listTargets(keys)).toEqual([]);
  });

  it("comes back to it after the bus lost everything, or was away", async () => {
    const { clock, keys, link } = setUp();
    link.isAway = true;
    await clock.advance(SCRAPE_HEARTBEAT_MS);
    await keys.delete("scrape:gateway:10.0.0.7:8090");
    expect(await listTargets(keys)).toEqual([]);
    link.isAway = false;
    await clock.advance(SCRAPE_HEARTBEAT_MS);
    expect(await listTargets(keys)).toEqual([TARGET]);
  });

  it("is listed although another entry cannot be read", async () => {
    const { keys } = setUp();
    const odd = ["", "{", "null", '{"job":"gateway"}', '{"job":"other","address":"10.0.0.8:8090"}'];
    for (const [nr, text] of odd.entries()) await keys.set(`scrape:odd:${nr}`, text, SCRAPE_TTL_MS);
    expect(await listTargets(keys)).toEqual([TARGET]);
  });
});
