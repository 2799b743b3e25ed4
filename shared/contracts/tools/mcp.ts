import { z } from "zod";
import { jsonValueSchema } from "../json.ts";
import { MCP_TOOL_NAME, mcpAddressSchema } from "../mcp.ts";
import { toolDescription, toolKind, toolName } from "./tool-kind.ts";

const config = z
  .object({
    /** The server that someone signed in to or entered a token for. */
    mcpConnectionId: z.string().min(1).max(64).optional(),
    /** A server open to everyone. */
    url: mcpAddressSchema.optional(),
    /** The tool's name on the server; absent: its name here. */
    tool: z.string().regex(MCP_TOOL_NAME, "1 to 128 letters, digits, _, - and .").optional(),
  })
  .refine(({ mcpConnectionId, url }) => (mcpConnectionId === undefined) !== (url === undefined), {
    message: "either mcpConnectionId or url",
  });

const settings = z.object({
  kind: z.literal("mcp"),
  name: toolName,
  /** Tells the model when to use the tool; absent: the server's own description. */
  description: toolDescription.optional(),
  config,
  /** Fixed arguments: the model neither sees nor changes them. */
  bind: z.record(z.string().min(1).max(64), jsonValueSchema).default({}),
  /**
   * The caller must say yes first, in a turn after the question; absent: only for tools the server does not call
   * read-only.
   */
  confirm: z.boolean().optional(),
  timeoutMs: z.number().int().min(100).max(60_000).default(10_000),
});

export type McpToolSettings = z.infer<typeof settings>;

/** Calls a tool of a remote server that speaks the Model Context Protocol. */
export const mcpKind = toolKind({ settings, media: ["voice", "text"], reach: "bus" });
