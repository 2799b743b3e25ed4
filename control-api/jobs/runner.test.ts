import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { startJobRunner } from "../../testkit/jobs.ts";
import { lentDatabase } from "../../testkit/lent-database.ts";
import type { Database } from "../database/open.ts";
import { deleteDeadJobs, listDeadJobs, rerunDeadJobs } from "./dead-jobs.ts";
import { every, handles, type JobHandler, type JobKind, JobRefused, type JobRun } from "./job-kind.ts";
import type { NewJob } from "./queue.ts";
import { LEASE_MS } from "./runner.ts";

const greet: JobKind<{ name: string }> = { name: "greet", payload: z.object({ name: z.string() }) };

let database: Database;
let clock: ManualClock;
let bus: ReturnType<typeof createMemoryBus>;
const runners: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  database = await lentDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  clock = new ManualClock();
  bus = createMemoryBus({ clock: systemClock });
});
afterEach(async () => {
  let isStopped = false;
  void Promise.all(runners.splice(0).map((runner) => runner.stop())).then(() => {
    isStopped = true;
  });
  await expect
    .poll(() => {
      clock.advance(1_500);
      return isStopped;
    })
    .toBe(true);
  await database.db.deleteFrom("jobs").execute();
  await bus.close();
});

function start(...handlers: JobHandler[]) {
  const started = startJobRunner(handlers, { database, clock, bus });
  runners.push(started.runner);
  return {
    ...started,
    add: async (job: NewJob<{ name: string }>) => {
      const id = await started.queue.add(database.db, greet, job);
      started.queue.announce();
      return id;
    },
  };
}

const stateOf = async (name: string) =>
  (await database.db.selectFrom("jobs").selectAll().execute()).find(
    ({ payload }) => (payload as { name?: string }).name === name,
  );
const untilState = (name: string, state: string) =>
  expect.poll(async () => (await stateOf(name))?.state).toBe(state);

/** A handler whose runs last until they are let go. */
function held(options: Parameters<typeof handles>[2] = {}) {
  const runs: (JobRun<{ name: string }> & { letGo: () => void })[] = [];
  const handler = handles(
    greet,
    (run) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      runs.push({ ...run, letGo: resolve });
      return promise;
    },
    options,
  );
  const names = () => runs.map(({ payload }) => payload.name);
  return { handler, runs, names };
}

it("a kind that somebody waits for on the line is claimed before all others", async () => {
  const begun: string[] = [];
  const kindOf = (name: string, isUrgent: boolean) => {
    const kind: JobKind<{ name: string }> = { name, payload: z.object({ name: z.string() }) };
    return { kind, handler: handles(kind, async () => void begun.push(name), { isUrgent }) };
  };
  const kinds = [kindOf("tidy", false), kindOf("report", false), kindOf("hang_up", true)];
  const { queue } = start();
  for (const { kind } of kinds) await queue.add(database.db, kind, { payload: { name: kind.name } });
  start(...kinds.map(({ handler }) => handler));
  await expect.poll(() => begun).toHaveLength(3);
  expect(begun[0]).toBe("hang_up");
});

describe("a job", () => {
  it("is there if what it follows from is committed, and is begun at once then", async () => {
    const { handler, names } = held();
    const { queue } = start(handler);
    const adding = database.db.transaction().execute(async (trx) => {
      await queue.add(trx, greet, { payload: { name: "nobody" } });
      throw new Error("rolled back");
    });
    await expect(adding).rejects.toThrow("rolled back");
    await database.db.transaction().execute((trx) => queue.add(trx, greet, { payload: { name: "Ada" } }));
    queue.announce();
    await expect.poll(names).toEqual(["Ada"]);
    expect(clock.monotonicMs()).toBe(0);
  });

  it("of another process is begun at once, and found by the poll when the bus is away", async () => {
    const { handler, names } = held();
    start(handler);
    const { queue } = startJobRunner([], { database, clock, bus });
    await queue.add(database.db, greet, { payload: { name: "Ada" } });
    queue.announce();
    await expect.poll(names).toEqual(["Ada"]);
    await queue.add(database.db, greet, { payload: { name: "Bo" } });
    clock.advance(5_000);
    await expect.poll(names).toEqual(["Ada", "Bo"]);
  });

  it("waits for its time", async () => {
    const { handler, names, runs } = held();
    const { add } = start(handler);
    await add({ payload: { name: "later" }, runAt: new Date(clock.wallMs() + 3_600_000) });
    await add({ payload: { name: "now" } });
    await expect.poll(names).toEqual(["now"]);
    runs[0]?.letGo();
    await untilState("now", "done");
    clock.advance(3_599_000);
    await untilState("later", "waiting");
    expect(names()).toEqual(["now"]);
    clock.advance(1_000);
    await expect.poll(names).toEqual(["now", "later"]);
  });

  it("runs alone among those with its key, beside all others", async () => {
    const { handler, names, runs } = held();
    const { add } = start(handler);
    for (const name of ["a1", "a2", "b"])
      await add({ payload: { name }, orgId: "org_1", key: name[0] ?? "" });
    await expect.poll(() => names().toSorted()).toEqual(["a1", "b"]);
    runs.find(({ payload }) => payload.name === "a1")?.letGo();
    await expect.poll(() => names().at(-1)).toBe("a2");
  });

  it("that was added with a name is there once, also after it was done", async () => {
    const { handler, names, runs } = held();
    const { add } = start(handler);
    expect(await add({ payload: { name: "Ada" }, once: "call 1" })).toBeDefined();
    expect(await add({ payload: { name: "Ada" }, once: "call 1" })).toBeUndefined();
    await expect.poll(names).toEqual(["Ada"]);
    runs[0]?.letGo();
    await untilState("Ada", "done");
    expect(await add({ payload: { name: "Ada" }, once: "call 1" })).toBeUndefined();
  });

  it("does not wait behind another organization's many", async () => {
    const { handler, names, runs } = held({ sideBySide: 1 });
    const { add } = start(handler);
    for (let i = 0; i < 20; i++) await add({ payload: { name: `big ${i}` }, orgId: "org_big" });
    await expect.poll(names).toHaveLength(1);
    await add({ payload: { name: "small" }, orgId: "org_small" });
    runs[0]?.letGo();
    await expect.poll(() => names().slice(1, 2)).toEqual(["small"]);
  });

  it("tells how far it is", async () => {
    const { handler, runs } = held();
    const { add } = start(handler);
    await add({ payload: { name: "Ada" } });
    await expect.poll(() => runs.length).toBe(1);
    await runs[0]?.progress({ pages: 3 });
    expect((await stateOf("Ada"))?.progress).toEqual({ pages: 3 });
  });
});

