import { migrateToLatest } from "@parley/shared/database/migrate.ts";
import { type Database, openDatabase } from "@parley/shared/database/open.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Intend, type Once, once } from "./once.ts";

const LOCK_MS = 120_000;
const SESSION = "ses_1";

let database: Database;
let clock: ManualClock;
let keys = 0;
let work: { spent: number; recovered: boolean[] };
beforeAll(async () => {
  database = await openDatabase({});
  await migrateToLatest(database.db);
});
afterAll(() => database.close());
beforeEach(() => {
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  keys += 1;
  work = { spent: 0, recovered: [] };
});

/** Spends once it is meant, unless told otherwise. */
function ask(run?: (intend: Intend) => Promise<string>, more: Partial<Once<string>> = {}) {
  const spend = async (intend: Intend): Promise<string> => {
    await intend(SESSION);
    work.spent += 1;
    return "spent";
  };
  const request = { principal: "org_1:usr_1", route: "/calls", key: `key-${keys}`, body: { to: 1 } };
  const recover = async (sessionId: string, mayBeUnderWay: boolean) => {
    work.recovered.push(mayBeUnderWay);
    return mayBeUnderWay ? undefined : `what became of ${sessionId}`;
  };
  return once(
    request,
    { work: run ?? spend, recover, spentNothing: () => false, ...more },
    { database, clock },
  );
}

/** What is left of a request whose process died: its work never comes back. */
async function dieAfter(isIntended: boolean): Promise<void> {
  await new Promise<void>((died) => {
    void ask(async (intend) => {
      if (isIntended) await intend(SESSION);
      died();
      return new Promise(() => undefined);
    });
  });
}

describe("work that costs money", () => {
  it("is done once for one key, and its answer given again", async () => {
    expect(await ask()).toEqual({ result: "spent", isReplayed: false });
    expect(await ask()).toEqual({ result: "spent", isReplayed: true });
    expect(work).toEqual({ spent: 1, recovered: [] });
  });

  it("is done by another when the first died before it meant to spend, once its time is over", async () => {
    await dieAfter(false);
    await expect(ask()).rejects.toMatchObject({ code: "conflict", retryAfterSecs: 1 });
    clock.advance(LOCK_MS + 1);
    expect(await ask()).toEqual({ result: "spent", isReplayed: false });
    expect(work.spent).toBe(1);
  });

  it("is never done again when the first died after it meant to: what became of it is told", async () => {
    await dieAfter(true);
    await expect(ask()).rejects.toMatchObject({ code: "conflict" });
    clock.advance(LOCK_MS + 1);
    for (const _ of [1, 2])
      expect(await ask()).toEqual({ result: `what became of ${SESSION}`, isReplayed: true });
    expect(work).toEqual({ spent: 0, recovered: [true, false, false] });
  });

  it("is not gone on with by one that slept while another took its place", async () => {
    let wake: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let spentLate = 0;
    const late = ask(async (intend) => {
      await asleep;
      await intend(SESSION);
      spentLate += 1;
      return "late";
    });
    await expect.poll(() => ask().catch((error) => error.code)).toBe("conflict");
    clock.advance(LOCK_MS + 1);
    await ask();
    wake();
    await expect(late).rejects.toMatchObject({ code: "conflict" });
    expect({ ...work, spentLate }).toMatchObject({ spent: 1, spentLate: 0 });
    expect(await ask()).toEqual({ result: "spent", isReplayed: true });
  });

  it("that failed before it meant to spend, or surely spent nothing, may be tried again", async () => {
    const fail = new Error("no");
    const failLate = async (intend: Intend) => {
      await intend(SESSION);
      throw fail;
    };
    await expect(ask(() => Promise.reject(fail))).rejects.toBe(fail);
    await expect(ask(failLate, { spentNothing: (error) => error === fail })).rejects.toBe(fail);
    expect(await ask()).toEqual({ result: "spent", isReplayed: false });
  });

  it("that failed and may have spent is not tried again", async () => {
    const fail = async (intend: Intend) => {
      await intend(SESSION);
      throw new Error("no answer");
    };
    await expect(ask(fail)).rejects.toThrow("no answer");
    clock.advance(LOCK_MS + 1);
    expect(await ask()).toEqual({ result: `what became of ${SESSION}`, isReplayed: true });
    expect(work.spent).toBe(0);
  });
});
