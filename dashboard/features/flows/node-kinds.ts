import type { FlowNodeType } from "@parley/shared/contracts/flows/nodes.ts";
import { type Outcome, outcomesOf } from "@parley/shared/contracts/flows/outcomes.ts";
import type { Json } from "@parley/shared/contracts/merge-patch.ts";
import type { DraftNode } from "./flow-draft.ts";

/** A node type's name and purpose, and what a new node starts with. */
interface NodeKind {
  readonly name: string;
  readonly says: string;
  readonly blank: Json;
}

const QUESTION = { text: "", save: "", attempts: 3, skipIfKnown: false };

export const NODE_KINDS: Readonly<Record<FlowNodeType, NodeKind>> = {
  say: { name: "Say", says: "Says something, then goes on.", blank: { text: "" } },
  ask: {
    name: "Ask",
    says: "Asks a question and keeps the answer in a variable.",
    blank: { ...QUESTION, answer: { type: "text", maxChars: 1_000 } },
  },
  collect: {
    name: "Collect digits",
    says: "Asks for digits, pressed or spoken.",
    blank: { ...QUESTION, minDigits: 1, maxDigits: 20 },
  },
  model: {
    name: "Model",
    says: "A model talks by a prompt until it takes one of the edges.",
    blank: { prompt: "", save: [], tools: [] },
  },
  tool: {
    name: "Run a tool",
    says: "Runs one of the agent’s tools.",
    blank: { tool: "", arguments: {}, save: [] },
  },
  knowledge: {
    name: "Look up",
    says: "Looks something up in documents.",
    blank: { tool: "", query: "{last_said}", save: "" },
  },
  condition: { name: "Condition", says: "Goes on by the conditions of its edges.", blank: {} },
  set: {
    name: "Set variables",
    says: "Gives variables values.",
    blank: { values: [{ variable: "", value: "" }] },
  },
  wait: { name: "Listen", says: "Listens without asking anything.", blank: {} },
  transfer: {
    name: "Transfer",
    says: "Transfers the caller to a number.",
    blank: { to: "", mode: "blind" },
  },
  hand_off: {
    name: "Hand off",
    says: "Another agent goes on with the caller.",
    blank: { agentId: "", variables: [] },
  },
  end: { name: "End", says: "Ends the conversation.", blank: {} },
};

export const NODE_TYPES = Object.keys(NODE_KINDS) as readonly FlowNodeType[];

export function kindOf(type: string): NodeKind {
  return (NODE_KINDS as Readonly<Record<string, NodeKind>>)[type] ?? { name: type, says: "", blank: {} };
}

/** Names of outcomes where an edge begins. */
export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  next: "Next",
  no_answer: "No answer",
  failed: "Failed",
  not_found: "Not found",
};

/** How a node being drawn can be left; empty for an unknown type. */
export function outcomesOfDraft(node: DraftNode): readonly Outcome[] {
  // Only the type matters, and whether a model's turns are limited.
  return node.type in NODE_KINDS ? outcomesOf(node as Parameters<typeof outcomesOf>[0]) : [];
}

/** What identifies a node at a glance: what it says, asks or runs. */
export function summaryOf(node: DraftNode): string {
  const { text, prompt, tool, query, to, agentId, values } = node;
  const set = Array.isArray(values) ? values.map(({ variable }) => `{${String(variable)}}`).join(", ") : "";
  const shown = [text, prompt, tool, query, to, agentId, set];
  return shown.find((one): one is string => typeof one === "string" && one !== "") ?? kindOf(node.type).says;
}
