import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { jsonValueSchema } from "./json.ts";
import { initWebCallSchema } from "./sessions.ts";
import { toolName } from "./tools/tool-kind.ts";

/** `POST /api/agents/{id}/simulations`: conversations that a script holds with an agent, and whether they went as they should. */

const words = z.string().trim().min(1).max(2_000);

const callerSchema = z.object({
  /** Said when the agent's last words have `to` in them, capitals or not; each as often as it fits. */
  answers: z
    .array(z.object({ to: words, say: words }))
    .max(50)
    .default([]),
  /** Said one after the other where no answer fits; then the caller hangs up. */
  otherwise: z.array(words).max(50).default([]),
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

export const rehearseSchema = z.strictObject({
  scenarios: z
    .array(scenarioSchema)
    .min(1)
    .max(50)
    .refine(
      (all) => new Set(all.map(({ name }) => name)).size === all.length,
      "scenarios with different names",
    ),
});

const rehearsalSchema = z.object({
  name: z.string(),
  passed: z.boolean(),
  /** Of its record, channel `simulation`. */
  sessionId: z.string(),
  /** Why it was over: an end reason, `transferred`, `hangup` (the caller had nothing more to say) or `max_turns`. */
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

export const rehearsalsResponseSchema = wrapped(
  z.object({
    agentId: z.string(),
    agentVersion: z.int(),
    passed: z.int(),
    total: z.int(),
    tookMs: z.int(),
    rehearsals: z.array(rehearsalSchema),
  }),
);
