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
  /** What people call it; absent: its id. */
  name: z.string().trim().min(1).max(80).optional(),
  /** Where it is drawn. */
  position: z.object({ x: z.number(), y: z.number() }).optional(),
};
const line = z.string().trim().min(1).max(4_000);
const shortLine = z.string().trim().min(1).max(1_000);

const question = {
  /** Asked. */
  text: line,
  /** The variable that keeps the answer. */
  save: variableName,
  /** Said before the question is asked again; absent: the flow's own line. */
  retry: shortLine.optional(),
  /** Answers that are heard before the `no_answer` edge is taken. */
  attempts: z.int().min(1).max(10).default(3),
  /** Passed over when the variable has a value already. */
  skipIfKnown: z.boolean().default(false),
};

const savedValue = z.object({
  variable: variableName,
  /** Where it is in the result: names and places of a list, joined by dots; empty: all of it, as JSON. */
  path: z.string().max(256).default(""),
});

const captured = z.object({
  variable: variableName,
  /** Tells the model what it is. */
  description: z.string().trim().min(1).max(500),
});

export const flowNodeSchema = z.discriminatedUnion("type", [
  z.object({ ...base, type: z.literal("say"), text: line }),
  z.object({ ...base, type: z.literal("ask"), ...question, answer: answerSchema }),
  /** Digits from the keypad, or said one by one. */
  z.object({
    ...base,
    type: z.literal("collect"),
    ...question,
    minDigits: z.int().min(1).max(64).default(1),
    maxDigits: z.int().min(1).max(64).default(20),
  }),
  /** A model talks until it takes one of the edges. */
  z.object({
    ...base,
    type: z.literal("model"),
    prompt: z.string().trim().min(1).max(20_000),
    /** What it hands on to the rest of the flow when it leaves. */
    save: z.array(captured).max(20).default([]),
    /** Tools of the agent that it may use here. */
    tools: z.array(toolName).max(64).default([]),
    /** Turns of the caller before the `no_answer` edge is taken; absent: as many as it takes. */
    maxTurns: z.int().min(1).max(100).optional(),
  }),
  /** Runs a tool of the agent. */
  z.object({
    ...base,
    type: z.literal("tool"),
    tool: toolName,
    arguments: z.record(z.string().min(1).max(64), jsonValueSchema).default({}),
    /** Said while it runs. */
    saying: shortLine.optional(),
    /** Asked when the tool does nothing before the caller has said yes; absent: the flow's own line. */
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
  /** Looks something up in documents, with a knowledge tool of the agent. */
  z.object({
    ...base,
    type: z.literal("knowledge"),
    tool: toolName,
    query: line.default("{last_said}"),
    saying: shortLine.optional(),
    /** The passage that fits best. */
    save: variableName,
  }),
  z.object({
    ...base,
    type: z.literal("transfer"),
    text: line.optional(),
    to: z.e164(),
    mode: z.enum(TRANSFER_MODES).default("blind"),
    /** Told to whoever takes a warm one. */
    whisper: z.string().trim().min(1).max(500).optional(),
  }),
  /** Another agent goes on. */
  z.object({
    ...base,
    type: z.literal("hand_off"),
    text: line.optional(),
    agentId: z.string().min(1).max(64),
    /** What the other agent is told, as the variable `summary`. */
    summary: z.string().trim().min(1).max(4_000).optional(),
    /** The variables it gets; those of the call it has anyway. */
    variables: z.array(variableName).max(50).default([]),
  }),
  /** Listens without a question. */
  z.object({ ...base, type: z.literal("wait"), save: variableName.optional() }),
  z.object({ ...base, type: z.literal("end"), text: line.optional() }),
]);
export type FlowNode = z.infer<typeof flowNodeSchema>;
export type FlowNodeType = FlowNode["type"];
export type FlowNodeOf<T extends FlowNodeType> = Extract<FlowNode, { type: T }>;

/** How a node can be left; an edge begins at one of them. */
export const OUTCOMES = ["next", "no_answer", "failed", "not_found"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The outcomes of each type; every one of them needs an edge that is always there. */
export function outcomesOf(node: FlowNode): readonly Outcome[] {
  switch (node.type) {
    case "say":
    case "condition":
    case "set":
    case "wait":
      return ["next"];
    case "ask":
    case "collect":
      return ["next", "no_answer"];
    case "model":
      return node.maxTurns === undefined ? ["next"] : ["next", "no_answer"];
    case "tool":
      return ["next", "failed"];
    case "knowledge":
      return ["next", "not_found"];
    case "transfer":
    case "hand_off":
      return ["failed"];
    case "end":
      return [];
  }
}

/** Whether the caller is listened to there. */
export function listens({ type }: FlowNode): boolean {
  return type === "ask" || type === "collect" || type === "model" || type === "wait";
}

/** Whether the flow's part in the call can be over there. */
export function isFinal({ type }: FlowNode): boolean {
  return type === "end" || type === "transfer" || type === "hand_off";
}

/** What people call a node. */
export function nodeName({ id, name }: FlowNode): string {
  return name ?? id;
}
