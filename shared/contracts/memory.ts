import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";
import { beforeId, pageLimit } from "./paging.ts";

/** `/api/orgs/{orgId}/memory`: what agents remember of people between conversations. */

const MEMORY_MAX_CHARS = 1_000;
const MAX_FORGET_DAYS = 3_650;

/** An agent's `memory`. It is drawn from the analysis of the agent's calls and chats, which must be on. */
export const memorySettingsSchema = z.object({
  enabled: z.boolean().default(false),
  /** Days after which a memory is forgotten. */
  forgetAfterDays: z.int().min(1).max(MAX_FORGET_DAYS).default(365),
  /** Also remembers callers known only by the number they call from, which can be spoofed. */
  unverifiedCallers: z.boolean().default(false),
});
export type MemorySettings = z.infer<typeof memorySettingsSchema>;

/**
 * `summary`: what a conversation was about; `field`: a value of its analysis, the newest one; `action_item`: what was
 * promised or asked for; `note`: what a person wrote.
 */
export const MEMORY_KINDS = ["summary", "field", "action_item", "note"] as const;

const id = z.string().min(1).max(64);
/** As calls and chats have it, to its last blank. */
const identifier = z.string().min(1).max(128);
const text = z.string().trim().min(1).max(MEMORY_MAX_CHARS);

export const memoryParamsSchema = orgParamsSchema.extend({ memoryId: id });
export const memoriesQuerySchema = z.object({
  identifier: identifier.optional(),
  agentId: id.optional(),
  limit: pageLimit(200),
  /** Id of the last memory of the previous page; older ones follow. */
  before: beforeId("mem_"),
});
/** Whose memory to erase; with one agent, or with all of them. */
export const forgetPersonQuerySchema = z.object({ identifier, agentId: id.optional() });

export const addMemorySchema = z.strictObject({
  agentId: id,
  // People type it.
  identifier: z.string().trim().min(1).max(128),
  text,
});
export type AddMemory = z.infer<typeof addMemorySchema>;
export const correctMemorySchema = z.strictObject({ text });

export const memorySchema = z.object({
  id: z.string(),
  agentId: z.string(),
  identifier: z.string(),
  kind: z.enum(MEMORY_KINDS),
  /** For a `field`: its key in the analysis. */
  key: z.string().nullable(),
  text: z.string(),
  /** The source conversation; null for what a person wrote. */
  sessionId: z.string().nullable(),
  /** When a person corrected the memory, which later calls then leave unchanged. */
  correctedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string(),
});
export type Memory = z.infer<typeof memorySchema>;
export const memoryResponseSchema = wrapped(memorySchema);
export const memoriesResponseSchema = wrapped(
  z.object({ memories: z.array(memorySchema), nextBefore: z.string().nullable() }),
);
export const memoryDeletedResponseSchema = wrapped(z.object({ id: z.string() }));
export const personForgottenResponseSchema = wrapped(z.object({ deleted: z.int() }));
