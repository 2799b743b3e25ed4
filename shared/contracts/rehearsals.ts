import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { jsonValueSchema } from "./json.ts";
import { pageLimit, queryInt } from "./paging.ts";
import { initWebCallSchema } from "./sessions.ts";
import { toolName } from "./tools/tool-kind.ts";

/** `POST /api/agents/{id}/simulations`: conversations that a script holds with an agent, and whether they went as they should. */

const words = z.string().trim().min(1).max(2_000);

/** A caller whom a model plays. */
const personaSchema = z.object({
  who: words,
  goal: words,
  /** What they know, and tell when they are asked. */
  facts: z.array(words).max(50).default([]),
  mood: z.string().trim().min(1).max(200).optional(),
  /** Whether they cut into long answers of the agent. */
  interrupts: z.enum(["never", "sometimes", "often"]).default("never"),
  /** Absent: the model of the agent's brain. It is asked at that brain's service, or at the operator's. */
  model: z.string().min(1).max(256).optional(),
});
export type Persona = z.infer<typeof personaSchema>;

const callerSchema = z.object({
  /**
   * Said when the agent's last words have `to` in them, capitals or not; each as often as it fits. With `cutsIn` it is said as
   * soon as `to` was heard, and nothing after it was; once.
   */
  answers: z
    .array(z.object({ to: words, say: words, cutsIn: z.boolean().optional() }))
    .max(50)
    .default([]),
  /** Said one after the other where no answer fits; then the caller hangs up. */
  otherwise: z.array(words).max(50).default([]),
  /** Says what no answer fits, in the place of `otherwise`. */
  persona: personaSchema.optional(),
});

const criterionSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("says"), text: words }),
  z.object({ kind: z.literal("never_says"), text: words }),
  /** The agent's flow comes to this node. */
  z.object({ kind: z.literal("reaches"), node: z.string().min(1).max(256) }),
  z.object({ kind: z.literal("calls_tool"), tool: toolName }),
  /** The agent ends the conversation, or transfers it. */
  z.object({ kind: z.literal("ends") }),
  z.object({ kind: z.literal("within_turns"), turns: z.int().min(1).max(50) }),
]);
export type Criterion = z.infer<typeof criterionSchema>;

const scenarioSchema = z.object({
  name: z.string().trim().min(1).max(128),
  variables: initWebCallSchema.shape.variables,
  caller: callerSchema,
  /** What tools give: nothing is called for real. A tool that is not here fails. */
  tools: z
    .array(
      z.object({
        name: toolName,
        status: z.enum(["success", "error", "not_found"]).default("success"),
        result: jsonValueSchema,
      }),
    )
    .max(50)
    .default([]),
  criteria: z.array(criterionSchema).min(1).max(30),
  maxTurns: z.int().min(1).max(50).default(20),
});
export type Scenario = z.infer<typeof scenarioSchema>;

const scenariosSchema = z
  .array(scenarioSchema)
  .max(50)
  .refine(
    (all) => new Set(all.map(({ name }) => name)).size === all.length,
    "scenarios with different names",
  );

/** An agent's own rehearsals. */
export const rehearsalSettingsSchema = z
  .object({
    scenarios: scenariosSchema.default([]),
    /** A change of what the agent says is taken over only once all of these went as they should with it. */
    required: z.boolean().default(false),
  })
  .refine(({ required, scenarios }) => !required || scenarios.length > 0, {
    path: ["scenarios"],
    message: "at least one, where rehearsals are required",
  });

export const rehearseSchema = z.strictObject({
  /** Absent: the agent's own. */
  scenarios: scenariosSchema.min(1).optional(),
  /** A change of the agent, as `PATCH /api/agents/{id}` takes it: rehearsed as it would be then, and not saved. */
  draft: z.record(z.string(), z.unknown()).optional(),
});

const rehearsalSchema = z.object({
  name: z.string(),
  passed: z.boolean(),
  /** Of its record, channel `simulation`. */
  sessionId: z.string(),
  /** Why it was over: an end reason, `transferred`, `hangup` (the caller had nothing more to say, or hung up) or `max_turns`. */
  endReason: z.string(),
  turns: z.int(),
  transcript: z.array(z.object({ role: z.enum(["user", "assistant"]), text: z.string(), turn: z.int() })),
  path: z.array(z.string()),
  tools: z.array(z.object({ name: z.string(), status: z.string() })),
  /** The longest answer took so long. */
  slowestMs: z.int(),
  /** The brain failed: what was wrong, for its owner. */
  error: z.string().nullable(),
  criteria: z.array(
    z.object({
      criterion: criterionSchema,
      passed: z.boolean(),
      /** The sentence that shows it. */
      because: z.string(),
    }),
  ),
});
export type Rehearsal = z.infer<typeof rehearsalSchema>;

const reportSummarySchema = z.object({
  reportId: z.string(),
  agentId: z.string(),
  /** Of a draft, the version that it changes. */
  agentVersion: z.int(),
  /** A change that was not saved then. */
  ofDraft: z.boolean(),
  /** Of all the agent's own scenarios; others do not open the way for a change. */
  isOwn: z.boolean(),
  passed: z.int(),
  total: z.int(),
  tookMs: z.int(),
  createdAt: z.string(),
  /** Who held them. */
  createdBy: z.string(),
});
export type ReportSummary = z.infer<typeof reportSummarySchema>;

/** What is not as it was the last time that the agent was another. */
const rehearsalChangeSchema = z.object({
  name: z.string(),
  /** `other`: the outcome is the same, words or path are not. `new`: it was never held before. */
  kind: z.enum(["broke", "fixed", "other", "new"]),
  /** The report that it is compared with. */
  before: z
    .object({ reportId: z.string(), agentVersion: z.int(), ofDraft: z.boolean(), slowestMs: z.int() })
    .nullable(),
  slowestMs: z.int(),
  /** The sentence that shows it: of the criterion that broke, or is met now. */
  because: z.string().nullable(),
  /** Where the two conversations part: what the agent said then, and what it says now. */
  said: z.object({ before: z.string().nullable(), now: z.string().nullable() }).nullable(),
  /** The first node at which the paths part. */
  node: z.object({ before: z.string().nullable(), now: z.string().nullable() }).nullable(),
});
export type RehearsalChange = z.infer<typeof rehearsalChangeSchema>;

const reportSchema = reportSummarySchema.extend({
  scenarios: scenariosSchema,
  rehearsals: z.array(rehearsalSchema),
  /** Empty: all went as the last time. */
  changes: z.array(rehearsalChangeSchema),
});
export type RehearsalReport = z.infer<typeof reportSchema>;

export const rehearsalsResponseSchema = wrapped(reportSchema);

export const reportParamsSchema = z.object({
  id: z.string().min(1).max(64),
  reportId: z.string().min(1).max(64),
});
export const reportsQuerySchema = z.strictObject({
  limit: pageLimit(100),
  offset: queryInt({ min: 0, max: 1_000_000, usual: 0 }),
});
/** Without the conversations, the newest first. */
export const reportsResponseSchema = wrapped(
  z.object({ reports: z.array(reportSummarySchema), total: z.int() }),
);
