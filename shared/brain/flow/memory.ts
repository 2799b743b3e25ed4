import type { FlowState } from "../../flows/state.ts";
import type { AgentLine, BrainQuestion, HistoryMessage } from "../port.ts";

const MAX_TURNS = 200;

/** What came of a tool: a turn that is asked again does not run it again. */
export interface RanTool {
  readonly status: string;
  readonly result: unknown;
}

/** One turn of a flow: where it began, where it came to, and what was said in it. */
export class FlowTurn {
  readonly turn: number;
  readonly query: string;
  readonly before: FlowState;
  state: FlowState;
  said = "";
  readonly #ran: Map<string, RanTool>;

  constructor(of: { turn: number; query: string; state: FlowState }, ran: Map<string, RanTool> = new Map()) {
    this.turn = of.turn;
    this.query = of.query;
    this.before = of.state;
    this.state = of.state;
    this.#ran = ran;
  }

  /** The same turn with more words: it begins where it began. */
  again(query: string): FlowTurn {
    return new FlowTurn({ turn: this.turn, query, state: this.before }, this.#ran);
  }

  /** What a tool with these arguments gave in this turn. */
  ran(tool: string, argumentsText: string): RanTool | undefined {
    return this.#ran.get(`${this.state.node} ${tool} ${argumentsText}`);
  }

  hasRun(tool: string, argumentsText: string, gave: RanTool): void {
    this.#ran.set(`${this.state.node} ${tool} ${argumentsText}`, gave);
  }
}

type Asked = Pick<BrainQuestion["request"], "turn" | "query" | "heard">;

/** The turns of one call. Bounded: the oldest are forgotten, and with them no more than what a model is told. */
export class FlowMemory {
  #turns: FlowTurn[] = [];
  readonly #first: FlowState;

  /** `first`: where the call begins. */
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

  /** What was said before the turn that was begun last, the agent's own lines in their places. */
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
