import { isInputRequiredResult } from "@modelcontextprotocol/client";
import type { McpTool } from "@parley/shared/contracts/mcp.ts";
import { ASKS_SOMEBODY, failureOf } from "./client/failure.ts";
import { asUnauthorized, type McpTarget } from "./client/session.ts";
import type { McpSessions } from "./client/sessions.ts";
import { type McpOutcome, outcomeOfResult } from "./client/tool-result.ts";

export interface McpToolCall {
  /** The tool's name on the server. */
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The definition as listed: a tool may require some arguments to be sent as headers, too. */
  readonly definition?: Pick<McpTool, "name" | "inputSchema"> | undefined;
  /** Covers everything, including the handshake. */
  readonly timeoutMs: number;
  /** Aborted when no one waits any more; the server is told, as its era of the protocol prescribes. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls a tool of a remote server. Never rejects: a failure is an outcome. */
export async function callMcpTool(
  target: McpTarget,
  { tool, arguments: given, definition, timeoutMs, signal }: McpToolCall,
  sessions: McpSessions,
): Promise<McpOutcome> {
  if (signal?.aborted) return ABANDONED;
  try {
    return await sessions.use(target, { timeoutMs }, async (session) => {
      const options = {
        timeout: timeoutMs,
        maxTotalTimeout: timeoutMs,
        ...(signal ? { signal } : {}),
        ...(definition ? { toolDefinition: definitionOf(definition) } : {}),
      };
      const result = await session.client
        .callTool({ name: tool, arguments: { ...given } }, options)
        .catch((error: unknown) => {
          throw asUnauthorized(error, session);
        });
      return isInputRequiredResult(result) ? { ok: false, ...ASKS_SOMEBODY } : outcomeOfResult(result);
    });
  } catch (error) {
    return signal?.aborted ? ABANDONED : { ok: false, ...failureOf(error) };
  }
}

function definitionOf({ name, inputSchema }: Pick<McpTool, "name" | "inputSchema">) {
  return { name, inputSchema: { ...inputSchema, type: "object" as const } };
}

const ABANDONED: McpOutcome = { ok: false, code: "abandoned", message: "The request was canceled." };
