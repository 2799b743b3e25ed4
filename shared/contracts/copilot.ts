import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** `/api/agents/{id}/copilot`: drafts an agent from a description and saves nothing. */

const modelName = z.string().trim().min(1).max(256);

export const copilotResponseSchema = wrapped(
  z.object({
    /** Models of the organization's agents that can be asked, this agent's first. */
    models: z.array(z.string()),
    /** The server has its own model service: any of its models can be named. */
    mayName: z.boolean(),
  }),
);
export type CopilotModels = z.infer<typeof copilotResponseSchema>["data"];

export const draftAgentSchema = z.strictObject({
  /** What the agent should do, or what should change. */
  wish: z.string().trim().min(1).max(8_000),
  /** Absent: the first available model. */
  model: modelName.optional(),
  /** An unsaved change in the form of `PATCH /api/agents/{id}`, to which the draft is added. */
  draft: z.record(z.string(), z.unknown()).optional(),
});

const DRAFT_PARTS = ["prompt", "flow", "opening", "variables", "fields", "scenarios"] as const;
export type DraftPart = (typeof DRAFT_PARTS)[number];

const draftedPartSchema = z.object({
  part: z.enum(DRAFT_PARTS),
  /** In the form of `PATCH /api/agents/{id}`. */
  patch: z.record(z.string(), z.unknown()),
  /** What is wrong with this part if no other part is accepted; null: it can be saved alone. */
  alone: z.string().nullable(),
});

export const draftedAgentSchema = z.object({
  /** The version to change: send it as `If-Match` with the accepted parts. */
  agentVersion: z.int(),
  model: z.string(),
  /** The model's first answer was unusable. */
  wasRepaired: z.boolean(),
  /** The model's summary of its changes. */
  summary: z.string(),
  parts: z.array(draftedPartSchema),
});
export type DraftedAgent = z.infer<typeof draftedAgentSchema>;
export const draftedAgentResponseSchema = wrapped(draftedAgentSchema);
