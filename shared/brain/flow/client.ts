import type { BrainControl } from "../../contracts/brain-control.ts";
import type { FlowBrainPlan, ModelBrainPlan } from "../../contracts/brain-plan.ts";
import { transferFailedQuery } from "../../contracts/transfers.ts";
import { newFlowState, stepFlow } from "../../flows/interpreter.ts";
import type { FlowEffect, FlowEvent, FlowNext, FlowStep } from "../../flows/state.ts";
import { BrainError } from "../brain-error.ts";
import type { BrainPart } from "../parts.ts";
import type { BrainClient, BrainDeps, BrainQuestion, HistoryMessage } from "../port.ts";
import { runCalls, variablesOf } from "../tools/run-calls.ts";
import { type AskedModel, judge, talk } from "./ask-model.ts";
import { FlowMemory, FlowTurn } from "./memory.ts";

type Question = BrainQuestion<FlowBrainPlan>;

export interface FlowBrainDeps extends BrainDeps {
  /** Talks and judges wherever a flow asks for it. */
  readonly model: BrainClient<ModelBrainPlan>;
}

/**
 * After so many nodes with a model in one turn, the model is offered no way on: nodes that send a caller to each other
 * would go round until somebody hangs up.
 */
const MAX_TALKS = 8;
/** A pause up to this long does not end a turn in which digits are spoken. */
const DIGITS_ENDPOINTING_MS = 2_500;

/**
 * Brains that are flows. A call's position in its flow lives and dies with the call's plan object, unless the
 * question brings one. A first question without words begins the conversation: the flow speaks first.
 */
export function createFlowBrains(deps: FlowBrainDeps): BrainClient<FlowBrainPlan> {
  const memories = new WeakMap<FlowBrainPlan, { sessionId: string; memory: FlowMemory }>();
  const memoryOf = ({ plan, request }: Question): FlowMemory => {
    const known = memories.get(plan);
    if (known?.sessionId === request.sessionId) return known.memory;
    const memory = new FlowMemory(newFlowState(plan.flow, variablesOf(request)));
    memories.set(plan, { sessionId: request.sessionId, memory });
    return memory;
  };
  return { ask: (question) => answer(question, { ...deps, ...recall(question, memoryOf) }) };
}

interface Recalled {
  readonly record: FlowTurn;
  readonly history: readonly HistoryMessage[];
}

function recall(question: Question, memoryOf: (question: Question) => FlowMemory): Recalled {
  const { request, plan, flow, history = [], lines = [] } = question;
  if (flow) {
    const state = flow.state ?? newFlowState(plan.flow, variablesOf(request));
    return { record: new FlowTurn({ turn: request.turn, query: request.query, state }), history };
  }
  const memory = memoryOf(question);
  const record = memory.begin(request);
  return { record, history: memory.history(lines) };
}

type AnswerDeps = FlowBrainDeps & Recalled;

async function* answer(question: Question, deps: AnswerDeps): AsyncIterable<BrainPart> {
  const { plan, signal, onSent, onFirstContent } = question;
  const { record, clock } = deps;
  onSent(clock.monotonicMs());
  onFirstContent();
  let event: FlowEvent | undefined = firstEvent(question, record);
  while (event && !signal.aborted) {
    const step: FlowStep = stepFlow(plan.flow, record.state, event);
    record.state = step.state;
    question.flow?.onState(step.state);
    for (const effect of step.effects) yield partOf(effect, record);
    event = yield* carryOut(step.next, question, deps);
  }
}

function firstEvent({ request }: Question, { before, query, turn }: FlowTurn): FlowEvent {
  if (query === "" && before.waitsFor.kind === "begin") return { type: "begin" };
  const { heard } = request;
  return { type: "said", text: query, heard: heard?.turn === turn - 1 ? heard.text : undefined };
}