describe("a job that fails", () => {
  const failing = (error: () => Error) => {
    let runs = 0;
    const handler = handles(
      greet,
      async () => {
        runs += 1;
        throw error();
      },
      { attempts: 3, firstRetryMs: 1_000, longestRetryMs: 1_500 },
    );
    return { handler, count: () => runs };
  };

  it("is tried again later and later, and is put aside after its last try", async () => {
    const { handler, count } = failing(() => new Error("no answer"));
    const { add, logged, metrics } = start(handler);
    await add({ payload: { name: "Ada" } });
    await untilState("Ada", "waiting");
    await expect.poll(async () => (await stateOf("Ada"))?.error).toBe("no answer");
    clock.advance(999);
    expect(count()).toBe(1);
    clock.advance(1);
    await expect.poll(count).toBe(2);
    await expect.poll(async () => (await stateOf("Ada"))?.state).toBe("waiting");
    clock.advance(1_500);
    await untilState("Ada", "dead");
    expect(count()).toBe(3);
    expect(logged.join("")).toContain('"event":"job_dead"');
    const text = await metrics.text();
    expect(text).toContain('parley_jobs_total{kind="greet",outcome="failed"} 2');
    expect(text).toContain('parley_jobs_total{kind="greet",outcome="dead"} 1');
  });

  it("that was put aside is listed, run again by a command, or dropped", async () => {
    let isMended = false;
    const handler = handles(greet, async () => {
      if (!isMended) throw new JobRefused("never");
    });
    const { add, runner } = start(handler);
    await add({ payload: { name: "Ada" } });
    await add({ payload: { name: "Bo" } });
    await untilState("Ada", "dead");
    await untilState("Bo", "dead");
    const dead = await listDeadJobs(database);
    expect(dead).toMatchObject([
      { kind: "greet", payload: { name: "Ada" }, error: "never", attempts: 1 },
      { kind: "greet", payload: { name: "Bo" } },
    ]);
    isMended = true;
    expect(await rerunDeadJobs(database, [dead[0]?.id ?? ""], new Date(clock.wallMs()))).toBe(1);
    runner.wake();
    await untilState("Ada", "done");
    expect(await deleteDeadJobs(database, [dead[1]?.id ?? ""])).toBe(1);
    expect(await listDeadJobs(database)).toEqual([]);
  });

  it("because its payload does not fit is not tried again", async () => {
    const { handler } = held();
    start(handler);
    const { queue } = startJobRunner([], { database, clock, bus });
    const loose: JobKind<object> = { name: "greet", payload: z.looseObject({}) };
    await queue.add(database.db, loose, { payload: { name: 7 } });
    queue.announce();
    await expect.poll(async () => (await listDeadJobs(database))[0]?.error).toContain("payload does not fit");
  });

  it("with its process each time is put aside, with what its kind writes then", async () => {
    const cutOff: string[] = [];
    const { handler, runs } = held({ attempts: 2 });
    const { add } = start(handler);
    await add({ payload: { name: "Ada" } });
    await expect.poll(() => runs.length).toBe(1);
    // As if three processes had died of it.
    await database.db
      .updateTable("jobs")
      .set({ attempts: 2, due_at: new Date(clock.wallMs()) })
      .execute();
    const again = handles(greet, async () => undefined, {
      attempts: 2,
      cutOff:
        ({ name }) =>
        async (trx) => {
          const job = await trx.selectFrom("jobs").select("state").executeTakeFirstOrThrow();
          cutOff.push(`${name} is ${job.state}`);
        },
    });
    start(again);
    await untilState("Ada", "dead");
    expect(cutOff).toEqual(["Ada is dead"]);
  });
});

