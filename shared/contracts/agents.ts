import { z } from "zod";
import { brainControlSchema } from "./brain-control.ts";
import { agentSettingsSchema } from "./call-plan.ts";
import { wrapped } from "./envelope.ts";
import { memorySettingsSchema } from "./memory.ts";
import { pageLimit, queryInt } from "./paging.ts";
import { postCallAnalysisSchema } from "./post-call-analysis.ts";
import { rehearsalSettingsSchema } from "./rehearsals.ts";
import { initWebCallSchema } from "./sessions.ts";
import { strictly } from "./strictly.ts";

/** `/api/agents`: who answers, and how. */

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const variableSchema = z.object({
  name: z.string().regex(VARIABLE_NAME, "a name of letters, digits and _, at most 64"),
  /** True: a call that lacks the variable is refused. */
  required: z.boolean().default(false),
  description: z.string().max(1_000).optional(),
});

const voicemailSchema = z
  .object({
    /** What to do when a machine answers. */
    action: z.enum(["hangup", "message", "continue"]).default("hangup"),
    /** The message left after the beep. */
    message: z.string().min(1).max(4_000).optional(),
  })
  .refine(({ action, message }) => action !== "message" || message !== undefined, {
    path: ["message"],
    message: "required when the action is message",
  });

const messagingSettingsSchema = z.object({
  /** Answers a voice message with one, in the agent's voice, where the channel takes them. */
  answerVoiceWithVoice: z.boolean().default(false),
});

/**
 * An agent's full configuration: the settings that its calls' plans take over, and those decided before there is a
 * call.
 */
export const agentConfigSchema = agentSettingsSchema.extend({
  variables: z
    .array(variableSchema)
    .max(100)
    .refine((variables) => new Set(variables.map(({ name }) => name)).size === variables.length, {
      message: "each name once",
    })
    .default([]),
  /** False: only signed-in users may call, neither API keys nor client tokens. */
  apiAccess: z.boolean().default(true),
  voicemail: voicemailSchema.prefault({}),
  /** Tells `screeningLine` to a phone's call-screening assistant, then waits for the person. */
  screening: z.boolean().default(false),
  /** Name and reason, such as "This is Acme, about your order of Monday". Absent: the brain answers the assistant. */
  screeningLine: z.string().trim().min(1).max(500).optional(),
  /** Analysis of a finished call: `call.analyzed`. */
  postCallAnalysis: postCallAnalysisSchema.prefault({}),
  /** What the agent may remember of a person for the next conversation. */
  memory: memorySettingsSchema.prefault({}),
  /** How the agent writes on messaging channels. */
  messaging: messagingSettingsSchema.prefault({}),
  /** Conversations held with the agent before callers reach it. */
  rehearsals: rehearsalSettingsSchema.prefault({}),
});
export type AgentConfig = z.infer<typeof agentConfigSchema>;

const name = z.string().trim().min(1).max(128);

/** The settings as people write them: an unknown field is refused by name. */
export const strictAgentConfigSchema = strictly(agentConfigSchema);
export const newAgentSchema = strictly(agentConfigSchema.extend({ name }));
export type NewAgent = z.infer<typeof newAgentSchema>;

/** `metadata.tools` is an alias of `brain.tools` (docs/decisions/agents.md#metadata-tools). */
const writtenMetadataSchema = z.strictObject({ tools: z.unknown().optional() }).optional();
/** A new agent as a client writes it. */
export const createAgentSchema = newAgentSchema.extend({ metadata: writtenMetadataSchema });
export type CreateAgent = z.infer<typeof createAgentSchema>;

/**
 * A JSON merge patch (RFC 7396): omitted settings stay, objects are merged, and `null` resets a setting to its
 * default. The result is validated against the schema above.
 */
export const changeAgentSchema = z.strictObject({
  name: name.optional(),
  /** The version that this change applies to; 409 when there is a newer one. */
  version: z.int().min(1).optional(),
  /** Accepts a change that failing rehearsals would block; owners and admins only. */
  unrehearsed: z.boolean().optional(),
  metadata: writtenMetadataSchema,
  ...(Object.fromEntries(
    Object.keys(agentConfigSchema.shape).map((field) => [field, z.unknown().optional()]),
  ) as Record<keyof AgentConfig, z.ZodOptional<z.ZodUnknown>>),
});
export type ChangeAgent = z.infer<typeof changeAgentSchema>;

