import type { ToolResult } from "../../contracts/brain.ts";
import type { BrainControl } from "../../contracts/brain-control.ts";
import type { CustomBrainPlan } from "../../contracts/brain-plan.ts";
import { BrainError, isRefusedForGood } from "../brain-error.ts";
import { BrainBreaker } from "../breaker.ts";
import { exchange, type Reading } from "../exchange.ts";
import type { ToolCall } from "../model/messages.ts";
import { type BrainPart, createEventReader } from "../parts.ts";
import type { BrainClient, BrainDeps, BrainQuestion } from "../port.ts";
import { type LookedAhead, lookAhead } from "../tools/look-ahead.ts";
import { runCalls } from "../tools/run-calls.ts";
import { buildPost } from "./request.ts";

type Question = BrainQuestion<CustomBrainPlan>;

/** Maximum requests per turn that follow a tool; after them, an answer that asks for another tool ends there. */
const MAX_TOOL_ROUNDS = 5;
const MAX_CALLS = 16;

/** Brains that are customers' own endpoints. */
export function createCustomBrains(deps: BrainDeps): BrainClient<CustomBrainPlan> {
  const breaker = new BrainBreaker(deps.clock);
  const unknownEvents = new WeakMap<CustomBrainPlan, Set<string>>();
  const onUnknown = ({ plan, request }: Question, unknown: string): void => {
    deps.metrics.brainUnknownEventsTotal.inc();
    const known = unknownEvents.get(plan) ?? new Set();
    unknownEvents.set(plan, known);
    if (known.has(unknown)) return;
    known.add(unknown);
    deps.log.warn(
      { event: "brain_event_unknown", sessionId: request.sessionId, unknown },
      "the brain sent an unknown control event",
    );
  };
  const untold = new UntoldResults();
  return { ask: (question) => answer(question, { ...deps, breaker, onUnknown, untold }) };
}

interface AnswerDeps extends BrainDeps {
  readonly breaker: BrainBreaker;
  readonly onUnknown: (question: Question, unknown: string) => void;
  readonly untold: UntoldResults;
}

/** Streams the answer to a turn, including the rounds that follow its tool calls. */
async function* answer(question: Question, deps: AnswerDeps): AsyncIterable<BrainPart> {
  const { plan, signal } = question;
  let toolResults = deps.untold.take(plan);
  const found = await lookAhead(question, deps);
  let unreported = found.reports;
  for (let round = 0; ; round++) {
    const calls: ToolCall[] = [];
    const isFirst = round === 0;
    for await (const part of askOnce(withPassages(question, found), { toolResults, isFirst }, deps)) {
      for (const report of unreported) yield { type: "control", control: report };
      unreported = [];
      if (part.type === "control" && part.control.event === "tool_call")
        calls.push(asCall(part.control, calls));
      else yield part;
    }
    if (signal.aborted || calls.length === 0 || round >= MAX_TOOL_ROUNDS) return;
    const results = new Map<string, ToolResult>();
    const told = (): readonly ToolResult[] => calls.map((call) => results.get(call.id) ?? abandoned(call));
    deps.untold.keep(plan, told);
    // Everything said so far is spoken while the tools run.
    yield { type: "control", control: { event: "flush" } };
    for await (const { callId: id, run, report } of runCalls(calls, plan.tools, question, deps)) {
      const { name, status } = report;
      results.set(id, { id, name, arguments: run.arguments, status, result: run.result });
      yield { type: "control", control: report };
      if (run.endsTurn) return;
    }
    if (signal.aborted) return;
    toolResults = deps.untold.take(plan);
  }
}

function withPassages(question: Question, { passages }: LookedAhead): Question {
  if (passages.length === 0) return question;
  return { ...question, request: { ...question.request, knowledge: passages } };
}

/** Tool results that a brain never received because its turn was abandoned; its next request carries them. */
class UntoldResults {
  readonly #results = new WeakMap<CustomBrainPlan, () => readonly ToolResult[]>();

