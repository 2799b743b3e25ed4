import type { Flow } from "../contracts/flows/flow.ts";
import type { FlowNode, FlowNodeOf } from "../contracts/flows/nodes.ts";
import type { Outcome } from "../contracts/flows/outcomes.ts";
import type { JsonValue } from "../contracts/json.ts";
import { transferHasFailed } from "../contracts/transfers.ts";
import { resolvePlaceholders } from "../variables/placeholders.ts";
import { keysIn, readAnswer, readDigits } from "./answers/read-answer.ts";
import { variableOf } from "./conditions.ts";
import { bestPassage, bounded, filled, savedFrom } from "./results.ts";
import type { FlowEffect, FlowEvent, FlowNext, FlowState, FlowStep } from "./state.ts";
import { exitSaid, judgedExits, nodeOf, onward, onwardUnjudged, waysOfModel } from "./ways.ts";

/** Maximum nodes that one event may pass. A flow that passed its checks stops long before. */
const MAX_NODES = 600;
/** How often the caller is asked for consent. */
const MAX_CONSENTS = 3;

/** The state of a conversation that has not begun. `variables` are the call's. */
export function newFlowState(flow: Flow, variables: Readonly<Record<string, string>>): FlowState {
  return { node: flow.start, waitsFor: { kind: "begin" }, variables, tries: 0, lines: [] };
}

/**
 * What an event leads to: the new state, the call's effects, and what it waits for next. Pure: the same state and
 * event give the same step, so a turn asked again begins where it began before. An event that the state does not wait
 * for changes nothing.
 */
export function stepFlow(flow: Flow, state: FlowState, event: FlowEvent): FlowStep {
  return new Run(flow, state).step(event);
}

/** One step in progress. */
class Run {
  readonly #flow: Flow;
  #state: FlowState;
  readonly #effects: FlowEffect[] = [];
  #passed = 0;

  constructor(flow: Flow, state: FlowState) {
    this.#flow = flow;
    this.#state = state;
  }

  step(event: FlowEvent): FlowStep {
    const next = this.#on(event);
    return { state: this.#state, effects: this.#effects, next };
  }

  #on(event: FlowEvent): FlowNext {
    const { waitsFor } = this.#state;
    if (waitsFor.kind === "begin")
      return event.type === "said" ? this.#saidAtBeginning(event.text) : this.#enter(this.#flow.start);
    if (event.type === "said") return this.#said(event);
    if (event.type === "tool_done" && waitsFor.kind === "tool") return this.#toolDone(event);
    if (event.type === "model_done" && waitsFor.kind === "model") return this.#modelDone(event);
    if (event.type === "judged" && waitsFor.kind === "edge")
      return this.#edgeJudged(event.way, waitsFor.outcome);
    if (event.type === "judged" && waitsFor.kind === "exit") return this.#exitJudged(event.way);
    return this.#again();
  }

