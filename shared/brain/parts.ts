import { z } from "zod";
import { type BrainControl, brainControlSchema } from "../contracts/brain.ts";
import { parseModelEvent } from "./custom/model-events.ts";

/** One piece of a brain's answer. */
export type BrainPart =
  | { readonly type: "token"; readonly text: string }
  | { readonly type: "control"; readonly control: BrainControl };

/** What one event's data means (call-socket contract, "Custom brain"). */
export type ParsedEvent =
  | BrainPart
  | { readonly type: "done" }
  | { readonly type: "nothing" }
  | { readonly type: "unknown"; readonly name: string };

const DONE = "[DONE]";
const MAX_NAME_CHARS = 64;

const openAiChunkSchema = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }).optional() })),
});

/** Reads one event's data. Text that is not JSON is a token: plain SSE brains work unchanged. */
export function parseEvent(data: string): ParsedEvent {
  if (data.trim() === DONE) return { type: "done" };
  const value = asJson(data);
  if (typeof value === "string") return token(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return token(data);
  const chunk = openAiChunkSchema.safeParse(value);
  if (chunk.success) return token(chunk.data.choices[0]?.delta?.content ?? "");
  return modelEvent(value) ?? control(value);
}

function modelEvent(value: object): ParsedEvent | undefined {
  const event = parseModelEvent(value);
  if (event?.type === "text") return token(event.text);
  return event?.type === "frame" ? { type: "nothing" } : event;
}

function control(value: object): ParsedEvent {
  const named = "event" in value ? value : { ...value, event: "type" in value ? value.type : undefined };
  const parsed = brainControlSchema.safeParse(named);
  if (parsed.success) return { type: "control", control: parsed.data };
  const name = typeof named.event === "string" ? named.event : "(without a name)";
  return { type: "unknown", name: name.slice(0, MAX_NAME_CHARS) };
}

function token(text: string): ParsedEvent {
  return text === "" ? { type: "nothing" } : { type: "token", text };
}

/** The JSON value, or the text itself when it is none. */
function asJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
