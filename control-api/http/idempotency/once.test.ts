import { createHash } from "node:crypto";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lentDatabase } from "../../../testkit/lent-database.ts";
import type { Database } from "../../database/open.ts";
import { type Intend, type Once, once } from "./once.ts";

const LOCK_MS = 120_000;
const SESSION = "ses_1";

let database: Database;
let clock: ManualClock;
let keys = 0;
let work: { spent: number; recovered: boolean[] };
beforeAll(async () => {
  database = await lentDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  keys += 1;
  work = { spent: 0, recovered: [] };
});

/** Spends once it is meant, unless told otherwise. */
function ask(
  run?: (intend: Intend) => Promise<string>,
  { body = { to: 1 }, ...more }: Partial<Once<string>> & { body?: unknown } = {},
) {
  const spend = async (intend: Intend): Promise<string> => {
    await intend(SESSION);
    work.spent += 1;
    return "spent";
  };
  const request = { principal: "org_1:usr_1", route: "/calls", key: `key-${keys}`, body };
  const recover = async (sessionId: string, mayBeInFlight: boolean) => {
    work.recovered.push(mayBeInFlight);
    return mayBeInFlight ? undefined : `what became of ${sessionId}`;
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
  it("is the same work whatever the order of its body's keys", async () => {
    await ask(undefined, { body: { to: 1, variables: { a: "1", b: "2" }, list: [{ x: 1, y: 2 }] } });
    const again = { list: [{ y: 2, x: 1 }], variables: { b: "2", a: "1" }, to: 1 };
    expect(await ask(undefined, { body: again })).toEqual({ result: "spent", isReplayed: true });
    const another = { ...again, list: [{ y: 1, x: 2 }] };
    await expect(ask(undefined, { body: another })).rejects.toMatchObject({ code: "bad_request" });
  });

  it("is known by the hash that earlier releases wrote down", async () => {
    const body = { to: 1, from: 2 };
    await ask(undefined, { body });
    const bodyHash = createHash("sha256").update(JSON.stringify(body)).digest("hex");
    const ours = database.db.updateTable("idempotent_requests").where("key", "=", `key-${keys}`);
    await ours.set({ body_hash: bodyHash }).execute();
    expect(await ask(undefined, { body })).toMatchObject({ isReplayed: true });
  });

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
    const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: asleep, resolve: wake } = Promise.withResolvers<void>();
    let spentLate = 0;
    const late = ask(async (intend) => {
      begin();
      await asleep;
      await intend(SESSION);
      spentLate += 1;
      return "late";
    });
    await isBegun;
    await expect(ask()).rejects.toMatchObject({ code: "conflict" });
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
