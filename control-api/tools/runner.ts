import type { Keys } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { storable } from "@parley/shared/contracts/storable.ts";
import { MAX_RESULT_BYTES } from "@parley/shared/contracts/tool-runs.ts";
import type { BusToolSettings } from "@parley/shared/contracts/tools/kinds.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { CalledControlApiTool } from "@parley/shared/tool-runs/port.ts";
import { type Attempt, beginAttempt } from "./attempts.ts";
import { confirmed } from "./confirmations.ts";
import {
  executorOf,
  type PreparedRun,
  type ToolExecutor,
  type ToolExecutors,
  type ToolOutcome,
} from "./executor.ts";
import { fingerprintOf } from "./fingerprint.ts";

export interface RunnerDeps {
  readonly executors: ToolExecutors;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A tool call to run here; the runner looks up its settings. */
export interface CalledTool extends Omit<CalledControlApiTool, "tool"> {
  readonly agentId: string;
}

/** A tool's settings, and its run if that was prepared. */
export interface FoundTool {
  readonly tool: BusToolSettings;
  readonly prepared?: PreparedRun | undefined;
}

/** Runs a tool within its time limit, after the caller's confirmation where required. Never throws. */
export async function runTool(
  find: () => Promise<FoundTool | undefined>,
  called: CalledTool,
  deps: RunnerDeps,
): Promise<ToolOutcome> {
  try {
    const { tool, prepared } = (await find()) ?? {};
    const executor = tool && executorOf(deps.executors, tool);
    const described = tool && (await executor?.describe(tool, called.orgId));
    if (!tool || !executor || !described) return failed("not_found", "There is no such tool.", "not_found");
    const fingerprint = fingerprintOf(tool.name, called.arguments);
    const isRead = described.effect === "read";
    const confirm = "confirm" in tool ? tool.confirm : undefined;
    if (confirm ?? !isRead) {
      const answer = await confirmed({ ...called, fingerprint }, deps.keys);
      if (answer !== "yes") return notConfirmed(answer, called.arguments);
    }
    const attempt = isRead ? READ : await beginAttempt({ ...called, fingerprint }, deps.keys);
    if (attempt.isRepeated && described.effect === "write_once") return failed(...OUTCOME_UNKNOWN);
    return bounded(await runOnce({ tool, executor, prepared, called, attempt }, deps));
  } catch (error) {
    return outcomeOf(error, called, deps);
  }
}

/** A builder's try of a tool, outside any conversation. */
export interface TriedTool extends Pick<CalledTool, "orgId" | "arguments" | "signal"> {
  /** Equal for all attempts at one write. */
  readonly tryId: string;
}

export type TryDeps = Pick<RunnerDeps, "executors" | "clock" | "log">;

/** Runs a tool once, within its time limit, without confirmation. Never throws. */
export async function tryTool(
  tool: BusToolSettings,
  { tryId, ...tried }: TriedTool,
  deps: TryDeps,
): Promise<ToolOutcome> {
  const called = { ...tried, sessionId: tryId, agentId: "", identifier: null, traceparent: undefined };
  try {
    const executor = executorOf(deps.executors, tool);
    if (!executor) return failed("not_found", "There is no such tool.", "not_found");
    const attempt = { ...READ, idempotencyKey: tryId };
    return bounded(await runOnce({ tool, executor, called, attempt }, deps));
  } catch (error) {
    return outcomeOf(error, called, deps);
  }
}

interface Once {
  readonly tool: BusToolSettings;
  readonly executor: ToolExecutor;
  readonly prepared?: PreparedRun | undefined;
  readonly called: Pick<
    CalledTool,
    "orgId" | "sessionId" | "agentId" | "identifier" | "traceparent" | "arguments" | "signal"
  >;
  readonly attempt: Attempt;
}

async function runOnce(
  { tool, executor, prepared, called, attempt }: Once,
  { clock }: Pick<RunnerDeps, "clock">,
): Promise<ToolOutcome> {
  const { orgId, sessionId, agentId, identifier, traceparent } = called;
  const deadline = new AbortController();
  const { promise: isLate, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(tool.timeoutMs, () => {
    deadline.abort();
    reject(new AppError("deadline_exceeded", `It took longer than ${tool.timeoutMs} ms.`));
  });
  const signal = AbortSignal.any([called.signal, deadline.signal]);
  const onGivenUp = (): void => reject(new AppError("unavailable", "The request was canceled."));
  called.signal.addEventListener("abort", onGivenUp, { once: true });
  if (called.signal.aborted) onGivenUp();
  const { idempotencyKey } = attempt;
  try {
    const of = { orgId, sessionId, agentId, identifier, traceparent, idempotencyKey, signal };
    const run = { ...of, arguments: called.arguments };
    const running = prepared ? prepared(run) : executor.run(tool, run);
    const outcome = await Promise.race([running, isLate]);
    await attempt.settled();
    return outcome;
  } catch (error) {
    if (!signal.aborted && isSettled(error)) await attempt.settled();
    throw error;
  } finally {
    cancel();
    called.signal.removeEventListener("abort", onGivenUp);
    isLate.catch(() => undefined);
  }
}

/** Whether the error means that nothing was done: the vendor or the connector refused. */
function isSettled(error: unknown): boolean {
  return error instanceof AppError && (error.status < 500 || error.code === "vendor_rejected");
}

const READ: Attempt = { idempotencyKey: "", isRepeated: false, settled: async () => undefined };

const OUTCOME_UNKNOWN = [
  "outcome_unknown",
  "This was tried before, and whether it was done is not known. Look it up, or ask the caller, before anything else.",
] as const;

function notConfirmed(
  status: "confirmation_required" | "confirmation_denied",
  args: Readonly<Record<string, unknown>>,
): ToolOutcome {
  const message =
    status === "confirmation_required"
      ? "Not done yet. Tell the caller what exactly will be done and ask whether to do it. When they have said yes, call the tool again with the same arguments."
      : "Not done: the caller has not agreed to this. Ask what they want instead.";
  return { status, result: { confirmation: { message, arguments: args } } };
}

function failed(code: string, message: string, status: ToolOutcome["status"] = "error"): ToolOutcome {
  return { status, result: { error: { code, message } } };
}

function bounded({ status, result }: ToolOutcome): ToolOutcome {
  const kept = storable(result ?? null);
  if (Buffer.byteLength(JSON.stringify(kept)) <= MAX_RESULT_BYTES) return { status, result: kept };
  return failed("response_too_large", `The answer is larger than ${MAX_RESULT_BYTES} bytes.`);
}

function outcomeOf(
  error: unknown,
  { signal }: Pick<CalledTool, "signal">,
  { log }: Pick<RunnerDeps, "log">,
): ToolOutcome {
  const known: unknown = signal.aborted ? signal.reason : error;
  if (signal.aborted && !(known instanceof AppError))
    return failed("abandoned", "The caller spoke before it was done.", "abandoned");
  if (known instanceof AppError) {
    const { code, message, details } = known;
    return { status: "error", result: { error: { code, message, ...(details ? { details } : {}) } } };
  }
  log.error({ event: "tool_failed", err: messageOf(error) }, "failed to run a tool");
  return failed("internal", "This cannot be done at the moment.");
}
