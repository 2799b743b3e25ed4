import type { BusToolSettings } from "@parley/shared/contracts/tools/kinds.ts";
import { expect, it } from "vitest";
import type { PreparedRun } from "./executor.ts";
import { findOfCall } from "./find-of-call.ts";

const TOOL = {
  ...{ kind: "connector", name: "look", capability: "order.lookup", bind: {}, timeoutMs: 5_000 },
} as const satisfies BusToolSettings;
const PLACE = { orgId: "org_1", agentId: "agt_1", agentVersion: 1, name: "look", sessionId: "ses_1" };

function find(prepare?: () => PreparedRun) {
  const isOngoing = Promise.withResolvers<boolean>();
  const executor = {
    describe: async () => undefined,
    faults: async () => [],
    run: async () => ({ status: "success", result: null }) as const,
    ...(prepare ? { prepare } : {}),
  };
  const found = findOfCall(PLACE, {
    tools: { find: async () => TOOL, isOngoing: () => isOngoing.promise },
    executors: { connector: executor },
  });
  return { found, settle: isOngoing.resolve };
}

it("a tool's run is prepared while it is looked up whether its call is on", async () => {
  const begun = Promise.withResolvers<void>();
  const run: PreparedRun = async () => ({ status: "success", result: 1 });
  const { found, settle } = find(() => {
    begun.resolve();
    return run;
  });
  await begun.promise;
  settle(true);
  expect(await found).toEqual({ tool: TOOL, prepared: run });
});

it("a tool of a call that is over is not found, whatever was prepared", async () => {
  const { found, settle } = find(() => async () => ({ status: "success", result: 1 }));
  settle(false);
  expect(await found).toBeUndefined();
});

it("a tool without anything to prepare is found as it is", async () => {
  const { found, settle } = find();
  settle(true);
  expect(await found).toEqual({ tool: TOOL, prepared: undefined });
});
