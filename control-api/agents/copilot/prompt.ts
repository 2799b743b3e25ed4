import type { Message } from "@parley/shared/brain/model/ask-json.ts";
import type { ShownConfig } from "@parley/shared/contracts/agents.ts";
import { z } from "zod";
import { replySchema } from "./reply.ts";

const RULES = `You draft voice agents, which talk to people on the telephone and in chats. You are given an agent as it is, as JSON, and what somebody wishes. Answer with one JSON object and nothing else: the parts of the agent that should be different, each of them whole; leave out what stays.

- "summary": two or three sentences that say what you changed and what you took for granted.
- "prompt": what an agent that is a model is told. "flow": the plan of an agent that follows one. Give at most one of the two, and keep to the one that the agent has unless the wish needs the other.
- "firstResponse": what is said when the call is answered. An agent with a flow needs none: its flow speaks first.
- "variables": what a call must bring along. What a flow asks for is none of them.
- "fields": values to be found in each conversation when it is over, by "key" and "description".
- "scenarios": three to six conversations that show whether it works, one of them with a caller who is difficult. The caller is a script: "answers" each have "to", some words of the agent's last line, and "say"; "otherwise" is said where none fits.

All that is said is spoken: short sentences, no lists, no markup, in the language of the wish. Make up no numbers to call, prices or promises.

A flow is sound only when:
- each node is reached from "start" or an exit, and each leads on until an "end", a "transfer" or a "hand_off";
- each outcome of a node has an edge without "when" and without "judge", which comes last: "ask" and "collect" need edges for "next" and "no_answer", "tool" for "next" and "failed", "knowledge" for "next" and "not_found", "transfer" and "hand_off" for "failed", "model" with maxTurns for "no_answer", too;
- no round is without a node that listens ("ask", "collect", "model", "wait");
- each {variable} in a text is saved by a node, or is one of the agent's;
- each tool it names is one of the agent's.`;

const EXAMPLE = {
  start: "day",
  nodes: [
    {
      ...{ id: "day", type: "ask", text: "On which day?", save: "day" },
      answer: { type: "date", future: true },
    },
    { id: "done", type: "end", text: "See you on {day}. Goodbye." },
    { id: "sorry", type: "end", text: "Please call again later." },
  ],
  edges: [
    { from: "day", to: "done" },
    { from: "day", on: "no_answer", to: "sorry" },
  ],
  exits: [{ name: "A person, please", phrases: ["a person", "a human"], to: "sorry" }],
};

export interface Wished {
  readonly wish: string;
  /** As people see the agent: no secrets. */
  readonly agent: { readonly name: string } & Pick<
    ShownConfig,
    "brain" | "firstResponse" | "variables" | "postCallAnalysis" | "rehearsals"
  >;
  /** The agent has a model, or can get one. */
  readonly mayUseModel: boolean;
}

/** The messages that ask a model for a draft. */
export function messagesFor({ wish, agent, mayUseModel }: Wished): Message[] {
  const { $schema: _, ...schema } = z.toJSONSchema(replySchema, { io: "input", unrepresentable: "any" });
  const rules = [
    RULES,
    mayUseModel
      ? 'Nodes of type "model", and "judge", may be used.'
      : 'This agent has no model: give a flow, no prompt, and neither nodes of type "model" nor "judge".',
    `A small flow, as an example: ${JSON.stringify(EXAMPLE)}`,
    `The JSON Schema of your answer: ${JSON.stringify(schema)}`,
  ];
  const { name, brain, firstResponse, variables, postCallAnalysis, rehearsals } = agent;
  const shown = { name, brain, firstResponse, variables };
  const more = { fields: postCallAnalysis.customFields, scenarios: rehearsals.scenarios };
  return [
    { role: "system", content: rules.join("\n\n") },
    { role: "user", content: `The agent as it is:\n${JSON.stringify({ ...shown, ...more })}` },
    { role: "user", content: `What is wished:\n${wish}` },
  ];
}
