import { z } from "zod";
import { MAX_INT4 } from "./bounds.ts";
import { callEventSchema } from "./call-events.ts";
import { initWebCallSchema } from "./sessions.ts";

/** Text chat with an agent. */

const id = z.string().min(1).max(64);

const chatInput = z
  .string()
  .min(1)
  .max(16_000)
  .refine((text) => text.trim() !== "", "has to say something");

/** One turn of a chat. Without `sessionId` it begins a new chat; either casing of names is accepted. */
export const chatTurnSchema = z
  .strictObject({
    agentId: id.optional(),
    agent_id: id.optional(),
    /** The end user's id, to which the session is bound. */
    identifier: z.string().min(1).max(128),
    input: chatInput,
    sessionId: id.optional(),
    session_id: id.optional(),
    /** Frozen on the first turn; repeating them later has no effect. */
    variables: initWebCallSchema.shape.variables.unwrap().optional(),
  })
  .refine((body) => (body.agentId === undefined) !== (body.agent_id === undefined), {
    message: "required, once: agentId or agent_id",
    path: ["agentId"],
  })
  .refine((body) => body.sessionId === undefined || body.session_id === undefined, {
    message: "send one of sessionId and session_id",
    path: ["sessionId"],
  })
  .transform(({ agentId, agent_id, sessionId, session_id, identifier, input, variables }) => ({
    agentId: agentId ?? agent_id ?? "",
    sessionId: sessionId ?? session_id,
    identifier,
    input,
    variables: variables ?? {},
  }));
export type ChatTurn = z.output<typeof chatTurnSchema>;

export const chatToolSchema = z.object({
  name: z.string(),
  arguments: z.unknown(),
  result: z.unknown(),
  status: z.string(),
  latencyMs: z.int().min(0).max(MAX_INT4),
});
export type ChatTool = z.infer<typeof chatToolSchema>;

/** A visitor's message: everything else was fixed when the client token was minted. */
export const visitorMessageSchema = z.strictObject({ input: chatInput });

/** The agent's answer to one turn. */
export const chatReplySchema = z.object({
  sessionId: z.string(),
  identifier: z.string(),
  /** Counts up from 1. */
  turn: z.int().min(1),
  reply: z.string(),
  toolCalls: z.array(chatToolSchema),
  /** The agent ended the chat with this reply; the next message begins a new one. */
  ended: z.literal(true).optional(),
});
export type ChatReply = z.infer<typeof chatReplySchema>;

/** A visitor's view of a reply: without the tools' arguments and results. */
export const visitorReplySchema = chatReplySchema.omit({ identifier: true, toolCalls: true });

const status = z.enum(["active", "ended"]);

export const chatTranscriptSchema = z.object({
  sessionId: z.string(),
  status,
  /** The newest 1,000, oldest first. */
  messages: z.array(
    z.object({ role: z.enum(["user", "assistant"]), text: z.string(), at: z.iso.datetime() }),
  ),
});
export type ChatTranscript = z.infer<typeof chatTranscriptSchema>;

export const chatEndedSchema = z.object({ sessionId: z.string(), status: z.literal("ended") });
export const chatParamsSchema = z.object({ sessionId: id });

/** Events of a chat that the event projector may not have written yet. */
export const heldEventsSchema = z.array(callEventSchema);

/** Unsent text of a chat whose speaker may continue, as written, and sent text that may still continue. */
export const chatUnsentSchema = z.object({
  before: z.object({ user: z.string(), assistant: z.string() }),
  waiting: heldEventsSchema,
});
export type ChatUnsent = z.infer<typeof chatUnsentSchema>;
