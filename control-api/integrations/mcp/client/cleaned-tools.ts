import type { Tool } from "@modelcontextprotocol/client";
import { MCP_TOOL_NAME, type McpTool } from "@parley/shared/contracts/mcp.ts";

/** More tools than a model can choose from. */
const MAX_TOOLS = 256;
const MAX_DESCRIPTION_CHARS = 1_024;
const MAX_TITLE_CHARS = 128;
const MAX_SCHEMA_BYTES = 16_384;
const MAX_SCHEMA_DEPTH = 12;
const MAX_SKIPPED = 32;

/** Characters invisible to readers but not to models: controls, joiners, directions, tags, private and unassigned. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\u115F\u1160\u3164\uFFA0]|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/gu;

export interface CleanedTools {
  readonly tools: readonly McpTool[];
  /** Unusable tools, and why. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Sanitizes a server's tools for display and for models. Tool texts are untrusted: they are bounded, stripped of
 * invisible characters, and never followed (docs/decisions/integrations.md#mcp-untrusted).
 */
export function cleanedTools(given: readonly Tool[]): CleanedTools {
  const tools: McpTool[] = [];
  const skipped: { name: string; reason: string }[] = [];
  const seen = new Set<string>();
  for (const tool of given) {
    const reason = tools.length >= MAX_TOOLS ? `more than ${MAX_TOOLS} tools` : flawOf(tool, seen);
    if (reason === undefined) {
      seen.add(tool.name);
      tools.push(cleaned(tool));
    } else if (skipped.length < MAX_SKIPPED) {
      skipped.push({ name: cleanText(String(tool.name), MAX_TITLE_CHARS), reason });
    }
  }
  return { tools, skipped };
}

function flawOf({ name, inputSchema }: Tool, seen: ReadonlySet<string>): string | undefined {
  if (!MCP_TOOL_NAME.test(name)) return "its name is not 1 to 128 letters, digits, _, - and .";
  if (seen.has(name)) return "another tool has the same name";
  if (Buffer.byteLength(JSON.stringify(inputSchema)) > MAX_SCHEMA_BYTES)
    return `its arguments' schema is larger than ${MAX_SCHEMA_BYTES} bytes`;
  return schemaFlaw(inputSchema, 0);
}

/** Rejects schemas with external references: schemas are never fetched. */
function schemaFlaw(value: unknown, depth: number): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > MAX_SCHEMA_DEPTH) return `its arguments' schema is nested deeper than ${MAX_SCHEMA_DEPTH}`;
  for (const [name, inner] of Object.entries(value)) {
    if ((name === "$ref" || name === "$dynamicRef") && typeof inner === "string" && !inner.startsWith("#"))
      return "its arguments' schema refers to another document";
    const flaw = schemaFlaw(inner, depth + 1);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

function cleaned({ name, title, description, inputSchema, annotations }: Tool): McpTool {
  const shownTitle = title ?? annotations?.title;
  return {
    name,
    title: shownTitle === undefined ? null : cleanText(shownTitle, MAX_TITLE_CHARS),
    description: cleanText(description ?? "", MAX_DESCRIPTION_CHARS),
    inputSchema: cleanSchema(inputSchema) as Record<string, unknown>,
    readOnly: annotations?.readOnlyHint === true,
  };
}

/** Cleans the texts inside a schema, which reach the model, too. */
function cleanSchema(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value, MAX_DESCRIPTION_CHARS);
  if (Array.isArray(value)) return value.map(cleanSchema);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cleanSchema(inner)]));
}

/** One line of visible text, at most `maxChars` long. */
export function cleanText(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, " ").replace(UNSEEN, "").replace(/ {2,}/g, " ").trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).toWellFormed()}…`;
}