/** Carries out what follows a step. Returns the next event, or undefined when it is the caller's or the call's turn. */
async function* carryOut(
  next: FlowNext,
  question: Question,
  deps: AnswerDeps,
): AsyncGenerator<BrainPart, FlowEvent | undefined> {
  switch (next.type) {
    case "listen":
      if (next.digits)
        yield control({ event: "listen", expect: "digits", endpointingMs: DIGITS_ENDPOINTING_MS });
      return undefined;
    case "tool":
      return yield* runTool(next, question, deps);
    case "model":
      return yield* talkOn(next, question, deps);
    case "judge":
      return judge(next.ways, placed(question, deps.record), asking(deps));
    case "transfer":
      // A text conversation cannot be transferred.
      if (question.medium === "text") return { type: "said", text: transferFailedQuery("refused") };
      yield control({
        event: "transfer",
        to: next.to,
        ...(next.whisper === undefined ? {} : warm(next.whisper)),
      });
      return undefined;
    case "hand_off": {
      const { agentId, variables } = next;
      if (!question.handsTo?.includes(agentId)) return { type: "said", text: transferFailedQuery("refused") };
      yield control({ event: "hand_off", agentId, variables: { ...variables } });
      return undefined;
    }
    case "end":
      yield control({ event: "call_end" });
      return undefined;
    case "stuck":
      deps.metrics.brainErrorsTotal.inc({ cause: "flow_stuck" });
      throw new BrainError(
        "flow_stuck",
        `The flow cannot go on at the node "${deps.record.state.node}"; save the agent again to see why.`,
        { isFinal: true },
      );
    default:
      return next satisfies never;
  }
}

async function* talkOn(
  next: Extract<FlowNext, { type: "model" }>,
  question: Question,
  deps: AnswerDeps,
): AsyncGenerator<BrainPart, FlowEvent | undefined> {
  const { record } = deps;
  record.talks += 1;
  const offered = record.talks > MAX_TALKS ? { ...next, ways: [] } : next;
  const parts = talk(offered, placed(question, record), asking(deps));
  for (;;) {
    const { done, value } = await parts.next();
    if (question.signal.aborted) return undefined;
    if (done) return value;
    if (value.type === "token") record.said += value.text;
    yield value;
  }
}

async function* runTool(
  { tool, arguments: given }: Extract<FlowNext, { type: "tool" }>,
  question: Question,
  deps: AnswerDeps,
): AsyncGenerator<BrainPart, FlowEvent | undefined> {
  const { record } = deps;
  const argumentsText = JSON.stringify(given);
  const known = record.ran(tool, argumentsText);
  if (known) return { type: "tool_done", ...known };
  // Everything said so far is spoken while the tool runs. Nothing runs until the consumer reads on: an answer
  // requested speculatively, before the turn's end, may yet be discarded.
  yield control({ event: "flush" });
  const call = { id: "flow", name: tool, argumentsText };
  for await (const { run, report, controls } of runCalls(
    [call],
    question.plan.tools,
    placed(question, record),
    deps,
  )) {
    for (const event of controls) yield control(event);
    if (question.signal.aborted || run.endsTurn) return undefined;
    const gave = { status: report.status, result: run.result };
    // The caller's consent is asked for again each time.
    if (!report.status.startsWith("confirmation_")) record.hasRun(tool, argumentsText, gave);
    return { type: "tool_done", ...gave };
  }
  return undefined;
}

/** The question with the flow's variables in place of the call's. */
function placed(question: Question, { state }: FlowTurn): Question {
  const { request } = question;
  const { query, userId, sessionId, turn, heard } = request;
  const own = { query, userId, sessionId, turn, heard };
  return { ...question, request: { ...request, ...state.variables, ...own } };
}

function asking({ model, history, record }: AnswerDeps): AskedModel {
  return { model, history, said: record.said };
}

function partOf(effect: FlowEffect, record: FlowTurn): BrainPart {
  if (effect.type === "entered") return control({ event: "node_entered", node: effect.node });
  const text = `${effect.text} `;
  record.said += text;
  return { type: "token", text };
}

function warm(whisper: string) {
  return { mode: "warm", whisper };
}

function control(event: BrainControl): BrainPart {
  return { type: "control", control: event };
}
