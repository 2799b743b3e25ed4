import type { FlowState } from "../../flows/state.ts";
import type { AgentLine, BrainQuestion, HistoryMessage } from "../port.ts";

const MAX_TURNS = 200;

/** A tool's result within a turn: asking the turn again does not run the tool again. */
export interface RanTool {
  readonly status: string;
  readonly result: unknown;
}

/** One turn of a flow: where it began, where it got to, and what was said in it. */
export class FlowTurn {
  readonly turn: number;
  readonly query: string;
  readonly before: FlowState;
  state: FlowState;
  said = "";
  /** How often a model was asked to talk in it. */
  talks = 0;
  readonly #ran: Map<string, RanTool>;

  constructor(of: { turn: number; query: string; state: FlowState }, ran: Map<string, RanTool> = new Map()) {
    this.turn = of.turn;
    this.query = of.query;
    this.before = of.state;
    this.state = of.state;
    this.#ran = ran;
  }

  /** Restarts this turn from the same state with more words. */
  again(query: string): FlowTurn {
    return new FlowTurn({ turn: this.turn, query, state: this.before }, this.#ran);
  }

  /** What a tool with these arguments returned in this turn. */
  ran(tool: string, argumentsText: string): RanTool | undefined {
    return this.#ran.get(`${this.state.node} ${tool} ${argumentsText}`);
  }

  hasRun(tool: string, argumentsText: string, gave: RanTool): void {
    this.#ran.set(`${this.state.node} ${tool} ${argumentsText}`, gave);
  }
}

type Asked = Pick<BrainQuestion["request"], "turn" | "query" | "heard">;

/** The turns of one call. Bounded: forgetting the oldest loses no more than what a model is told of them. */
export class FlowMemory {
  #turns: FlowTurn[] = [];
  readonly #first: FlowState;

  /** `first`: the state in which the call begins. */
  constructor(first: FlowState) {
    this.#first = first;
  }

  begin({ turn, query, heard }: Asked): FlowTurn {
    const repeated = this.#turns.find((one) => one.turn === turn);
    this.#turns = this.#turns.filter((one) => one.turn < turn).slice(-MAX_TURNS);
    const last = this.#turns.at(-1);
    if (last && heard?.turn === last.turn) last.said = heard.text;
    const begun = repeated?.again(query) ?? new FlowTurn({ turn, query, state: last?.state ?? this.#first });
    this.#turns.push(begun);
    return begun;
  }

  /** What was said before the turn begun last, with the agent's own lines in their places. */
  history(lines: readonly AgentLine[]): readonly HistoryMessage[] {
    const before = this.#turns.slice(0, -1);
    const messages = before.flatMap(({ turn, query, said }) => [
      ...(query === "" ? [] : [{ role: "user" as const, text: query }]),
      ...(said.trim() === "" ? [] : [{ role: "assistant" as const, text: said.trim() }]),
      ...linesOf(lines, turn),
    ]);
    return before[0]?.turn === 0 ? messages : [...linesOf(lines, 0), ...messages];
  }
}

function linesOf(lines: readonly AgentLine[], turn: number): HistoryMessage[] {
  return lines.filter((line) => line.turn === turn).map(({ text }) => ({ role: "assistant", text }));
}
