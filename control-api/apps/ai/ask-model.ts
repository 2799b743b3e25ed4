import type { LlmRequest } from "@parley/platform/methods/ai.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { guardedRequest } from "@parley/shared/net/guarded-request.ts";
import { z } from "zod";
import type { OrganizationModel } from "./organization-models.ts";

const TIMEOUT_MS = 115_000;
const MAX_RESPONSE_BYTES = 2 * 1_024 * 1_024;
const DEFAULT_MAX_TOKENS = 2_048;
/** Of a service that counts none: about so many characters are a token. */
const TOKEN_CHARS = 4;
/** The public service takes only the new name for its newer models, most other servers only the old one. */
const PUBLIC_HOST = "api.openai.com";

const completionSchema = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }) }))
    .min(1),
  usage: z.object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) }).nullish(),
});

interface Completion {
  readonly text: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** Asks a model once, for the whole answer. Throws `BridgeError` vendor_failed, and what `guardedRequest` throws. */
export async function askModel(
  { id, service }: OrganizationModel,
  { messages, temperature, maxTokens = DEFAULT_MAX_TOKENS }: LlmRequest,
  signal: AbortSignal,
): Promise<Completion> {
  const field = service.url.hostname === PUBLIC_HOST ? "max_completion_tokens" : "max_tokens";
  const { status, body } = await guardedRequest(service.dispatcher, service.url.href, {
    method: "POST",
    headers: {
      accept: "application/json",
      "accept-encoding": "identity",
      "content-type": "application/json",
      ...(service.key === undefined ? {} : { authorization: `Bearer ${service.key}` }),
    },
    body: JSON.stringify({
      ...{ model: id, messages, stream: false, [field]: maxTokens },
      ...(temperature === undefined ? {} : { temperature }),
    }),
    signal,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });
  if (status !== 200) throw new BridgeError("vendor_failed", `The model's service answered ${status}.`);
  const parsed = completionSchema.safeParse(asJson(body.toString("utf8")));
  const message = parsed.data?.choices[0]?.message;
  if (!message)
    throw new BridgeError("vendor_failed", "The model's service answered with no chat completion.");
  const text = message.content ?? message.refusal ?? "";
  const usage = parsed.data?.usage;
  const asked = messages.map(({ content }) => content).join("");
  return {
    text,
    usage: {
      inputTokens: usage?.prompt_tokens ?? tokensOf(asked),
      outputTokens: usage?.completion_tokens ?? tokensOf(text),
    },
  };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / TOKEN_CHARS);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
