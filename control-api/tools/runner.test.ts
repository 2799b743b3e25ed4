import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import type { BusToolSettings } from "@parley/shared/contracts/tools/kinds.ts";
import { AppError } from "@parley/shared/errors.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import type { ToolDescription, ToolOutcome, ToolRun } from "./executor.ts";
import { type CalledTool, runTool } from "./runner.ts";

const DONE = { status: "success", result: { id: "b-1" } } as const;
const SETTINGS = {
  ...{ kind: "connector", name: "move", capability: "booking.reschedule", bind: {}, timeoutMs: 5_000 },
} as const satisfies BusToolSettings;
const log = createLogger({ level: "silent", format: "json", name: "test" });

/** One call with a tool; `ran` are its runs at the vendor. */
function call({
  effect = "write",
  confirm,
  work = async () => DONE,
}: {
  effect?: ToolDescription["effect"];
  confirm?: boolean;
  work?: (run: ToolRun) => Promise<ToolOutcome>;
} = {}) {
  const ran: ToolRun[] = [];
  const clock = new ManualClock();
  const { keys } = createMemoryBus({ clock });
  const executor = {
    describe: async () => ({ description: "Moves.", parameters: {}, effect }),
    faults: async () => [],
    run: (_tool: unknown, run: ToolRun) => {
      ran.push(run);
      return work(run);
    },
  };
  const settings = { ...SETTINGS, ...(confirm === undefined ? {} : { confirm }) };
  const ask = (turn: number, said: string, given: Partial<CalledTool> = {}) =>
    runTool(
      async () => ({ tool: settings }),
      {
        ...{ orgId: "org_1", sessionId: "ses_1", agentId: "agt_1", identifier: null, turn, said },
        ...{ arguments: { id: "b-1", day: "Tuesday" }, signal: new AbortController().signal, ...given },
      },
      { executors: { connector: executor }, keys, clock, log },
    );
  return { ask, ran, clock };
}

describe("a tool that changes something", () => {
  it("is done when the caller has said yes in a turn after the question", async () => {
    const { ask, ran } = call();
    expect(await ask(1, "Move it to Tuesday.")).toMatchObject({ status: "confirmation_required" });
    expect(ran).toEqual([]);
    expect(await ask(2, "Yes, please.", { arguments: { day: "Tuesday", id: "b-1" } })).toEqual(DONE);
    expect(ran).toHaveLength(1);
  });

  it("is not done for a model that asks twice in one turn", async () => {
    const { ask, ran } = call();
    await ask(1, "Yes, move it.");
    expect(await ask(1, "Yes, move it.")).toMatchObject({ status: "confirmation_required" });
    expect(ran).toEqual([]);
  });

  it("is not done with other arguments than the caller was asked about", async () => {
    const { ask, ran } = call();
    await ask(1, "Move it to Tuesday.");
    const other = { arguments: { id: "b-1", day: "Friday" } };
    expect(await ask(2, "Yes, please.", other)).toMatchObject({ status: "confirmation_required" });
    expect(ran).toEqual([]);
  });

  it("is not done after a no, nor by a yes to something later", async () => {
    const { ask, ran } = call();
    await ask(1, "Move it to Tuesday.");
    expect(await ask(2, "No, leave it.")).toMatchObject({ status: "confirmation_denied" });
    expect(await ask(3, "Yes.")).toMatchObject({ status: "confirmation_required" });
    expect(ran).toEqual([]);
  });

  it("is asked again when the caller has heard nothing of the question", async () => {
    const { ask, ran } = call();
    await ask(1, "Move it to Tuesday.");
    expect(await ask(2, "Yes.", { unheardTurn: 1 })).toMatchObject({ status: "confirmation_required" });
    expect(await ask(3, "Yes.")).toEqual(DONE);
    expect(ran).toHaveLength(1);
  });

  it("needs another yes for another time", async () => {
    const { ask, ran } = call();
    await ask(1, "Move it to Tuesday.");
    await ask(2, "Yes.");
    expect(await ask(3, "Yes.")).toMatchObject({ status: "confirmation_required" });
    expect(ran).toHaveLength(1);
  });

  it("is tried again with the key of the try that was given up, and with another once it was done", async () => {
    let isStuck = true;
    const work = () => (isStuck ? new Promise<ToolOutcome>(() => undefined) : Promise.resolve(DONE));
    const { ask, ran } = call({ confirm: false, work });
    const stop = new AbortController();
    const given = ask(1, "Do it.", { signal: stop.signal });
    await expect.poll(() => ran.length).toBe(1);
    stop.abort();
    expect(await given).toMatchObject({ status: "abandoned" });
    isStuck = false;
    await ask(2, "Do it.");
    await ask(3, "Do it.");
    const [first, second, third] = ran.map(({ idempotencyKey }) => idempotencyKey);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it("is not tried again where the vendor could not tell that it is the same", async () => {
    const work = () => Promise.reject(new AppError("vendor_failed", "The vendor did not answer."));
    const { ask, ran } = call({ confirm: false, effect: "write_once", work });
    expect(await ask(1, "Do it.")).toMatchObject({ result: { error: { code: "vendor_failed" } } });
    expect(await ask(2, "Do it.")).toMatchObject({ result: { error: { code: "outcome_unknown" } } });
    expect(ran).toHaveLength(1);
  });

  it("is tried again after the vendor has refused it", async () => {
    const work = () => Promise.reject(new AppError("vendor_rejected", "The slot is taken."));
    const { ask, ran } = call({ confirm: false, effect: "write_once", work });
    await ask(1, "Do it.");
    expect(await ask(2, "Do it.")).toMatchObject({ result: { error: { code: "vendor_rejected" } } });
    expect(ran).toHaveLength(2);
  });
});

describe("a tool that only reads", () => {
  it("asks nobody, unless its builder wants it to", async () => {
    expect(await call({ effect: "read" }).ask(1, "Where is it?")).toEqual(DONE);
    expect(await call({ effect: "read", confirm: true }).ask(1, "Where is it?")).toMatchObject({
      status: "confirmation_required",
    });
  });

  it("that does not find what it was asked for is no tool that is missing", async () => {
    const work = () => Promise.reject(new AppError("not_found", "There is no order 1001."));
    const outcome = await call({ effect: "read", work }).ask(1, "Where is it?");
    expect(outcome).toMatchObject({ status: "error", result: { error: { code: "not_found" } } });
  });

  it("that fails for a reason of our own tells the model nothing of it", async () => {
    const work = () => Promise.reject(new TypeError("Cannot read properties of undefined"));
    const outcome = await call({ effect: "read", work }).ask(1, "Where is it?");
    expect(outcome).toMatchObject({ status: "error", result: { error: { code: "internal" } } });
    expect(JSON.stringify(outcome)).not.toContain("undefined");
  });
});
