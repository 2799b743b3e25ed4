import { type McpTool, mcpUrl } from "@parley/shared/contracts/mcp.ts";
import type { McpToolSettings } from "@parley/shared/contracts/tools/mcp.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { ToolDescription, ToolExecutor, ToolFault, ToolOutcome } from "../../tools/executor.ts";
import { callMcpTool } from "./call-tool.ts";
import { failureOf } from "./client/failure.ts";
import type { McpTarget } from "./client/session.ts";
import type { McpSessions } from "./client/sessions.ts";
import type { McpOutcome } from "./client/tool-result.ts";
import { connectedTarget, type McpConnectionDeps, noteWantedScope } from "./connections.ts";
import type { ToolLists } from "./tool-lists.ts";
import { targetOf } from "./verify.ts";

export interface McpToolsDeps extends McpConnectionDeps {
  readonly sessions: McpSessions;
  readonly lists: ToolLists;
}

/** Agents' tools on remote servers. */
export function mcpTools(deps: McpToolsDeps): ToolExecutor<McpToolSettings> {
  return {
    describe: async (tool, orgId) => {
      const found = await findTool(tool, orgId, deps);
      return found === "gone" ? undefined : described(tool, found);
    },
    faults: (tool, orgId) => faultsOf(tool, orgId, deps),
    run: async (tool, { orgId, arguments: given, signal }) => {
      const target = await targetFor(tool, orgId, deps);
      const definition = (await deps.lists.of(target))?.find(({ name }) => name === nameOf(tool));
      const call = { tool: nameOf(tool), arguments: { ...given, ...tool.bind }, definition };
      const outcome = await callMcpTool(
        target,
        { ...call, timeoutMs: tool.timeoutMs, signal },
        deps.sessions,
      );
      const { mcpConnectionId: id } = tool.config;
      if (!outcome.ok && outcome.wantedScope !== undefined && id !== undefined)
        await noteWantedScope({ orgId, id, scope: outcome.wantedScope }, deps);
      return settled(outcome);
    },
  };
}

/** The tool's name on the server. */
function nameOf({ name, config: { tool } }: McpToolSettings): string {
  return tool ?? name;
}

async function targetFor(
  { config: { mcpConnectionId, url } }: McpToolSettings,
  orgId: string,
  deps: McpToolsDeps,
): Promise<McpTarget> {
  if (mcpConnectionId !== undefined) return connectedTarget({ orgId, id: mcpConnectionId }, deps);
  return targetOf({ orgId, url: mcpUrl(url ?? "") });
}

/** `gone`: the server, its sign-in, or the tool no longer exists. Undefined: the server's tools are unknown. */
async function findTool(
  tool: McpToolSettings,
  orgId: string,
  deps: McpToolsDeps,
): Promise<McpTool | "gone" | undefined> {
  const target = await targetFor(tool, orgId, deps).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (!target) return "gone";
  const listed = await deps.lists.of(target);
  return listed && (listed.find(({ name }) => name === nameOf(tool)) ?? "gone");
}

/** Describes a tool even while its server is down: the model calls it and reports the failure. */
function described(tool: McpToolSettings, known: McpTool | undefined): ToolDescription {
  const { title, description, inputSchema, readOnly = false } = known ?? {};
  const words = [tool.description, description, title].find((text) => text !== undefined && text !== "");
  return {
    description: words ?? `Calls ${nameOf(tool)}.`,
    parameters: parametersOf(inputSchema ?? { type: "object" }, Object.keys(tool.bind)),
    // The protocol has no idempotency key.
    effect: readOnly === true ? "read" : "write_once",
  };
}

/** The arguments left to the model: fixed ones are excluded. */
function parametersOf(
  { properties, required, ...rest }: Readonly<Record<string, unknown>>,
  fixed: readonly string[],
): Readonly<Record<string, unknown>> {
  const given = typeof properties === "object" && properties !== null ? Object.entries(properties) : [];
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const isOpen = (name: unknown): boolean => !fixed.some((one) => one === name);
  return {
    ...rest,
    properties: Object.fromEntries(given.filter(([name]) => isOpen(name))),
    required: needed.filter(isOpen),
  };
}

async function faultsOf(tool: McpToolSettings, orgId: string, deps: McpToolsDeps): Promise<ToolFault[]> {
  const { mcpConnectionId } = tool.config;
  const field = mcpConnectionId === undefined ? "config.url" : "config.mcpConnectionId";
  try {
    const tools = await deps.lists.list(await targetFor(tool, orgId, deps));
    const found = tools.find(({ name }) => name === nameOf(tool));
    if (found) return unknownArguments(found, Object.keys(tool.bind));
    const there = tools.map(({ name }) => name).join(", ") || "none that can be used";
    return [{ field: "config.tool", text: `the server has no tool ${nameOf(tool)}; there are ${there}` }];
  } catch (error) {
    return [{ field, text: failureOf(error).message.replace(/\.$/, "") }];
  }
}

function unknownArguments({ inputSchema }: McpTool, fixed: readonly string[]): ToolFault[] {
  const { properties, additionalProperties } = inputSchema;
  const known = Object.keys(typeof properties === "object" && properties !== null ? properties : {});
  const unknown = fixed.filter((name) => !known.includes(name));
  if (unknown.length === 0 || (additionalProperties !== undefined && additionalProperties !== false))
    return [];
  return [
    { field: "bind", text: `${unknown.join(", ")} is no argument of it; there are ${known.join(", ")}` },
  ];
}

/** Errors after which the server may have done it; the tool must not be called again blindly. */
const UNKNOWN: Readonly<Record<string, "vendor_failed" | "deadline_exceeded" | "response_too_large">> = {
  unavailable: "vendor_failed",
  protocol_error: "vendor_failed",
  deadline_exceeded: "deadline_exceeded",
  response_too_large: "response_too_large",
};

function settled(outcome: McpOutcome): ToolOutcome {
  if (outcome.ok) return { status: "success", result: outcome.result };
  const { code, message } = outcome;
  const unknown = UNKNOWN[code];
  if (unknown) throw new AppError(unknown, message);
  return { status: code === "abandoned" ? "abandoned" : "error", result: { error: { code, message } } };
}
