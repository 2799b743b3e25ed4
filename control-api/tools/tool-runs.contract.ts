import type { Bus } from "@parley/shared/bus/bus.ts";
import {
  TOOL_RUN_BEAT_MS,
  TOOL_RUN_SILENCE_MS,
  TOOL_RUNS_CHANNEL,
} from "@parley/shared/contracts/tool-runs.ts";
import type { ControlApiTool } from "@parley/shared/contracts/tools/control-api-tool.ts";
import type { BusToolSettings } from "@parley/shared/contracts/tools/kinds.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { MessageBox } from "@parley/shared/security/message-box.ts";
import { BusTools } from "@parley/shared/tool-runs/bus-tools.ts";
import type { CalledControlApiTool } from "@parley/shared/tool-runs/port.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TEST_PLAN_KEY } from "../../testkit/plan-key.ts";
import { BusServer } from "./bus-server.ts";
import type { ToolOutcome, ToolRun } from "./executor.ts";

const SETTINGS = {
  ...{ kind: "connector", name: "look", capability: "order.lookup", bind: {}, timeoutMs: 10_000 },
} as const satisfies BusToolSettings;
const TOOL: ControlApiTool = {
  ...{ kind: "control_api", of: "connector", name: "look", description: "Looks.", parameters: {} },
  ...{ media: ["voice"], timeoutMs: 10_000, agentId: "agt_1", agentVersion: 3 },
};
const OTHER_KEY = `other:${Buffer.alloc(32, 7).toString("base64")}`;
const ANSWER = { status: "success", result: { orders: ["1001"] } } as const;
const log = createLogger({ level: "silent", format: "json", name: "test" });

type Work = (run: ToolRun) => Promise<ToolOutcome>;