/** Secrets can be written but never read. */
const shownConfigSchema = agentConfigSchema.extend({ brain: z.looseObject({ hasSecret: z.boolean() }) });
export type ShownConfig = z.infer<typeof shownConfigSchema>;

const agentSchema = shownConfigSchema.extend({
  id: z.string(),
  name: z.string(),
  /** Counts up from 1 with every change. */
  version: z.int(),
  /** The tools of `brain.tools`. */
  metadata: z.object({ tools: z.array(z.looseObject({ kind: z.string(), name: z.string() })) }),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Agent = z.infer<typeof agentSchema>;

const agentVersionSchema = shownConfigSchema.extend({
  agentId: z.string(),
  version: z.int(),
  name: z.string(),
  createdAt: z.string(),
  /** The author of the change; `nobody` is Parley itself. */
  createdBy: z.object({ kind: z.enum(["user", "key", "nobody"]), id: z.string().nullable() }),
});
export type AgentVersion = z.infer<typeof agentVersionSchema>;

const agentId = z.string().min(1).max(64);
export const agentParamsSchema = z.object({ id: agentId });
export const agentVersionParamsSchema = z.object({
  id: agentId,
  version: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1),
});
export const agentVersionsQuerySchema = z.strictObject({
  limit: pageLimit(200),
  offset: queryInt({ min: 0, max: 1_000_000, usual: 0 }),
});
export const agentsQuerySchema = agentVersionsQuerySchema.extend({
  /** Part of the name, in any letter case, or an id. */
  search: z.string().trim().min(1).max(128).optional(),
});
/** `If-Match: "3"` applies a change to version 3 only; 412 when there is a newer one. */
export const changeAgentHeadersSchema = z.looseObject({ "if-match": z.string().max(256).optional() });

export const agentResponseSchema = wrapped(agentSchema);
export const agentsResponseSchema = wrapped(z.object({ agents: z.array(agentSchema), total: z.int() }));
export const agentDeletedResponseSchema = wrapped(z.object({ id: z.string() }));
export const agentVersionResponseSchema = wrapped(agentVersionSchema);
export const agentVersionsResponseSchema = wrapped(
  z.object({ versions: z.array(agentVersionSchema), total: z.int() }),
);

/** One turn with an agent's brain, as a caller would begin it. */
export const testBrainSchema = z.strictObject({
  query: z.string().min(1).max(4_000),
  variables: initWebCallSchema.shape.variables,
  /** Whether a model's `http` tools are really called; otherwise the answer ends where it calls one. */
  runTools: z.boolean().default(false),
});

/** A piece of the answer; `atMs` counts from the request. */
const brainTestPartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("token"), text: z.string(), atMs: z.int() }),
  z.object({ type: z.literal("control"), control: brainControlSchema, atMs: z.int() }),
]);
export type BrainTestPart = z.infer<typeof brainTestPartSchema>;

const brainTestSummary = {
  ok: z.boolean(),
  /** All tokens, concatenated. */
  text: z.string(),
  firstTokenMs: z.int().nullable(),
  totalMs: z.int(),
  /** Requests made: 2 when the first failed before anything came, as in a call. */
  tries: z.int(),
  /** The answer exceeded the limit of this test. */
  truncated: z.boolean(),
  /** What was wrong, described for the brain's owner. */
  error: z.object({ failure: z.string(), message: z.string() }).nullable(),
};
/** The last event of the streamed form, after the individual parts. */
const brainTestResultSchema = z.object({ type: z.literal("result"), ...brainTestSummary });
export type BrainTestResult = z.infer<typeof brainTestResultSchema>;
const brainTestSchema = z.object({ ...brainTestSummary, parts: z.array(brainTestPartSchema) });
export type BrainTest = z.infer<typeof brainTestSchema>;
export const brainTestResponseSchema = wrapped(brainTestSchema);
