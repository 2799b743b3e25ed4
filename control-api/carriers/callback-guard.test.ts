import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { REMEMBER_TIMED_MS, takeOnce } from "./callback-guard.ts";

const said = { events: [], once: "nonce-1", rememberMs: REMEMBER_TIMED_MS };
let clock: ManualClock;
let keys: ReturnType<typeof createMemoryBus>["keys"];
beforeEach(() => {
  clock = new ManualClock();
  ({ keys } = createMemoryBus({ clock }));
});

function take(more: object = {}, work = async () => "done"): Promise<string> {
  return takeOnce({ ...said, ...more }, { connectionId: "con_1", keys }, work);
}

describe("a callback", () => {
  it("is taken once, as long as it would pass for genuine, and then forgotten", async () => {
    expect(await take()).toBe("done");
    clock.advance(REMEMBER_TIMED_MS - 1);
    await expect(take()).rejects.toMatchObject({ code: "unauthorized" });
    clock.advance(2);
    expect(await keys.list("")).toEqual(new Map());
  });

  it("of another nonce or another account is another", async () => {
    await take();
    expect(await take({ once: "nonce-2" })).toBe("done");
    const elsewhere = takeOnce(said, { connectionId: "con_2", keys }, async () => "done");
    expect(await elsewhere).toBe("done");
  });

  it("that could not be dealt with may come again", async () => {
    const away = new Error("the database is away");
    await expect(take({}, () => Promise.reject(away))).rejects.toBe(away);
    expect(await take()).toBe("done");
  });

  it("of any length takes up as little", async () => {
    await take({ once: "x".repeat(100_000) });
    const [key = ""] = (await keys.list("callback:")).keys();
    expect(key).toHaveLength("callback:con_1:".length + 64);
  });
});
