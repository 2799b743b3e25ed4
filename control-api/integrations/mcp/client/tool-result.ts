import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { storable } from "@parley/shared/contracts/storable.ts";

/** Limit per result: later model requests of the call all pay for it again. */
const MAX_RESULT_CHARS = 16_000;
/** Limit of an error, as for other tools. */
const MAX_REFUSAL_CHARS = 4_000;

/** The outcome of a remote tool call. Errors are never thrown: the model is told, and says so in its own words. */
export type McpOutcome =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      /** The scope that the server wants at the next sign-in. */
      readonly wantedScope?: string;
    };

/** A server's result for the model: JSON if there is any, else the texts; never bytes. */
export function outcomeOfResult({ content, structuredContent, isError }: CallToolResult): McpOutcome {
  const text = content.map(textOf).join("\n");
  if (isError === true) {
    return { ok: false, code: "tool_error", message: bounded(text || "The tool failed.", MAX_REFUSAL_CHARS) };
  }
  const json = structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  if (json !== undefined && json.length <= MAX_RESULT_CHARS)
    return { ok: true, result: storable(structuredContent) };
  return { ok: true, result: storable(bounded(text || (json ?? ""), MAX_RESULT_CHARS)) };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type}: ${block.mimeType}, not shown]`;
    case "resource_link":
      return `[${block.title ?? block.name}: ${block.uri}]`;
    case "resource":
      return "text" in block.resource ? block.resource.text : `[${block.resource.uri}: bytes, not shown]`;
    default:
      return "[content of an unknown kind, not shown]";
  }
}

function bounded(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars).toWellFormed();
  return `${cut}\n[The rest is left out: it was ${text.length} characters long.]`;
}
