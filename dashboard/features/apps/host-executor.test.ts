import { findMethod } from "@parley/platform/methods/table.ts";
import { expect, it } from "vitest";
import { createHostExecutor } from "./host-executor.ts";

/** Where the dashboard goes when an app calls the method, and the server answers so. */
async function wentTo(name: string, result: object, args: object = {}): Promise<string[]> {
  const paths: string[] = [];
  const method = findMethod(name);
  if (!method) throw new Error(`there is no ${name}`);
  const execute = createHostExecutor(async () => result, {
    pages: ["panel"],
    openModal: ({ pageId }) => paths.push(`modal ${pageId}`),
    closeModal: undefined,
    toast: () => undefined,
    refresh: () => undefined,
    navigate: (path) => paths.push(path),
  });
  await execute({
    ...{ method, args: { ...args }, bytes: undefined, signal: new AbortController().signal },
    ...{ onEvent: () => undefined, onResync: () => undefined, onEnd: () => undefined },
  });
  return paths;
}

it("opens the builder of an agent that an app made, unless it says not to", async () => {
  const create = "agents.createFromTemplate";
  expect(await wentTo(create, { agentId: "agt_1", kind: "single" })).toEqual(["/agents/agt_1/edit"]);
  expect(await wentTo(create, { agentId: "agt_1", kind: "flow" })).toEqual(["/agents/agt_1/flow"]);
  expect(await wentTo(create, { agentId: "agt_1", kind: "flow" }, { opts: { open: false } })).toEqual([]);
});

it("opens the agent of a team that answers first", async () => {
  const agents = [
    { ref: "a", agentId: "agt_1", kind: "single" },
    { ref: "b", agentId: "agt_2", kind: "flow" },
  ];
  const made = (entryAgentId: string | null) =>
    wentTo("agents.createTeamFromTemplate", { teamId: "t", entryAgentId, agents });
  expect(await made("agt_2")).toEqual(["/agents/agt_2/flow"]);
  expect(await made("agt_1")).toEqual(["/agents/agt_1/edit"]);
  expect(await made(null)).toEqual([]);
});

it("opens a page of the app as a modal, and none that it does not have", async () => {
  expect(await wentTo("ui.openModal", {}, { pageId: "panel" })).toEqual(["modal panel"]);
  await expect(wentTo("ui.openModal", {}, { pageId: "other" })).rejects.toMatchObject({ code: "not_found" });
});