  /** The caller spoke first: words that already answer the first question make asking it unnecessary. */
  #saidAtBeginning(text: string): FlowNext {
    this.#put({ variables: { ...this.#state.variables, last_said: text } });
    const begun = this.#enter(this.#flow.start);
    if (begun.type === "end") return begun;
    if (begun.type !== "listen" && begun.type !== "model") return this.#exitAtBeginning(text) ?? begun;
    const before = this.#state;
    const heard = before.lines.slice(0, -1).join(" ");
    const after = stepFlow(this.#flow, before, { type: "said", text, heard });
    const isQuestion = this.#node.type === "ask" || this.#node.type === "collect";
    // Not an answer: the question stands as it was asked.
    if (isQuestion && after.state.node === before.node) return begun;
    if (isQuestion)
      this.#effects.splice(
        this.#effects.findLastIndex(({ type }) => type === "say"),
        1,
      );
    this.#effects.push(...after.effects);
    this.#state = { ...after.state, lines: this.#lines() };
    return after.next;
  }

  /** Takes an exit instead of the node that the flow begins to work at; undefined when the words name none. */
  #exitAtBeginning(text: string): FlowNext | undefined {
    const exit = exitSaid(this.#flow, text, this.#state.node);
    if (!exit) return undefined;
    this.#effects.splice(this.#effects.findLastIndex(({ type }) => type === "entered"));
    this.#put({ lines: this.#lines() });
    return this.#enter(exit.to);
  }

  #said({ text, heard }: Extract<FlowEvent, { type: "said" }>): FlowNext {
    const { waitsFor, lines, variables } = this.#state;
    if (waitsFor.kind === "nothing") return { type: "end" };
    const isAway = waitsFor.kind === "transfer" || waitsFor.kind === "hand_off";
    if (isAway && transferHasFailed(text)) return this.#leave("failed");
    const unheard = heard === undefined ? [] : unheardOf(lines, heard);
    this.#put({ lines: [], variables: { ...variables, last_said: keysIn(text) ?? text } });
    const exit = exitSaid(this.#flow, text, this.#state.node);
    if (exit) return this.#enter(exit.to);
    switch (waitsFor.kind) {
      case "words":
        return this.#answered(text, unheard);
      case "exit":
        this.#put({ waitsFor: { kind: "words" } });
        return this.#answered(text, unheard);
      case "model":
        return this.#talk();
      default:
        return this.#again();
    }
  }

  #answered(text: string, unheard: readonly string[]): FlowNext {
    const node = this.#node;
    if (node.type === "wait") {
      if (node.save !== undefined) this.#save({ [node.save]: keysIn(text) ?? text });
      return this.#leave("next");
    }
    if (node.type !== "ask" && node.type !== "collect") return this.#again();
    const today = variableOf("current_date", this.#state.variables);
    const value = node.type === "ask" ? readAnswer(text, node.answer, today) : readDigits(text, node);
    if (value !== undefined) {
      this.#save({ [node.save]: value });
      return this.#leave("next");
    }
    // A caller who has not heard the question has not failed to answer it.
    if (unheard.length > 0) return this.#sayAgain(unheard);
    const ways = judgedExits(this.#flow, node.id);
    if (ways.length === 0) return this.#notUnderstood(node);
    this.#put({ waitsFor: { kind: "exit" } });
    return { type: "judge", ways: ways.map(({ judge = "" }) => ({ description: judge })) };
  }

  #notUnderstood(node: FlowNodeOf<"ask" | "collect">): FlowNext {
    const tries = this.#state.tries + 1;
    this.#put({ tries });
    if (tries >= node.attempts) return this.#leave("no_answer");
    return this.#listen(node.retry ?? this.#flow.lines.retry, node.text);
  }

  #exitJudged(way: number | undefined): FlowNext {
    const exit = way === undefined ? undefined : judgedExits(this.#flow, this.#state.node)[way];
    if (exit) return this.#enter(exit.to);
    const node = this.#node;
    return node.type === "ask" || node.type === "collect" ? this.#notUnderstood(node) : this.#again();
  }

  #edgeJudged(way: number | undefined, outcome: Outcome): FlowNext {
    const onwards = onward(this.#flow, this.#state, outcome);
    const chosen = onwards.kind === "judge" && way !== undefined ? onwards.edges[way]?.to : undefined;
    const to = chosen ?? onwardUnjudged(this.#flow, this.#state, outcome);
    return to === undefined ? { type: "stuck" } : this.#enter(to);
  }

  #modelDone({ way, values = {} }: Extract<FlowEvent, { type: "model_done" }>): FlowNext {
    const chosen = way === undefined ? undefined : waysOfModel(this.#flow, this.#state)[way];
    const node = this.#node;
    if (chosen && node.type === "model") {
      const wanted = node.save.map(({ variable }) => variable);
      this.#save(Object.fromEntries(Object.entries(values).filter(([name]) => wanted.includes(name))));
      return this.#enter(chosen.to);
    }
    return { type: "listen", digits: false };
  }

  #talk(): FlowNext {
    const node = this.#node;
    if (node.type !== "model") return this.#again();
    const tries = this.#state.tries + 1;
    this.#put({ tries });
    if (node.maxTurns !== undefined && tries > node.maxTurns) return this.#leave("no_answer");
    return this.#again();
  }

  #toolDone({ status, result }: Extract<FlowEvent, { type: "tool_done" }>): FlowNext {
    const node = this.#node;
    const isDone = status === "success";
    if (node.type === "knowledge") {
      const passage = isDone ? bestPassage(result) : undefined;
      if (passage === undefined) return this.#leave("not_found");
      this.#save({ [node.save]: passage });
      return this.#leave("next");
    }
    if (node.type !== "tool") return this.#again();
    if (status === "confirmation_required" && this.#state.tries < MAX_CONSENTS) {
      this.#put({ tries: this.#state.tries + 1, waitsFor: { kind: "consent" } });
      this.#say(node.confirm ?? this.#flow.lines.confirm);
      return { type: "listen", digits: false };
    }
    if (!isDone) return this.#leave("failed");
    this.#save(savedFrom(node, result));
    return this.#leave("next");
  }

  /** Repeats what the current state waits for. */
  #again(): FlowNext {
    const node = this.#node;
    const { variables, waitsFor } = this.#state;
    switch (waitsFor.kind) {
      case "begin":
      case "words":
        return { type: "listen", digits: wantsDigits(node) };
      case "nothing":
        return { type: "end" };
      case "exit":
        return {
          type: "judge",
          ways: judgedExits(this.#flow, node.id).map(({ judge = "" }) => ({ description: judge })),
        };
      case "edge": {
        const onwards = onward(this.#flow, this.#state, waitsFor.outcome);
        return onwards.kind === "judge"
          ? judging(onwards.edges)
          : this.#edgeJudged(undefined, waitsFor.outcome);
      }
      case "consent":
        this.#put({ waitsFor: { kind: "tool" } });
        return toolCall(node, variables);
      case "tool":
        return toolCall(node, variables);
      case "model":
        return this.#model();
      case "transfer":
      case "hand_off":
        return goingAway(node, variables);
    }
  }

  #model(): FlowNext {
    const node = this.#node;
    if (node.type !== "model") return { type: "stuck" };
    const ways = waysOfModel(this.#flow, this.#state).map(({ description }) => ({ description }));
    const { prompt } = node;
    return { type: "model", prompt, tools: node.tools, save: node.save, ways };
  }

  /** Enters a node and continues until something must be waited for. */
  #enter(id: string): FlowNext {
    this.#passed += 1;
    if (this.#passed > MAX_NODES) return { type: "stuck" };
    this.#put({ node: id, tries: 0, waitsFor: { kind: "words" } });
    this.#effects.push({ type: "entered", node: id });
    const node = this.#node;
    switch (node.type) {
      case "say":
        this.#say(node.text);
        return this.#leave("next");
      case "ask":
      case "collect":
        if (node.skipIfKnown && variableOf(node.save, this.#state.variables) !== "")
          return this.#leave("next");
        return this.#listen(node.text);
      case "set":
        for (const { variable, value } of node.values)
          this.#save({ [variable]: resolvePlaceholders(value, this.#state.variables) });
        return this.#leave("next");
      case "condition":
        return this.#leave("next");
      case "wait":
        return { type: "listen", digits: false };
      case "model":
        return this.#awaits("model");
      case "tool":
      case "knowledge":
        if (node.saying !== undefined) this.#say(node.saying);
        return this.#awaits("tool");
      case "transfer":
      case "hand_off":
        if (node.text !== undefined) this.#say(node.text);
        return this.#awaits(node.type);
      case "end":
        if (node.text !== undefined) this.#say(node.text);
        this.#put({ waitsFor: { kind: "nothing" } });
        return { type: "end" };
    }
  }

  #awaits(kind: "model" | "tool" | "transfer" | "hand_off"): FlowNext {
    this.#put({ waitsFor: { kind } });
    return this.#again();
  }

  #leave(outcome: Outcome): FlowNext {
    const onwards = onward(this.#flow, this.#state, outcome);
    if (onwards.kind === "to") return this.#enter(onwards.node);
    if (onwards.kind === "none") return { type: "stuck" };
    this.#put({ waitsFor: { kind: "edge", outcome } });
    return judging(onwards.edges);
  }

  #listen(...lines: readonly string[]): FlowNext {
    for (const line of lines) this.#say(line);
    return { type: "listen", digits: wantsDigits(this.#node) };
  }

  #sayAgain(lines: readonly string[]): FlowNext {
    for (const text of lines) this.#speak(text);
    return this.#again();
  }

  #say(line: string): void {
    const text = resolvePlaceholders(line, this.#state.variables);
    if (text !== "") this.#speak(text);
  }

  #speak(text: string): void {
    this.#effects.push({ type: "say", text });
    this.#put({ lines: [...this.#state.lines, text] });
  }

  #lines(): readonly string[] {
    return this.#effects.flatMap((effect) => (effect.type === "say" ? [effect.text] : []));
  }

  #save(values: Readonly<Record<string, string>>): void {
    this.#put({ variables: { ...this.#state.variables, ...bounded(values) } });
  }

  #put(change: Partial<FlowState>): void {
    this.#state = { ...this.#state, ...change };
  }

  get #node(): FlowNode {
    return nodeOf(this.#flow, this.#state.node);
  }
}

