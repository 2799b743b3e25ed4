import { z } from "zod";
import { DEFAULT_LINES } from "./default-lines.ts";
import { flowSchema } from "./flows/flow.ts";
import { busToolSchema, plannedToolSchema, requestedToolSchema, toolSchema } from "./tools/kinds.ts";

/** What answers an agent's callers: a customer's own endpoint, a prompted model, or a flow. */

const ms = (min: number, max: number, standard: number) =>
  z.number().int().min(min).max(max).default(standard);

const overrides = {
  connectTimeoutMs: ms(50, 30_000, 2_000),
  firstTokenTimeoutMs: ms(100, 120_000, 8_000),
  idleTimeoutMs: ms(100, 120_000, 10_000),
  /** A clause still unfinished after this long is spoken as it is. */
  clauseFlushMs: ms(50, 10_000, 700),
  fallbackLine: z.string().min(1).max(1_000).default(DEFAULT_LINES.fallback),
};

/** A list of tools with unique names. */
const listOf = <T extends z.ZodType<{ readonly name: string }>>(tool: T) =>
  z
    .array(tool)
    .max(64)
    .refine(
      (tools) => new Set(tools.map(({ name }) => name)).size === tools.length,
      "tools with different names",
    )
    .default([]);

const customBrainSchema = z.object({
  kind: z.literal("custom").optional(),
  url: z.url(),
  /** Key of the `X-Service-Signature` HMAC on each request; absent: requests are unsigned. */
  secret: z.string().min(8).max(256).optional(),
  /** Sent in every request body, merged with the call's variables. */
  payload: z.record(z.string(), z.unknown()).default({}),
  /** Tools that the brain may request with a `tool_call`. */
  tools: listOf(busToolSchema),
  /** Ids of the agents that the brain may name in a `hand_off`. */
  handsTo: z.array(z.string().min(1).max(64)).max(20).optional(),
  ...overrides,
});

/** The service and model to ask. */
const service = {
  /** Base URL of an OpenAI-compatible service, including its version; absent: the operator's `OPENAI_BASE_URL`. */
  url: z.url({ protocol: /^https?$/ }).optional(),
  /** Key for that service. The operator's own key is used at the operator's address only. */
  secret: z
    .string()
    .min(1)
    .max(512)
    .regex(/^[\x21-\x7e]+$/, "printable ASCII without spaces")
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** Token limit of one answer. */
  maxTokens: z.number().int().min(1).max(100_000).optional(),
};

const modelBrainSchema = z.object({
  kind: z.literal("model"),
  model: z.string().min(1).max(256),
  /** `{name}` and `{{name}}` are filled with the call's variables. */
  prompt: z.string().min(1).max(100_000),
  ...service,
  tools: listOf(toolSchema),
  ...overrides,
});

const flowBrainSchema = z.object({
  kind: z.literal("flow"),
  flow: flowSchema,
  /** Model for talking nodes and judged edges; a flow without either needs none. */
  model: z.string().min(1).max(256).optional(),
  ...service,
  /** Tools that the flow's nodes may run. */
  tools: listOf(toolSchema),
  ...overrides,
});

/** A brain as configured in an agent's settings. */
export const brainSchema = z.discriminatedUnion("kind", [
  customBrainSchema,
  modelBrainSchema,
  flowBrainSchema,
]);
export type BrainSettings = z.infer<typeof brainSchema>;

/** What the agent remembers of the person, newest first; absent where it remembers nobody. */
const rememberedSchema = z.array(z.object({ text: z.string(), at: z.iso.datetime() }));
export type Remembered = z.infer<typeof rememberedSchema>;
const memory = rememberedSchema.optional();

const plannedCustomBrainSchema = customBrainSchema.extend({ tools: listOf(requestedToolSchema), memory });
export type CustomBrainPlan = z.infer<typeof plannedCustomBrainSchema>;
const plannedModelBrainSchema = modelBrainSchema.extend({ tools: listOf(plannedToolSchema), memory });
export type ModelBrainPlan = z.infer<typeof plannedModelBrainSchema>;
const plannedFlowBrainSchema = flowBrainSchema.extend({ tools: listOf(plannedToolSchema), memory });
export type FlowBrainPlan = z.infer<typeof plannedFlowBrainSchema>;

/** A brain as it appears in a call's plan: of tools that run in the control API, only what the brain is told. */
export const plannedBrainSchema = z.discriminatedUnion("kind", [
  plannedCustomBrainSchema,
  plannedModelBrainSchema,
  plannedFlowBrainSchema,
]);
export type BrainPlan = z.infer<typeof plannedBrainSchema>;
