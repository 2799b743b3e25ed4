import type { Dispatcher } from "undici";
import { MAX_RESULT_BYTES } from "../../contracts/tool-runs.ts";
import type { HttpTool } from "../../contracts/tools/http.ts";
import { AppError } from "../../errors.ts";
import { guardedRequest } from "../../net/guarded-request.ts";
import { parseUrl } from "../../urls.ts";
import { fillPlaceholders, fromVariables } from "../../variables/placeholders.ts";
import { asJson } from "../model/chunks.ts";
import { type Arguments, failed, type ToolOutcome } from "./outcome.ts";

/** Maximum characters of a refusal that the model is told. */
const MAX_REFUSAL_CHARS = 4_000;

export interface HttpToolContext {
  readonly dispatcher: Dispatcher;
  readonly variables: Readonly<Record<string, string>>;
  readonly identifier: string | null;
  readonly signal: AbortSignal;
}

/** Calls a customer's endpoint for the model. Never throws. */
export async function runHttpTool(
  tool: HttpTool,
  args: Arguments,
  { dispatcher, variables, identifier, signal }: HttpToolContext,
): Promise<ToolOutcome> {
  const target = targetOf(tool, args, variables);
  if (!target)
    return failed("invalid_arguments", "An argument that is part of the address may not be a dot segment.");
  const hasBody = tool.method !== "GET" && tool.method !== "DELETE";
  try {
    const { status, body } = await guardedRequest(dispatcher, target.href, {
      method: tool.method,
      headers: headersOf(tool, { variables, identifier }),
      ...(hasBody ? { body: JSON.stringify(args) } : {}),
      signal,
      timeoutMs: tool.timeoutMs,
      maxResponseBytes: MAX_RESULT_BYTES,
    });
    return outcomeOf(status, body.toString("utf8"));
  } catch (error) {
    if (signal.aborted) return failed("abandoned", "The caller spoke before it was done.", "abandoned");
    if (error instanceof AppError) return failed(error.code, error.message);
    return failed("unavailable", "The address cannot be called.");
  }
}

function outcomeOf(status: number, text: string): ToolOutcome {
  const parsed = asJson(text);
  const result = text === "" ? null : (parsed ?? text);
  if (status < 200 || status > 299) {
    const said = typeof result === "string" || text.length > MAX_REFUSAL_CHARS ? text : undefined;
    const body = said === undefined ? result : said.slice(0, MAX_REFUSAL_CHARS);
    const message = `The endpoint answered ${status}.`;
    return { status: "error", result: { error: { code: "http_status", message, status, body } } };
  }
  // Re-serialized JSON, or text inside a string, may be longer than the response was.
  if (Buffer.byteLength(JSON.stringify(result)) > MAX_RESULT_BYTES)
    return failed("response_too_large", `The answer is larger than ${MAX_RESULT_BYTES} bytes.`);
  return { status: "success", result };
}

/** The tool's URL; undefined when an argument would escape its place in the path. */
function targetOf(tool: HttpTool, args: Arguments, variables: HttpToolContext["variables"]): URL | undefined {
  const used = new Set<string>();
  let isSafe = true;
  const variable = fromVariables(variables);
  const href = fillPlaceholders(tool.url, (name) => {
    const value = variable(name) ?? asText(Object.hasOwn(args, name) ? args[name] : undefined);
    if (variable(name) === undefined) used.add(name);
    if (value === "." || value === "..") isSafe = false;
    return encodeURIComponent(value.toWellFormed());
  });
  const url = parseUrl(href);
  if (!isSafe || !url) return undefined;
  if (tool.method === "GET" || tool.method === "DELETE") {
    for (const [name, value] of Object.entries(args)) {
      if (!used.has(name) && value !== null) url.searchParams.append(name, asText(value));
    }
  }
  return url;
}

function headersOf(
  tool: HttpTool,
  { variables, identifier }: Pick<HttpToolContext, "variables" | "identifier">,
): Record<string, string> {
  const filled = Object.entries(tool.headers).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    fillPlaceholders(value, fromVariables(variables)),
  ]);
  return {
    accept: "application/json",
    "content-type": "application/json",
    ...Object.fromEntries(filled),
    ...(tool.sendIdentifier && identifier !== null
      ? { "x-service-identifier": headerValue(identifier) }
      : {}),
  };
}

/** Headers carry plain ASCII; anything else is percent-encoded. */
function headerValue(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
