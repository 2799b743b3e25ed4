import { z } from "zod";
import { DEFAULT_LINES } from "./default-lines.ts";
import { TRANSFER_MODES } from "./transfers.ts";

/** What answers an agent's callers: an endpoint of the customer's own, or a model with a prompt. */

const ms = (min: number, max: number, standard: number) =>
  z.number().int().min(min).max(max).default(standard);

const overrides = {
  connectTimeoutMs: ms(50, 30_000, 2_000),
  firstTokenTimeoutMs: ms(100, 120_000, 8_000),
  idleTimeoutMs: ms(100, 120_000, 10_000),
  /** A clause that stays open longer than this is spoken as it is. */
  clauseFlushMs: ms(50, 10_000, 700),
  fallbackLine: z.string().min(1).max(1_000).default(DEFAULT_LINES.fallback),
};

const customBrainSchema = z.object({
  kind: z.literal("custom").optional(),
  url: z.url(),
  /** Keys the `X-Service-Signature` HMAC of each request; absent: unsigned. */
  secret: z.string().min(8).max(256).optional(),
  /** Sent in every request body, merged with the call's variables. */
  payload: z.record(z.string(), z.unknown()).default({}),
  ...overrides,
});
export type CustomBrainPlan = z.infer<typeof customBrainSchema>;

/** What a model may call: at most 64 letters, digits, `_` and `-`, as OpenAI has it. */
const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, _ and -");
const description = z.string().min(1).max(4_000);

/** Headers the connection itself sets, or that are ours to vouch for. */
const RESERVED_HEADERS =
  /^(host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer|x-service-.*)$/i;

const headersSchema = z.record(
  z
    .string()
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, "a header's name")
    .refine((name) => !RESERVED_HEADERS.test(name), "a header that is not set by Parley itself"),
  z.string().max(8_192),
);

/** An endpoint of the customer's. */
const httpToolSchema = z.object({
  kind: z.literal("http"),
  name: toolName,
  description,
  /** JSON Schema of the arguments, given to the model as it is. */
  parameters: z.record(z.string(), z.unknown()).default({ type: "object", properties: {} }),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("POST"),
  /**
   * Placeholders of the path and the query are filled with the call's variables, or else with arguments. GET and
   * DELETE send the arguments that are left in the query, the others all of them as a JSON body.
   */
  url: z
    .string()
    .max(2_048)
    .regex(
      /^https?:\/\/[^\s/?#{}]+([/?][^\s#]*)?$/i,
      "an http(s) URL, placeholders in its path or query only",
    ),
  /** Placeholders of their values are filled with the call's variables. */
  headers: headersSchema.default({}),
  timeoutMs: ms(100, 60_000, 10_000),
  /** Sends the trusted identity of the caller as the header `X-Service-Identifier`; the model has no say in it. */
  sendIdentifier: z.boolean().default(false),
});
export type HttpTool = z.infer<typeof httpToolSchema>;

/** Lets the model hang up, after its last words were played. */
const endCallToolSchema = z.object({
  kind: z.literal("end_call"),
  name: toolName.default("end_call"),
  description: description.default("Ends the call. Say goodbye with it."),
});

/** Lets the model press keys. */
const playKeysToolSchema = z.object({
  kind: z.literal("play_keys"),
  name: toolName.default("play_keys"),
  description: description.default("Presses keys of the telephone, for example in a menu."),
});

/** Lets the model hand the caller over, to one of these and nowhere else; a warm one is told first who comes. */
const transferToolSchema = z.object({
  kind: z.literal("transfer"),
  name: toolName.default("transfer"),
  description: description.default("Transfers the caller to somebody else."),
  destinations: z
    .array(
      z.object({
        name: z.string().min(1).max(128),
        number: z.e164(),
        mode: z.enum(TRANSFER_MODES).default("blind"),
      }),
    )
    .min(1)
    .max(50),
});
export type TransferTool = z.infer<typeof transferToolSchema>;

const toolSchema = z.discriminatedUnion("kind", [
  httpToolSchema,
  endCallToolSchema,
  playKeysToolSchema,
  transferToolSchema,
]);
export type ToolPlan = z.infer<typeof toolSchema>;

const modelBrainSchema = z.object({
  kind: z.literal("model"),
  model: z.string().min(1).max(256),
  /** `{name}` and `{{name}}` are filled with the call's variables. */
  prompt: z.string().min(1).max(100_000),
  /** Base address of an OpenAI-compatible service, up to its version; absent: the operator's `OPENAI_BASE_URL`. */
  url: z.url({ protocol: /^https?$/ }).optional(),
  /** Key for that service. The operator's own is used at the operator's address only. */
  secret: z
    .string()
    .min(1)
    .max(512)
    .regex(/^[\x21-\x7e]+$/, "printable ASCII without spaces")
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** Of one answer. */
  maxTokens: z.number().int().min(1).max(100_000).optional(),
  tools: z
    .array(toolSchema)
    .max(64)
    .refine(
      (tools) => new Set(tools.map(({ name }) => name)).size === tools.length,
      "tools with different names",
    )
    .default([]),
  ...overrides,
});
export type ModelBrainPlan = z.infer<typeof modelBrainSchema>;

export const brainSchema = z.discriminatedUnion("kind", [customBrainSchema, modelBrainSchema]);
export type BrainPlan = z.infer<typeof brainSchema>;
