import { z } from "zod";
import { AppError } from "../../errors.ts";
import { guardedRequest } from "../../net/guarded-request.ts";
import { isRefusedForGood } from "../brain-error.ts";
import type { ModelService } from "./request.ts";
import { type CountedTokens, tokensOf } from "./tokens.ts";

const TIMEOUT_MS = 120_000;
const MAX_RESPONSE_BYTES = 2 * 1_024 * 1_024;

/** A service gave no answer; says whether asking again later may help. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly isFinal: boolean;

  constructor(message: string, { isFinal }: { readonly isFinal: boolean }) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** Ways to hold a service to JSON, best first: not every service has schemas, and some lack a JSON mode too. */
const MODES = ["json_schema", "json_object", "none"] as const;
type Mode = (typeof MODES)[number];
/** Statuses with which services refuse a `response_format` that they do not support. */
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

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface Asking {
  readonly service: ModelService;
  readonly model: string;
  /** The schema for services with strict schemas; absent: plain JSON is all that is asked for. */
  readonly schema?: { readonly name: string; readonly schema: object };
  readonly signal: AbortSignal;
  /** Told what each answer used, before `ask` returns the answer. */
  readonly onTokens: (used: CountedTokens) => Promise<void>;
  /** Outcome of each request: `answered`, `refused`, `unreadable`, or the code of the error that prevented it. */
  readonly onOutcome?: (outcome: string) => void;
  /** The setting that the owner checks after a refusal, such as "the model of postCallAnalysis". */
  readonly namedBy: string;
}

/** Asks one model, and remembers between answers how its service can be held to JSON. */
export class ModelAsker {
  readonly #asking: Asking;
  #mode = 0;

  constructor(asking: Asking) {
    this.#asking = asking;
    if (!asking.schema) this.#mode = MODES.indexOf("json_object");
  }

  /** Returns the model's answer. Throws `ServiceError` or the signal's reason. */
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
          `The model's service answered ${status}${code === undefined ? "" : ` (${code})`}: look at ${this.#asking.namedBy}, and at the key and limits of its service.`,
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
          json_schema: { ...schema, strict: true },
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
    this.#count("answered");
    await this.#asking.onTokens(used);
    return text;
  }

  #count(outcome: string): void {
    this.#asking.onOutcome?.(outcome);
  }
}

function codeIn(body: string): string | undefined {
  const parsed = errorSchema.safeParse(asJson(body));
  return (parsed.data?.error.code ?? parsed.data?.error.type)?.slice(0, 64);
}

/** The JSON in a model's answer, with or without a fence around it; undefined when there is none. */
export function jsonIn(content: string): unknown {
  const bare = content
    .trim()
    .replace(/^```(?:json)?\s*/i, "")
    .replace(/```$/, "");
  return asJson(bare);
}

/** Messages that ask once more after an unusable answer, saying what was wrong with it. */
export function repairMessages(answer: string, wrong: string): Message[] {
  return [
    { role: "assistant", content: answer },
    {
      role: "user",
      content: `That answer cannot be used: ${wrong}. Answer again, with the whole JSON object and nothing else.`,
    },
  ];
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