  keep(plan: CustomBrainPlan, results: () => readonly ToolResult[]): void {
    this.#results.set(plan, results);
  }

  take(plan: CustomBrainPlan): readonly ToolResult[] {
    const results = this.#results.get(plan)?.() ?? [];
    this.#results.delete(plan);
    return results;
  }
}

function asCall(
  control: Extract<BrainControl, { event: "tool_call" }>,
  before: readonly ToolCall[],
): ToolCall {
  if (before.length >= MAX_CALLS) {
    throw new BrainError("too_large", `The brain asked for more than ${MAX_CALLS} tools at once.`);
  }
  const { id = `call_${before.length}`, name } = control;
  return { id, name, argumentsText: JSON.stringify(control.arguments) };
}

function abandoned({ id, name, argumentsText }: ToolCall): ToolResult {
  const error = { code: "abandoned", message: "The caller spoke before it was done." };
  return {
    id,
    name,
    arguments: JSON.parse(argumentsText) as unknown,
    status: "abandoned",
    result: { error },
  };
}

/** Sends one request and streams its answer. */
function askOnce(
  question: Question,
  { toolResults, isFirst }: { readonly toolResults: readonly ToolResult[]; readonly isFirst: boolean },
  { onUnknown, ...deps }: AnswerDeps,
): AsyncIterable<BrainPart> {
  const { orgId, plan, request, traceparent, signal } = question;
  const told = toolResults.length === 0 ? request : { ...request, toolResults: [...toolResults] };
  const post = buildPost(plan, told, traceparent);
  let unreadable: string | undefined;
  const parseEvent = createEventReader();
  const read = (data: string): Reading<BrainPart> => {
    const event = parseEvent(data);
    if (event.type === "unknown") {
      unreadable ??= event.name;
      onUnknown(question, event.name);
    }
    if (event.type === "token" || event.type === "control")
      return { type: "part", part: event, mayBeLast: hangsUp(event) };
    return event.type === "done" ? event : { type: "nothing" };
  };
  const dispatcher = deps.dispatchers.of(orgId);
  const breakerKey = { orgId, endpoint: plan.url };
  // The delays reported for a turn are those of its first request.
  const { onSent, onFirstContent } = isFirst ? question : SILENT;
  const waiting = { plan, signal, onSent, onFirstContent };
  const parts = exchange({ post, dispatcher, breakerKey, read, refusal }, waiting, deps);
  return orUnreadable(parts, () => {
    if (unreadable === undefined || signal.aborted) return undefined;
    deps.metrics.brainErrorsTotal.inc({ cause: "unreadable" });
    return notReadable(unreadable);
  });
}

/** Brains that have hung up often leave their stream open; the caller must not wait for its timeout. */
function hangsUp(part: BrainPart): boolean {
  return part.type === "control" && part.control.event === "call_end";
}

const SILENT = { onSent: () => undefined, onFirstContent: () => undefined };

/** A brain may stay silent, but an answer in a format that Parley cannot read is an error. */
async function* orUnreadable(
  parts: AsyncIterable<BrainPart>,
  problem: () => BrainError | undefined,
): AsyncIterable<BrainPart> {
  let hasPart = false;
  for await (const part of parts) {
    hasPart = true;
    yield part;
  }
  const error = hasPart ? undefined : problem();
  if (error !== undefined) throw error;
}

function notReadable(event: string): BrainError {
  return new BrainError(
    "unreadable",
    `The brain's answer has only events that are not known here, first "${event}"; tokens or control events are expected.`,
    { isFinal: true },
  );
}

async function refusal(status: number, body: { destroy(): void }): Promise<BrainError> {
  body.destroy();
  return new BrainError("status", `The brain answered ${status}; 200 with text/event-stream is expected.`, {
    isFinal: isRefusedForGood(status),
  });
}
