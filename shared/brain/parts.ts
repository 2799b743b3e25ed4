import { z } from "zod";
import { type BrainControl, brainControlSchema } from "../contracts/brain-control.ts";
import { MAX_RESULT_BYTES } from "../contracts/tool-runs.ts";
import { parseModelEvent } from "./custom/model-events.ts";
import { failed } from "./tools/outcome.ts";

/** One piece of a brain's answer. */
export type BrainPart =
  | { readonly type: "token"; readonly text: string }
  | { readonly type: "control"; readonly control: BrainControl };

/** The meaning of one event's data (call-socket contract, "Custom brain"). */
export type ParsedEvent =
  | BrainPart
  | { readonly type: "done" }
  | { readonly type: "nothing" }
  | { readonly type: "unknown"; readonly name: string };

const DONE = "[DONE]";
const MAX_NAME_CHARS = 64;
const NO_JSON = Symbol();

const openAiChunkSchema = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }).optional() })),
});

/**
 * Reads the data of an answer's events, one after the other. Text that is not JSON is a token, so plain SSE brains work
 * unchanged; in the answer of such a brain, so is a list: `[1]` is a footnote there.
 */
export function createEventReader(): (data: string) => ParsedEvent {
  let isPlain = false;
  return (data) => {
    if (data.trim() === DONE) return { type: "done" };
    const value = asJson(data);
    if (value === NO_JSON) {
      isPlain = true;
      return token(data);
    }
    return isPlain && Array.isArray(value) ? token(data) : parsed(data, value);
  };
}

function parsed(data: string, value: unknown): ParsedEvent {
  // Brains that write every piece as JSON write the end marker as JSON, too.
  if (value === DONE) return { type: "done" };
  // What passes on a model's deltas as they are: the last one's content is null.
  if (value === null) return { type: "nothing" };
  if (typeof value === "string") return token(value);
  if (typeof value !== "object") return token(data);
  if (Array.isArray(value)) return { type: "unknown", name: "(a list)" };
  const chunk = openAiChunkSchema.safeParse(value);
  if (chunk.success) return token(chunk.data.choices[0]?.delta?.content ?? "");
  return modelEvent(value) ?? control(value);
}

function modelEvent(value: object): ParsedEvent | undefined {
  const event = parseModelEvent(value);
  if (event?.type === "text") return token(event.text);
  return event?.type === "frame" ? { type: "nothing" } : event;
}

/** Null equals an absent field: serializers of many languages write the fields that they have no value for. */
function control(value: object): ParsedEvent {
  const given: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== null),
  );
  const named = { ...given, event: given.event ?? given.type };
  const read = brainControlSchema.safeParse(named);
  if (read.success) return { type: "control", control: withinBounds(read.data) };
  const name = typeof named.event === "string" ? named.event : "(without a name)";
  return { type: "unknown", name: name.slice(0, MAX_NAME_CHARS) };
}

/** A tool that the brain ran itself is kept as any other: with a result, and arguments, of a bounded size. */
function withinBounds(control: BrainControl): BrainControl {
  if (control.event !== "tool") return control;
  const bytes = bytesOf(control.result);
  const isOver = bytes > MAX_RESULT_BYTES;
  return {
    ...control,
    ...(bytesOf(control.arguments) > MAX_RESULT_BYTES ? { arguments: null } : {}),
    ...(isOver
      ? failed("response_too_large", `The result has ${bytes} bytes; at most ${MAX_RESULT_BYTES} are kept.`)
      : {}),
  };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null));
}

function token(text: string): ParsedEvent {
  return text === "" ? { type: "nothing" } : { type: "token", text };
}

function asJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return NO_JSON;
  }
}