describe("a lease", () => {
  it("that ran out is another's, and what the late run writes is not taken", async () => {
    const { handler, runs } = held();
    const written: string[] = [];
    const slow = handles(greet, async (run) => {
      await handler.run(run);
      return async () => void written.push("slow");
    });
    const { add } = start(slow);
    await add({ payload: { name: "Ada" } });
    await expect.poll(() => runs.length).toBe(1);
    // Its process stalls: nothing renews.
    const other = new ManualClock(clock.wallMs() + LEASE_MS);
    const quick = handles(greet, async () => async () => void written.push("quick"));
    const second = startJobRunner([quick], { database, clock: other, bus });
    runners.push(second.runner);
    await untilState("Ada", "done");
    runs[0]?.letGo();
    await expect.poll(async () => (await stateOf("Ada"))?.lease_epoch).toBe(2);
    await expect.poll(() => written).toEqual(["quick"]);
  });

  it("is renewed while the run goes on, and the run is told when it is lost", async () => {
    const { handler, runs } = held();
    const { add } = start(handler);
    await add({ payload: { name: "Ada" } });
    await expect.poll(() => runs.length).toBe(1);
    const dueAt = async () => (await stateOf("Ada"))?.due_at.getTime() ?? 0;
    clock.advance(5_000);
    await expect.poll(dueAt).toBe(clock.wallMs() + LEASE_MS);
    await database.db.updateTable("jobs").set({ lease_epoch: 9 }).execute();
    expect(runs[0]?.signal.aborted).toBe(false);
    clock.advance(5_000);
    await expect.poll(() => runs[0]?.signal.aborted).toBe(true);
    await expect(runs[0]?.progress({})).rejects.toThrow();
  });
});

describe("a process that stops", () => {
  it("takes nothing new, and gives back what does not end, which counts as no try", async () => {
    const { handler, runs } = held();
    const { runner, add } = start(handler);
    await add({ payload: { name: "Ada" } });
    await expect.poll(() => runs.length).toBe(1);
    const stopping = runner.stop();
    await expect.poll(() => runs[0]?.signal.aborted).toBe(true);
    await add({ payload: { name: "Bo" } });
    clock.advance(1_500);
    await stopping;
    expect(await stateOf("Ada")).toMatchObject({ state: "waiting", attempts: 0 });
    expect(await stateOf("Bo")).toMatchObject({ state: "waiting" });
    const next = held();
    start(next.handler);
    await expect.poll(() => next.names().toSorted()).toEqual(["Ada", "Bo"]);
  });
});

describe("work that comes again", () => {
  it("is done by one process at a time, and again after its interval", async () => {
    let rounds = 0;
    const tidy = () =>
      every(60_000, "tidy", async () => {
        rounds += 1;
      });
    start(tidy());
    start(tidy());
    const dueAt = async () =>
      (await database.db.selectFrom("jobs").select("due_at").execute())[0]?.due_at.getTime();
    await expect.poll(dueAt).toBe(clock.wallMs() + 60_000);
    clock.advance(60_000);
    await expect.poll(dueAt).toBe(clock.wallMs() + 60_000);
    expect(rounds).toBe(1);
    clock.advance(60_000);
    await expect.poll(dueAt).toBe(clock.wallMs() + 60_000);
    expect(rounds).toBe(2);
  });

  it("that fails is logged, and never dead", async () => {
    let rounds = 0;
    const broken = every(1_000, "broken", async () => {
      rounds += 1;
      throw new Error("the table is locked");
    });
    const { logged } = start(broken);
    const isPlanned = async () => (await database.db.selectFrom("jobs").select("id").execute()).length;
    await expect.poll(isPlanned).toBe(1);
    await database.db.updateTable("jobs").set({ attempts: 1_000 }).execute();
    clock.advance(1_000);
    await expect.poll(() => rounds).toBe(1);
    await expect.poll(() => logged.join("")).toContain("the table is locked");
    clock.advance(1_000);
    await expect.poll(() => rounds).toBe(2);
    expect(await listDeadJobs(database)).toEqual([]);
  });

  it("goes on after a clock was years ahead", async () => {
    let rounds = 0;
    const tidy = every(60_000, "tidy", async () => {
      rounds += 1;
    });
    start(tidy);
    await expect
      .poll(async () => (await database.db.selectFrom("jobs").selectAll().execute()).length)
      .toBe(1);
    await database.db
      .updateTable("jobs")
      .set({ due_at: new Date("2040-01-01") })
      .execute();
    await expect
      .poll(() => {
        clock.advance(10_000);
        return rounds;
      })
      .toBeGreaterThan(0);
  });
});
