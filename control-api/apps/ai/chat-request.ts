import type { LlmRequest } from "@parley/platform/methods/ai.ts";
import { tokensOf } from "@parley/shared/brain/model/tokens.ts";
import { z } from "zod";
import type { OrganizationModel } from "../../agents/models/organization-models.ts";

/** For the whole answer: slightly less than the app's call may take, so that the error is ours. */
export const TIMEOUT_MS = 115_000;
const DEFAULT_MAX_TOKENS = 2_048;
/** The public service's newer models require the new parameter name; most other servers know only the old one. */
const PUBLIC_HOST = "api.openai.com";

export const usageSchema = z.object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) });

export interface Completion {
  readonly text: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** How an answer arrives; `counted`: streamed, and the service is asked to report token usage at the end. */
export type Delivery = "whole" | "streamed" | "counted";

/** The request for one completion. */
export function chatPost(
  { id, service }: OrganizationModel,
  { messages, temperature, maxTokens = DEFAULT_MAX_TOKENS }: LlmRequest,
  delivery: Delivery,
) {
  const stream = delivery !== "whole";
  const field = service.url.hostname === PUBLIC_HOST ? "max_completion_tokens" : "max_tokens";
  return {
    method: "POST",
    headers: {
      accept: stream ? "text/event-stream" : "application/json",
      "accept-encoding": "identity",
      "content-type": "application/json",
      ...(service.key === undefined ? {} : { authorization: `Bearer ${service.key}` }),
    },
    body: JSON.stringify({
      ...{ model: id, messages, stream, [field]: maxTokens },
      ...(delivery === "counted" ? { stream_options: { include_usage: true } } : {}),
      ...(temperature === undefined ? {} : { temperature }),
    }),
  } as const;
}

/** Tokens as the service counts them, or estimated from the characters. */
export function usageOf(
  { messages }: LlmRequest,
  text: string,
  counted: z.infer<typeof usageSchema> | null | undefined,
): Completion["usage"] {
  const asked = messages.map(({ content }) => content).join("");
  return {
    inputTokens: counted?.prompt_tokens ?? tokensOf(asked.length),
    outputTokens: counted?.completion_tokens ?? tokensOf(text.length),
  };
}

export function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
