import { z } from "zod";
import { jsonValueSchema } from "../json.ts";
import { toolName } from "../tools/tool-kind.ts";
import { TRANSFER_MODES } from "../transfers.ts";
import { answerSchema } from "./answers.ts";
import { variableName } from "./conditions.ts";

/** The nodes of a flow (docs/flows.md#nodes). `{name}` in their texts is filled with a variable. */

export const flowNodeId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, _ and -");

const base = {
  id: flowNodeId,
  /** The node's display name; absent: its id. */
  name: z.string().trim().min(1).max(80).optional(),
  /** The node's position in the drawing. */
  position: z.object({ x: z.number(), y: z.number() }).optional(),
};
const line = z.string().trim().min(1).max(4_000);
const shortLine = z.string().trim().min(1).max(1_000);

const question = {
  /** The question to ask. */
  text: line,
  /** The variable that stores the answer. */
  save: variableName,
  /** Spoken before the question is asked again; absent: the flow's own line. */
  retry: shortLine.optional(),
  /** Answers heard before the `no_answer` edge is taken. */
  attempts: z.int().min(1).max(10).default(3),
  /** Skips the question when the variable already has a value. */
  skipIfKnown: z.boolean().default(false),
};

const savedValue = z.object({
  variable: variableName,
  /** Path within the result: names and list positions joined by dots; empty: the whole result, as JSON. */
  path: z.string().max(256).default(""),
});

const captured = z.object({
  variable: variableName,
  /** Describes the value to the model. */
  description: z.string().trim().min(1).max(500),
});

export const flowNodeSchema = z.discriminatedUnion("type", [
  z.object({ ...base, type: z.literal("say"), text: line }),
  z.object({ ...base, type: z.literal("ask"), ...question, answer: answerSchema }),
  /** Collects digits from the keypad, or spoken one by one. */
  z.object({
    ...base,
    type: z.literal("collect"),
    ...question,
    minDigits: z.int().min(1).max(64).default(1),
    maxDigits: z.int().min(1).max(64).default(20),
  }),
  /** Lets a model talk until it takes one of the edges. */
  z.object({
    ...base,
    type: z.literal("model"),
    prompt: z.string().trim().min(1).max(20_000),
    /** Values that the model passes on to the rest of the flow when it leaves. */
    save: z.array(captured).max(20).default([]),
    /** The agent's tools that the model may use here. */
    tools: z.array(toolName).max(64).default([]),
    /** The caller's turns before the `no_answer` edge is taken; absent: no limit. */
    maxTurns: z.int().min(1).max(100).optional(),
  }),
  /** Runs one of the agent's tools. */
  z.object({
    ...base,
    type: z.literal("tool"),
    tool: toolName,
    arguments: z.record(z.string().min(1).max(64), jsonValueSchema).default({}),
    /** Spoken while the tool runs. */
    saying: shortLine.optional(),
    /** Asked when the tool does nothing until the caller has said yes; absent: the flow's own line. */
    confirm: shortLine.optional(),
    save: z.array(savedValue).max(20).default([]),
  }),
  z.object({ ...base, type: z.literal("condition") }),
  z.object({
    ...base,
    type: z.literal("set"),
    values: z
      .array(z.object({ variable: variableName, value: z.string().max(4_000) }))
      .min(1)
      .max(20),
  }),
  /** Looks something up in documents, with one of the agent's knowledge tools. */
  z.object({
    ...base,
    type: z.literal("knowledge"),
    tool: toolName,
    query: line.default("{last_said}"),
    saying: shortLine.optional(),
    /** The variable that stores the best matching passage. */
    save: variableName,
  }),
  z.object({
    ...base,
    type: z.literal("transfer"),
    text: line.optional(),
    to: z.e164(),
    mode: z.enum(TRANSFER_MODES).default("blind"),
    /** In a warm transfer, told to whoever takes the call. */
    whisper: z.string().trim().min(1).max(500).optional(),
  }),
  /** Hands the call to another agent. */
  z.object({
    ...base,
    type: z.literal("hand_off"),
    text: line.optional(),
    agentId: z.string().min(1).max(64),
    /** Given to the other agent as the variable `summary`. */
    summary: z.string().trim().min(1).max(4_000).optional(),
    /** Variables passed to the other agent, in addition to those of the call. */
    variables: z.array(variableName).max(50).default([]),
  }),
  /** Listens without asking. */
  z.object({ ...base, type: z.literal("wait"), save: variableName.optional() }),
  z.object({ ...base, type: z.literal("end"), text: line.optional() }),
]);
export type FlowNode = z.infer<typeof flowNodeSchema>;
export type FlowNodeType = FlowNode["type"];
export type FlowNodeOf<T extends FlowNodeType> = Extract<FlowNode, { type: T }>;

/** Whether the node listens to the caller. */
export function listens({ type }: FlowNode): boolean {
  return type === "ask" || type === "collect" || type === "model" || type === "wait";
}

/** Whether the flow's part in the call can end at the node. */
export function isFinal({ type }: FlowNode): boolean {
  return type === "end" || type === "transfer" || type === "hand_off";
}

/** The display name of a node. */
export function nodeName({ id, name }: FlowNode): string {
  return name ?? id;
}
