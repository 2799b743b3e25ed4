import { type Flow, flowSchema } from "@parley/shared/contracts/flows/flow.ts";
import { OUTCOMES } from "@parley/shared/contracts/flows/outcomes.ts";
import { newFlowState, stepFlow } from "@parley/shared/flows/interpreter.ts";
import type { FlowEvent, FlowState, FlowStep } from "@parley/shared/flows/state.ts";

type Shorthand = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * Shorthand for a flow: nodes by id, the first one is the start; a node's `next`, `no_answer`, `failed` and
 * `not_found` are targets of its edges, after those in `edges`.
 */
export function flowOf(
  nodes: Readonly<Record<string, Shorthand>>,
  { edges = [], exits = [] }: { readonly edges?: readonly object[]; readonly exits?: readonly object[] } = {},
): Flow {
  const written = Object.entries(nodes).map(([id, node]) => {
    const to = OUTCOMES.filter((on) => typeof node[on] === "string").map((on) => ({
      from: id,
      on,
      to: node[on],
    }));
    const fields = Object.entries(node).filter(([field]) => !OUTCOMES.some((on) => on === field));
    return { node: { ...Object.fromEntries(fields), id }, to };
  });
  return flowSchema.parse({
    start: Object.keys(nodes)[0],
    nodes: written.map(({ node }) => node),
    edges: [...edges, ...written.flatMap(({ to }) => to)],
    exits,
  });
}

/** A chain of questions of `count` nodes, each with a way out. */
export function largeFlow(count: number): Flow {
  const ids = Array.from({ length: count - 2 }, (_, i) => `ask_${i}`);
  const asks = ids.map((id, index) => [
    id,
    {
      ...{ type: "ask", text: `What is the answer to ${id}?`, save: id, answer: { type: "text" } },
      ...{ next: ids[index + 1] ?? "done", no_answer: "lost" },
    },
  ]);
  return flowOf({
    ...Object.fromEntries(asks),
    done: { type: "end", text: "Done." },
    lost: { type: "end", text: "Sorry." },
  });
}

/** An event in a conversation: the caller's words, or any other event. */
export type Happening = string | FlowEvent;

/** A flow in conversation, with the result of each event. */
export class FlowTalk {
  readonly #flow: Flow;
  state: FlowState;

  constructor(flow: Flow, variables: Readonly<Record<string, string>> = {}) {
    this.#flow = flow;
    this.state = newFlowState(flow, { current_date: "2026-11-23", ...variables });
  }

  on(happening: Happening): FlowStep {
    const event: FlowEvent = typeof happening === "string" ? { type: "said", text: happening } : happening;
    const step = stepFlow(this.#flow, this.state, event);
    this.state = step.state;
    return step;
  }

  /** Returns what is said, with anything awaited other than the caller in brackets. */
  tell(happening: Happening): string {
    const { effects, next } = this.on(happening);
    const said = effects.flatMap((effect) => (effect.type === "say" ? [effect.text] : []));
    return [...said, ...(next.type === "listen" ? [] : [`[${told(next)}]`])].join(" ");
  }
}

function told(next: FlowStep["next"]): string {
  switch (next.type) {
    case "tool":
      return `${next.tool} ${JSON.stringify(next.arguments)}`;
    case "judge":
      return `judge ${next.ways.map(({ description }) => description).join(" | ")}`;
    case "model":
      return `model ${next.prompt}: ${next.ways.map(({ description }) => description).join(" | ")}`;
    case "transfer":
      return `transfer ${next.to} ${next.mode}${next.whisper === undefined ? "" : `: ${next.whisper}`}`;
    case "hand_off":
      return `hand off ${next.agentId} ${JSON.stringify(next.variables)}`;
    default:
      return next.type;
  }
}
