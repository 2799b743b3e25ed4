import { z } from "zod";
import { method, needs } from "./define.ts";

export const AI_TIERS = ["fast", "smart"] as const;

/** Bounds one message to a model, and the text from `files.extractText`. */
export const MAX_MESSAGE_CHARS = 200_000;

export const llmRequestSchema = z.strictObject({
  /** How good a model must be; the organization chooses the model. */
  tier: z.enum(AI_TIERS).optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().min(1).max(16_384).optional(),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(["system", "user", "assistant"]),
        content: z.string().min(1).max(MAX_MESSAGE_CHARS),
      }),
    )
    .min(1)
    .max(200),
});
export type LlmRequest = z.infer<typeof llmRequestSchema>;

export const llmResultSchema = z.object({
  text: z.string(),
  usage: z.object({ inputTokens: z.int(), outputTokens: z.int() }).optional(),
});

const LLM_LIMITS = { timeoutMs: 120_000, perMinute: 60, inFlight: 4 };

export const AI_METHODS = [
  method("ai.llm", {
    about: "Asks a language model; the organization that installed the app pays.",
    scope: needs("ai:llm"),
    params: { request: llmRequestSchema },
    result: llmResultSchema,
    limits: LLM_LIMITS,
  }),
  method("ai.llmStream", {
    about: "The same, with each piece of the answer as it is written.",
    scope: needs("ai:llm"),
    params: { request: llmRequestSchema },
    result: llmResultSchema,
    event: z.object({ token: z.string() }),
    streams: "answer",
    limits: LLM_LIMITS,
  }),
  method("ai.models", {
    about: "Lists the tiers and the organization's models.",
    scope: { kind: "any", prefix: "ai:" },
    params: {},
    result: z.object({
      tiers: z.array(z.object({ tier: z.string(), model: z.string().nullable() })),
      models: z.array(z.object({ id: z.string(), name: z.string(), provider: z.string() })),
    }),
    empty: { tiers: [], models: [] },
  }),
] as const;
