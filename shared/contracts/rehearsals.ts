import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { jsonValueSchema } from "./json.ts";
import { pageLimit, queryInt } from "./paging.ts";
import { initWebCallSchema } from "./sessions.ts";
import {
  CALLER_VOICES,
  callerNoiseSchema,
  rehearsalModeSchema,
  spokenFiguresSchema,
} from "./spoken-rehearsals.ts";
import { GIVEN_STATUSES } from "./tools/given-tool.ts";
import { toolName } from "./tools/tool-kind.ts";

/** `POST /api/agents/{id}/simulations`: scripted conversations with an agent, and whether they went as they should. */

const words = z.string().trim().min(1).max(2_000);

/** A caller played by a model. */
const personaSchema = z.object({
  who: words,
  goal: words,
  /** What the caller knows and tells when asked. */
  facts: z.array(words).max(50).default([]),
  mood: z.string().trim().min(1).max(200).optional(),
  /** Whether the caller interrupts long answers of the agent. */
  interrupts: z.enum(["never", "sometimes", "often"]).default("never"),
  /** Absent: the model of the agent's brain. It is asked at that brain's service, or at the operator's. */
  model: z.string().min(1).max(256).optional(),
});
export type Persona = z.infer<typeof personaSchema>;

const callerSchema = z.object({
  /**
   * Replies spoken when the agent's last words contain `to`, in any letter case; each as often as it matches. With
   * `cutsIn` the reply is spoken as soon as `to` was heard, cutting off the rest; once.
   */
  answers: z
    .array(z.object({ to: words, say: words, cutsIn: z.boolean().optional() }))
    .max(50)
    .default([]),
  /** Spoken one after the other when no answer matches; then the caller hangs up. */
  otherwise: z.array(words).max(50).default([]),
  /** Replaces `otherwise`: says something when no answer matches. */
  persona: personaSchema.optional(),
  /** In speech: the caller's built-in voice; absent: `rms`, which recognizers understand best. */
  voice: z.enum(CALLER_VOICES).optional(),
  /** In speech: what is heard behind the caller; absent: the request's `noise`. */
  noise: callerNoiseSchema.optional(),
});

const criterionSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("says"), text: words }),
  z.object({ kind: z.literal("never_says"), text: words }),
  /** The agent's flow reaches this node. */
  z.object({ kind: z.literal("reaches"), node: z.string().min(1).max(256) }),
  z.object({ kind: z.literal("calls_tool"), tool: toolName }),
  /** The agent ends or transfers the conversation. */
  z.object({ kind: z.literal("ends") }),
  z.object({ kind: z.literal("within_turns"), turns: z.int().min(1).max(50) }),
  /**
   * A model judges a statement such as "the agent says what it costs before it books" to be true, and quotes words as
   * evidence.
   */
  z.object({
    kind: z.literal("judged"),
    text: words,
    /** Absent: the model of the agent's brain. It is asked at the same service as a persona's. */
    model: z.string().min(1).max(256).optional(),
  }),
]);
export type Criterion = z.infer<typeof criterionSchema>;

