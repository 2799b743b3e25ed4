import { z } from "zod";
import { jsonValueSchema } from "../json.ts";
import { MCP_TOOL_NAME, mcpAddressSchema } from "../mcp.ts";
import { toolDescription, toolKind, toolName } from "./tool-kind.ts";

const config = z
  .object({
    /** The server that somebody signed in to, or entered a token for. */
    mcpConnectionId: z.string().min(1).max(64).optional(),
    /** A server that anybody may call. */
    url: mcpAddressSchema.optional(),
    /** The tool, as the server has it; absent: it is called as it is here. */
    tool: z.string().regex(MCP_TOOL_NAME, "1 to 128 letters, digits, _, - and .").optional(),
  })
  .refine(({ mcpConnectionId, url }) => (mcpConnectionId === undefined) !== (url === undefined), {
    message: "either mcpConnectionId or url",
  });

const settings = z.object({
  kind: z.literal("mcp"),
  name: toolName,
  /** Tells the model when to use it; absent: the server's own words. */
  description: toolDescription.optional(),
  config,
  /** Arguments that are fixed here: the model neither sees nor changes them. */
  bind: z.record(z.string().min(1).max(64), jsonValueSchema).default({}),
  /** The caller has to say yes first, in a turn after the question; absent: for what the server does not call read-only. */
  confirm: z.boolean().optional(),
  timeoutMs: z.number().int().min(100).max(60_000).default(10_000),
});

export type McpToolSettings = z.infer<typeof settings>;

/** Calls a tool of a remote server that speaks the Model Context Protocol. */
export const mcpKind = toolKind({ settings, media: ["voice", "text"], reach: "bus" });
