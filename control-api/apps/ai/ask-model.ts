import type { LlmRequest } from "@parley/platform/methods/ai.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { guardedRequest } from "@parley/shared/net/guarded-request.ts";
import { z } from "zod";
import type { OrganizationModel } from "../../agents/models/organization-models.ts";
import { asJson, type Completion, chatPost, TIMEOUT_MS, usageOf, usageSchema } from "./chat-request.ts";

const MAX_RESPONSE_BYTES = 2 * 1_024 * 1_024;

const completionSchema = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }) }))
    .min(1),
  usage: usageSchema.nullish(),
});

/** Asks a model once for the whole answer. Throws `BridgeError` vendor_failed, and what `guardedRequest` throws. */
export async function askModel(
  model: OrganizationModel,
  request: LlmRequest,
  signal: AbortSignal,
): Promise<Completion> {
  const { status, body } = await guardedRequest(model.service.dispatcher, model.service.url.href, {
    ...chatPost(model, request, "whole"),
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
  return { text, usage: usageOf(request, text, parsed.data?.usage) };
}
