import { createHash } from "node:crypto";
import type { Dispatcher } from "undici";
import type { ModelBrainPlan } from "../../contracts/brain-plan.ts";
import type { Dispatchers } from "../../net/dispatchers.ts";
import { BrainError, isRefusedForGood } from "../brain-error.ts";
import type { BreakerKey } from "../breaker.ts";
import type { TurnPost } from "../exchange.ts";
import type { ToolDefinition } from "../tools/definitions.ts";
import { asJson, codeIn } from "./chunks.ts";
import type { ChatMessage } from "./messages.ts";

/** The operator's service, for agents that name none of their own. */
export interface OperatorModels {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** The operator's address may be a private one. */
  readonly dispatchers: Dispatchers;
}

export interface ModelService {
  readonly url: URL;
  readonly key: string | undefined;
  readonly dispatcher: Dispatcher;
  readonly breakerKey: BreakerKey;
}

const PUBLIC_HOST = "api.openai.com";
const KEY_DIGEST_CHARS = 16;
const MAX_ERROR_BYTES = 16 * 1024;

/**
 * The service a brain asks; undefined when the service needs a key and there is none. The operator's key is sent to
 * the operator's address and nowhere else.
 */
export function serviceOf(
  { plan, orgId }: { plan: Pick<ModelBrainPlan, "url" | "secret">; orgId: string },
  { models, dispatchers }: { models: OperatorModels; dispatchers: Dispatchers },
): ModelService | undefined {
  const isOperators = plan.url === undefined;
  const base = (plan.url ?? models.baseUrl).replace(/\/+$/, "");
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  const key = plan.secret ?? (isOperators ? models.apiKey : undefined);
  if (key === undefined && url.hostname === PUBLIC_HOST) return undefined;
  // An exhausted key must not hold back requests that use another key.
  const digest = createHash("sha256")
    .update(key ?? "")
    .digest("hex")
    .slice(0, KEY_DIGEST_CHARS);
  return {
    url,
    key,
    dispatcher: (isOperators ? models.dispatchers : dispatchers).of(orgId),
    breakerKey: { orgId, endpoint: `${url.href} ${digest}` },
  };
}

/** Whether the agent's owner, not the operator, pays for the service. */
export function isOwnService({ url, secret }: Pick<ModelBrainPlan, "url" | "secret">): boolean {
  return url !== undefined || secret !== undefined;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  /** False: the model must answer in words. */
  readonly mayCall: boolean;
  readonly traceparent: string | undefined;
  /** Asks the service to report what the answer used. */
  readonly countsTokens: boolean;
}

/** The POST of one round of a turn. */
export function buildChatPost(
  plan: ModelBrainPlan,
  { url, key }: ModelService,
  { messages, tools, mayCall, traceparent, countsTokens }: ChatRequest,
): TurnPost {
  const { model, temperature, maxTokens } = plan;
  // The public service accepts only the new name for its newer models, most other servers only the old one.
  const maxTokensField = url.hostname === PUBLIC_HOST ? "max_completion_tokens" : "max_tokens";
  const body = {
    model,
    messages,
    stream: true,
    ...(countsTokens ? { stream_options: { include_usage: true } } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { [maxTokensField]: maxTokens }),
    ...(tools.length === 0 ? {} : { tools, tool_choice: mayCall ? "auto" : "none" }),
  };
  return {
    url,
    body: Buffer.from(JSON.stringify(body)),
    headers: {
      accept: "text/event-stream",
      "accept-encoding": "identity",
      "content-type": "application/json",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(traceparent === undefined ? {} : { traceparent }),
    },
  };
}

/** A service does not understand the request for token counts; without that request it may answer. */
export class CountingRefused extends BrainError {
  override readonly name = "CountingRefused";
}

/** The error for an unsuccessful status, with the error code the service gives. */
export async function refusalOf(status: number, body: Dispatcher.ResponseData["body"]): Promise<BrainError> {
  const isFinal = isRefusedForGood(status);
  let text = "";
  try {
    for await (const chunk of body) {
      text += String(chunk);
      if (text.length > MAX_ERROR_BYTES) break;
    }
  } catch {
    // The status alone is enough.
    text = "";
  }
  body.destroy();
  const message = `The model's service answered ${status}${codeIn(asJson(text))}.`;
  const isCounting = isFinal && text.includes("stream_options");
  return new (isCounting ? CountingRefused : BrainError)("status", message, { isFinal });
}