const scenarioSchema = z.object({
  name: z.string().trim().min(1).max(128),
  variables: initWebCallSchema.shape.variables,
  caller: callerSchema,
  /** Tools' results: nothing is called for real. A tool not listed here fails. */
  tools: z
    .array(
      z.object({
        name: toolName,
        status: z.enum(GIVEN_STATUSES).default("success"),
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
    /** Accepts a change of what the agent says only after all of these have passed with it. */
    required: z.boolean().default(false),
  })
  .refine(({ required, scenarios }) => !required || scenarios.length > 0, {
    path: ["scenarios"],
    message: "at least one, where rehearsals are required",
  });

export const rehearseSchema = z
  .strictObject({
    /** Absent: the agent's own scenarios. */
    scenarios: scenariosSchema.min(1).optional(),
    /** An unsaved change in the form of `PATCH /api/agents/{id}`: rehearsed as if applied, and not saved. */
    draft: z.record(z.string(), z.unknown()).optional(),
    /** `speech`: by calls through a gateway. They take as long as they take, so the report is answered as it begins. */
    mode: rehearsalModeSchema.default("text"),
    /** In speech: what is heard behind callers who have no noise of their own. */
    noise: callerNoiseSchema.optional(),
  })
  .refine(({ mode, noise }) => noise === undefined || mode === "speech", {
    path: ["noise"],
    message: "only with mode speech: text has no noise",
  });

const rehearsalSchema = z.object({
  name: z.string(),
  passed: z.boolean(),
  /** The session of the recorded conversation, channel `simulation`. */
  sessionId: z.string(),
  /**
   * Why the conversation ended: an end reason, `transferred`, `hangup` (the caller had nothing more to say, or hung
   * up), or `max_turns`.
   */
  endReason: z.string(),
  turns: z.int(),
  transcript: z.array(
    z.object({
      role: z.enum(["user", "assistant"]),
      text: z.string(),
      turn: z.int(),
      /** In speech: the caller's own words, where others were understood. */
      said: z.string().optional(),
    }),
  ),
  path: z.array(z.string()),
  tools: z.array(z.object({ name: z.string(), status: z.string() })),
  /** Duration of the slowest answer. */
  slowestMs: z.int(),
  /** Absent: it was held in text. */
  speech: spokenFiguresSchema.optional(),
  /** Why the brain, or the call, failed, for the agent's owner. */
  error: z.string().nullable(),
  criteria: z.array(
    z.object({
      criterion: criterionSchema,
      passed: z.boolean(),
      /** The sentence that proves it. */
      because: z.string(),
    }),
  ),
});
export type Rehearsal = z.infer<typeof rehearsalSchema>;

const reportSummarySchema = z.object({
  reportId: z.string(),
  agentId: z.string(),
  /** For a draft, the version that it changes. */
  agentVersion: z.int(),
  /** The rehearsed change was not saved at the time. */
  ofDraft: z.boolean(),
  /** Covers all of the agent's own scenarios; only such a report, in text, permits a change. */
  isOwn: z.boolean(),
  mode: rehearsalModeSchema,
  /** `running`: rehearsals are added as they end. `failed`: not all were held; `error` says why. */
  state: z.enum(["running", "done", "failed"]),
  error: z.string().nullable(),
  passed: z.int(),
  total: z.int(),
  tookMs: z.int(),
  createdAt: z.string(),
  /** Who ran the rehearsals. */
  createdBy: z.string(),
});
export type ReportSummary = z.infer<typeof reportSummarySchema>;

/** A difference from the last report on another state of the agent. */
const rehearsalChangeSchema = z.object({
  name: z.string(),
  /** `other`: same outcome, but different words or path. `new`: the scenario was never run before. */
  kind: z.enum(["broke", "fixed", "other", "new"]),
  /** The report compared with. */
  before: z
    .object({ reportId: z.string(), agentVersion: z.int(), ofDraft: z.boolean(), slowestMs: z.int() })
    .nullable(),
  slowestMs: z.int(),
  /** Evidence: the sentence for the criterion that broke, or is met now. */
  because: z.string().nullable(),
  /** Where the two conversations diverge: the agent's words then and now. */
  said: z.object({ before: z.string().nullable(), now: z.string().nullable() }).nullable(),
  /** The first node at which the paths diverge. */
  node: z.object({ before: z.string().nullable(), now: z.string().nullable() }).nullable(),
});
export type RehearsalChange = z.infer<typeof rehearsalChangeSchema>;

const reportSchema = reportSummarySchema.extend({
  scenarios: scenariosSchema,
  rehearsals: z.array(rehearsalSchema),
  /** Empty: everything went as the last time. */
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
/** Newest first, without the conversations. */
export const reportsResponseSchema = wrapped(
  z.object({ reports: z.array(reportSummarySchema), total: z.int() }),
);
