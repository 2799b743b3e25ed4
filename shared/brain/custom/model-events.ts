import { z } from "zod";

/**
 * The meaning of an event in a model's native stream, for brains that relay one unchanged: OpenAI's Responses API,
 * Anthropic's Messages, and the UI message stream of Vercel's AI SDK (including version 4's text deltas).
 */
export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "done" }
  /** Part of such a stream that carries nothing to say. */
  | { readonly type: "frame" };

const text = z.string();
const textDeltaSchema = z.union([
  z.object({ type: z.enum(["response.output_text.delta", "response.refusal.delta"]), delta: text }),
  z.object({ type: z.literal("text-delta"), delta: text }),
  z
    .object({ type: z.literal("text-delta"), textDelta: text })
    .transform(({ textDelta: delta }) => ({ delta })),
  z
    .object({
      type: z.literal("content_block_delta"),
      delta: z.object({ type: z.literal("text_delta"), text }),
    })
    .transform(({ delta }) => ({ delta: delta.text })),
]);

/** The model's thoughts are not for the caller. */
const thoughtDeltaSchema = z.object({
  type: z.literal("content_block_delta"),
  delta: z.object({ type: z.enum(["thinking_delta", "signature_delta", "citations_delta"]) }),
});

const ENDS = new Set(["response.completed", "response.incomplete", "message_stop"]);

const FRAMES = new Set([
  ...["response.created", "response.queued", "response.in_progress"],
  ...["response.output_item.added", "response.output_item.done"],
  ...["response.content_part.added", "response.content_part.done"],
  ...["response.output_text.done", "response.output_text.annotation.added", "response.refusal.done"],
  ...["response.reasoning_text.delta", "response.reasoning_text.done"],
  ...["response.reasoning_summary_part.added", "response.reasoning_summary_part.done"],
  ...["response.reasoning_summary_text.delta", "response.reasoning_summary_text.done"],
  ...["message_start", "content_block_start", "content_block_stop", "message_delta", "ping"],
  ...["start", "start-step", "text-start", "text-end", "finish-step", "finish", "message-metadata"],
  ...["reasoning-start", "reasoning-delta", "reasoning-end", "source-url", "source-document"],
]);

/**
 * Parses an event of one of these streams. Returns undefined for an event of no such stream, or one that is more than
 * text (a tool call, an error).
 */
export function parseModelEvent(value: object): ModelEvent | undefined {
  if (!("type" in value) || typeof value.type !== "string" || "event" in value) return undefined;
  const said = textDeltaSchema.safeParse(value);
  if (said.success) return { type: "text", text: said.data.delta };
  if (ENDS.has(value.type)) return { type: "done" };
  if (FRAMES.has(value.type) || thoughtDeltaSchema.safeParse(value).success) return { type: "frame" };
  return undefined;
}