function wantsDigits(node: FlowNode): boolean {
  return node.type === "collect" || (node.type === "ask" && node.answer.type === "phone");
}

function judging(edges: readonly { readonly judge?: string | undefined }[]): FlowNext {
  return { type: "judge", ways: edges.map(({ judge = "" }) => ({ description: judge })) };
}

function toolCall(node: FlowNode, variables: FlowState["variables"]): FlowNext {
  if (node.type === "knowledge") {
    return {
      type: "tool",
      tool: node.tool,
      arguments: { query: resolvePlaceholders(node.query, variables) },
    };
  }
  if (node.type !== "tool") return { type: "stuck" };
  return {
    type: "tool",
    tool: node.tool,
    arguments: filled(node.arguments, variables) as Readonly<Record<string, JsonValue>>,
  };
}

function goingAway(node: FlowNode, variables: FlowState["variables"]): FlowNext {
  if (node.type === "transfer") {
    const { to, mode, whisper } = node;
    const told = whisper === undefined ? undefined : resolvePlaceholders(whisper, variables);
    return { type: "transfer", to, mode, whisper: told };
  }
  if (node.type !== "hand_off") return { type: "stuck" };
  const { agentId, summary = "" } = node;
  const given = node.variables.map((name) => [name, variableOf(name, variables)] as const);
  return {
    type: "hand_off",
    agentId,
    variables: { ...Object.fromEntries(given), summary: resolvePlaceholders(summary, variables) },
  };
}

/**
 * The lines from the first one that the caller did not hear to its end; at least the last line, if it was not heard.
 */
function unheardOf(lines: readonly string[], heard: string): readonly string[] {
  let left = heard.replace(/\s+/g, "").length;
  for (const [at, line] of lines.entries()) {
    const chars = line.replace(/\s+/g, "").length;
    // Hearing half of a line is enough to know what it says.
    if (left < chars / 2) return lines.slice(at);
    left -= chars;
  }
  return [];
}
