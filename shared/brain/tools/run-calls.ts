import type { Clock } from "../../clock.ts";
import type { BrainRequest } from "../../contracts/brain.ts";
import type { BrainControl } from "../../contracts/brain-control.ts";
import { kindNameOf, type PlannedTool } from "../../contracts/tools/kinds.ts";
import type { Metrics } from "../../metrics.ts";
import type { Dispatchers } from "../../net/dispatchers.ts";
import type { ControlApiTools } from "../../tool-runs/port.ts";
import type { ToolCall } from "../model/messages.ts";
import type { BrainQuestion } from "../port.ts";
import { blankOut } from "./blank-out.ts";
import { parametersOf } from "./definitions.ts";
import { runTool, type ToolRun } from "./run-tool.ts";

/** Dependencies for running tools. */
export interface ToolDeps {
  readonly dispatchers: Dispatchers;
  /** Runs the tools that need the organization's credentials. */
  readonly controlApiTools: ControlApiTools;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "toolRunSeconds">;
}

/** A tool call that has run. */
export interface ReportedRun {
  readonly callId: string;
  readonly run: ToolRun;
  /** The report of the run, then the control events it causes. */
  readonly controls: readonly BrainControl[];
  /** What is shown of the run: who goes on with its result takes that of `run`. */
  readonly report: Extract<BrainControl, { event: "tool" }>;
}

/** Runs the calls of a round concurrently and reports them in order. */
export async function* runCalls(
  calls: readonly ToolCall[],
  tools: readonly PlannedTool[],
  question: BrainQuestion,
  deps: ToolDeps,
): AsyncIterable<ReportedRun> {
  const { orgId, request, signal, traceparent, identifier = null, runTools = true, handsTo = [] } = question;
  const { clock, metrics, controlApiTools } = deps;
  const dispatcher = deps.dispatchers.of(orgId);
  const variables = variablesOf(request);
  const context = {
    dispatcher,
    variables,
    identifier,
    signal,
    runTools,
    controlApiTools,
    orgId,
    request,
    traceparent,
    handsTo,
  };
  const startedMs = clock.monotonicMs();
  const runs = calls.map(async (call): Promise<ReportedRun> => {
    const run = await runTool(call, tools, context);
    const tookMs = clock.monotonicMs() - startedMs;
    const tool = tools.find(({ name }) => name === call.name);
    metrics.toolRunSeconds.observe(
      { kind: tool ? kindNameOf(tool) : "none", outcome: run.status },
      tookMs / 1000,
    );
    const { status, result } = run;
    const latencyMs = Math.round(tookMs);
    const parameters = tool ? parametersOf(tool) : {};
    const report = {
      event: "tool",
      name: call.name,
      ...blankOut({ arguments: run.arguments, result }, parameters),
      status,
      latencyMs,
    } as const;
    return { callId: call.id, run, report, controls: run.control ? [report, run.control] : [report] };
  });
  for (const run of runs) yield await run;
}

/** The strings of a request: the call's variables, and what the turn adds to them. */
export function variablesOf(request: BrainRequest): Record<string, string> {
  const strings = Object.entries(request).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(strings);
}
