import { isRefusedForGood } from "@parley/shared/brain/brain-error.ts";
import type { ModelService } from "@parley/shared/brain/model/request.ts";
import { type CountedTokens, tokensOf } from "@parley/shared/brain/model/tokens.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { guardedRequest } from "@parley/shared/net/guarded-request.ts";
import { z } from "zod";
import type { Message } from "./prompt.ts";

const TIMEOUT_MS = 120_000;
const MAX_RESPONSE_BYTES = 2 * 1_024 * 1_024;

/** A service gave no answer; whether asking again later may help. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly isFinal: boolean;

  constructor(message: string, { isFinal }: { readonly isFinal: boolean }) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** How a service is held to JSON, the best first: not every one has schemas, and some have no JSON mode either. */
const MODES = ["json_schema", "json_object", "none"] as const;
type Mode = (typeof MODES)[number];
/** What services say to a `response_format` that they do not have. */
const FORMAT_REFUSED = new Set([400, 404, 415, 422, 501]);

const completionSchema = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }) }))
    .min(1),
  usage: z
    .object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) })
    .partial()
    .nullish(),
});
const errorSchema = z.object({ error: z.object({ code: z.string().nullish(), type: z.string().nullish() }) });

export interface Asking {
  readonly service: ModelService;
  readonly model: string;
  readonly schema: object;
  readonly signal: AbortSignal;
  /** Told what each answer used, before it is given. */
  readonly onTokens: (used: CountedTokens) => Promise<void>;
  readonly metrics: Pick<Metrics, "analysisTokensTotal" | "analysisRequestsTotal">;
}

/** Asks one model, and remembers between its answers how its service can be held to JSON. */
export class ModelAsker {
  readonly #asking: Asking;
  #mode = 0;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** What the model answered. Throws `ServiceError`, and the signal's reason. */
  async ask(messages: readonly Message[]): Promise<string> {
    for (;;) {
      const { status, body } = await this.#post(messages, MODES[this.#mode] ?? "none");
      if (status >= 200 && status < 300) return await this.#read(body, messages);
      this.#count("refused");
      const code = codeIn(body);
      if (FORMAT_REFUSED.has(status) && code !== "model_not_found" && this.#mode + 1 < MODES.length)
        this.#mode += 1;
      else
        throw new ServiceError(
          `The model's service answered ${status}${code === undefined ? "" : ` (${code})`}: look at the model of postCallAnalysis, and at the key and limits of its service.`,
          { isFinal: isRefusedForGood(status) },
        );
    }
  }

  async #post(messages: readonly Message[], mode: Mode): Promise<{ status: number; body: string }> {
    const { service, model, schema, signal } = this.#asking;
    const format = {
      json_schema: {
        response_format: {
          type: "json_schema",
          json_schema: { name: "call_analysis", strict: true, schema },
        },
      },
      json_object: { response_format: { type: "json_object" } },
      none: {},
    }[mode];
    try {
      const { status, body } = await guardedRequest(service.dispatcher, service.url.href, {
        method: "POST",
        headers: {
          accept: "application/json",
          "accept-encoding": "identity",
          "content-type": "application/json",
          ...(service.key === undefined ? {} : { authorization: `Bearer ${service.key}` }),
        },
        body: JSON.stringify({ model, messages, stream: false, ...format }),
        signal,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_RESPONSE_BYTES,
      });
      return { status, body: body.toString("utf8") };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#count(error.code);
      throw new ServiceError(`The model's service gave no answer: ${error.message}`, {
        isFinal: error.code === "blocked_address",
      });
    }
  }

  async #read(body: string, messages: readonly Message[]): Promise<string> {
    const parsed = completionSchema.safeParse(asJson(body));
    const message = parsed.data?.choices[0]?.message;
    if (!message) {
      this.#count("unreadable");
      throw new ServiceError("The model's service answered with something that is no chat completion.", {
        isFinal: false,
      });
    }
    const text = message.content ?? message.refusal ?? "";
    const asked = messages.reduce((sum, { content }) => sum + content.length, 0);
    const { prompt_tokens, completion_tokens } = parsed.data?.usage ?? {};
    const used = {
      inputTokens: prompt_tokens ?? tokensOf(asked),
      outputTokens: completion_tokens ?? tokensOf(text.length),
    };
    const { metrics, onTokens } = this.#asking;
    metrics.analysisTokensTotal.inc({ kind: "prompt" }, used.inputTokens);
    metrics.analysisTokensTotal.inc({ kind: "completion" }, used.outputTokens);
    this.#count("answered");
    await onTokens(used);
    return text;
  }

  #count(outcome: string): void {
    this.#asking.metrics.analysisRequestsTotal.inc({ outcome });
  }
}

function codeIn(body: string): string | undefined {
  const parsed = errorSchema.safeParse(asJson(body));
  return (parsed.data?.error.code ?? parsed.data?.error.type)?.slice(0, 64);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