/** The contract of tool runs over a bus, for every bus implementation. */
export function describeToolRuns(name: string, open: () => Promise<Bus>): void {
  describe(name, () => {
    let bus: Bus;
    beforeAll(async () => {
      bus = await open();
    });
    afterAll(() => bus.close());

    /** Starts a process that runs tools with `work`; `ran` records its runs. */
    async function serve(work: Work = async () => ANSWER, clock = new ManualClock()) {
      const ran: ToolRun[] = [];
      const executor = {
        describe: async () => ({ description: "Looks.", parameters: {}, effect: "read" }) as const,
        faults: async () => [],
        run: (_tool: unknown, run: ToolRun) => {
          ran.push(run);
          return work(run);
        },
      };
      const server = new BusServer({
        ...{
          ...bus,
          clock,
          log,
          messages: new MessageBox(TEST_PLAN_KEY),
          executors: { connector: executor },
        },
        findTool: async ({ name: wanted }) => (wanted === "look" ? { tool: SETTINGS } : undefined),
      });
      await server.start();
      onTestFinished(() => server.stop());
      return { server, ran, clock };
    }

    function ask(
      given: Partial<CalledControlApiTool> = {},
      { planKey = TEST_PLAN_KEY, clock = new ManualClock() } = {},
    ) {
      const tools = new BusTools({ ...bus, clock, log, messages: new MessageBox(planKey) });
      onTestFinished(() => tools.close());
      const outcome = tools.run({
        ...{ tool: TOOL, arguments: { orderNumber: "1001" }, orgId: "org_1", sessionId: "ses_1", turn: 2 },
        ...{ said: "Where is it?", identifier: "ada", signal: new AbortController().signal, ...given },
      });
      return { clock, outcome };
    }

    /** Resolves when everything published before has arrived. */
    async function allArrived(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = await bus.channels.subscribe("marker", () => resolve());
      await bus.channels.publish("marker", "");
      await promise;
      await stop();
    }

    it("gives what one of the processes made of it, and only one", async () => {
      const servers = await Promise.all([serve(), serve(), serve()]);
      const traceparent = "00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01";
      expect(await ask({ traceparent }).outcome).toEqual(ANSWER);
      const ran = servers.flatMap((server) => server.ran);
      expect(ran).toHaveLength(1);
      expect(ran[0]).toMatchObject({
        ...{ orgId: "org_1", sessionId: "ses_1", agentId: "agt_1", identifier: "ada", traceparent },
        arguments: { orderNumber: "1001" },
      });
    });

    it("reaches the process that runs it when the caller does not wait any more", async () => {
      const aborted = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      await serve(async ({ signal }) => {
        signal.addEventListener("abort", () => aborted.resolve());
        begun.resolve();
        await aborted.promise;
        return ANSWER;
      });
      const stop = new AbortController();
      const { outcome } = ask({ signal: stop.signal });
      await begun.promise;
      stop.abort();
      expect(await outcome).toMatchObject({ status: "abandoned" });
      await aborted.promise;
    });

    it("says soon that nobody is there", async () => {
      const { clock, outcome } = ask();
      clock.advance(TOOL_RUN_SILENCE_MS);
      expect(await outcome).toMatchObject({ status: "error", result: { error: { code: "unavailable" } } });
    });

    it("notices that who ran it is gone", async () => {
      const begun = Promise.withResolvers<void>();
      const { clock: theirs } = await serve(() => {
        begun.resolve();
        return new Promise(() => undefined);
      });
      const { clock, outcome } = ask();
      await begun.promise;
      let isOver = false;
      void outcome.then(() => {
        isOver = true;
      });
      clock.advance(TOOL_RUN_SILENCE_MS - 1);
      theirs.advance(TOOL_RUN_BEAT_MS);
      await allArrived();
      clock.advance(TOOL_RUN_SILENCE_MS - 1);
      await allArrived();
      expect(isOver).toBe(false);
      clock.advance(1);
      expect(await outcome).toMatchObject({ result: { error: { code: "unavailable" } } });
    });

    it("tells of a tool that takes longer than it may", async () => {
      const begun = Promise.withResolvers<void>();
      const { clock } = await serve(() => {
        begun.resolve();
        return new Promise(() => undefined);
      });
      const { outcome } = ask();
      await begun.promise;
      clock.advance(SETTINGS.timeoutMs);
      expect(await outcome).toMatchObject({
        status: "error",
        result: { error: { code: "deadline_exceeded" } },
      });
    });

    it("gives no answer over a mebibyte, and carries one below", async () => {
      const large = "x".repeat(1_048_000);
      await serve(async ({ arguments: { orderNumber } }) => ({
        status: "success",
        result: orderNumber === "huge" ? large + large : large,
      }));
      expect(await ask().outcome).toEqual({ status: "success", result: large });
      expect(await ask({ arguments: { orderNumber: "huge" } }).outcome).toMatchObject({
        result: { error: { code: "response_too_large" } },
      });
    });

    it("knows no tool that the agent does not have", async () => {
      await serve();
      expect(await ask({ tool: { ...TOOL, name: "other" } }).outcome).toMatchObject({ status: "not_found" });
    });

    it("runs nothing for who has not the key, or says again what somebody else has said", async () => {
      const { ran } = await serve();
      const kept: string[] = [];
      onTestFinished(await bus.channels.subscribe(TOOL_RUNS_CHANNEL, (text) => kept.push(text)));
      const stranger = ask({}, { planKey: OTHER_KEY });
      await expect.poll(() => kept.length).toBe(1);
      expect(await ask().outcome).toEqual(ANSWER);
      expect(ran).toHaveLength(1);
      expect(kept.join("")).not.toContain("1001");
      for (const text of [...kept]) await bus.channels.publish(TOOL_RUNS_CHANNEL, text);
      expect(await ask().outcome).toEqual(ANSWER);
      expect(ran).toHaveLength(2);
      stranger.clock.advance(TOOL_RUN_SILENCE_MS);
      await stranger.outcome;
    });

    it("refuses what was asked long ago", async () => {
      const later = new ManualClock();
      later.advance(10 * 60_000);
      const { ran } = await serve(undefined, later);
      const old = ask();
      expect(await ask({}, { clock: later }).outcome).toEqual(ANSWER);
      expect(ran).toHaveLength(1);
      old.clock.advance(TOOL_RUN_SILENCE_MS);
      expect(await old.outcome).toMatchObject({ result: { error: { code: "unavailable" } } });
    });

    it("is told by a process that stops", async () => {
      const begun = Promise.withResolvers<void>();
      const { server } = await serve(() => {
        begun.resolve();
        return new Promise(() => undefined);
      });
      const { outcome } = ask();
      await begun.promise;
      await server.stop();
      expect(await outcome).toMatchObject({ status: "error", result: { error: { code: "unavailable" } } });
    });
  });
}
