import type { createAgentSchema } from "@parley/shared/contracts/agents.ts";
import type { flowSchema } from "@parley/shared/contracts/flows/flow.ts";
import type { z } from "zod";

export type AgentSettings = z.input<typeof createAgentSchema>;
export type FlowInput = z.input<typeof flowSchema>;

/** What people see when they choose a template. */
interface Described {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Capabilities that must be connected before the template works. */
  readonly requires: readonly string[];
}

/** A template of one agent. */
export interface AgentTemplate extends Described {
  readonly kind: "single" | "flow";
  readonly settings: AgentSettings;
}

/** A template of agents that hand off to each other. */
export interface TeamTemplate extends Described {
  /** In order of creation: each may hand off to those before it. The last one answers first. */
  readonly agents: readonly {
    readonly ref: string;
    readonly name: string;
    readonly kind: "single" | "flow";
    /** `made`: the ids of the agents created before, keyed by their ref. */
    readonly settings: (made: Readonly<Record<string, string>>) => AgentSettings;
  }[];
}

/** The way to a person, part of every template. */
export const A_PERSON = {
  name: "A person, please",
  phrases: ["a person", "a human", "real person", "somebody real", "operator", "ein mensch", "mitarbeiter"],
  to: "callback",
};

/** Takes a number to call back: where a way out leads. The edges are `CALLBACK_EDGES`. */
export const CALLBACK_NODES: FlowInput["nodes"] = [
  {
    id: "callback",
    type: "ask",
    text: "Of course. On which number can somebody call you back?",
    save: "callback_number",
    answer: { type: "phone" },
    skipIfKnown: true,
  },
  {
    id: "callback_done",
    type: "end",
    text: "Thank you. Somebody calls you back on {callback_number}. Goodbye.",
  },
  {
    id: "callback_failed",
    type: "end",
    text: "I could not get the number. Please call again later. Goodbye.",
  },
];
export const CALLBACK_EDGES: NonNullable<FlowInput["edges"]> = [
  { from: "callback", to: "callback_done" },
  { from: "callback", on: "no_answer", to: "callback_failed" },
];

/** Edges from each node to the next, in order. */
export function inOrder(...ids: readonly string[]): NonNullable<FlowInput["edges"]> {
  return ids.slice(1).map((to, index) => ({ from: ids[index] ?? "", to }));
}

/** Edges from unanswered questions to the callback. */
export function orCallback(...ids: readonly string[]): NonNullable<FlowInput["edges"]> {
  return ids.map((from) => ({ from, on: "no_answer", to: "callback" }));
}
