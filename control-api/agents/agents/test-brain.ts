import { BrainError } from "@parley/shared/brain/brain-error.ts";
import type { BrainClient, BrainPart } from "@parley/shared/brain/client.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { BrainTestPart, BrainTestResult } from "@parley/shared/contracts/agents.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import { newId } from "@parley/shared/ids.ts";

/** Limit of a whole test; a brain's own timeouts may be far longer. */
const TIME_LIMIT_MS = 30_000;
const MAX_PARTS = 4_000;
const MAX_CHARS = 64 * 1024;

export interface BrainTestInput {
  readonly brain: BrainPlan;
  readonly orgId: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly userId: string;
  /** Whether a model's tools really call their endpoints. */
  readonly runTools: boolean;
  /** Aborted when the requester is gone. */
  readonly signal: AbortSignal;
}

export interface BrainTestDeps {
  readonly client: BrainClient;
  readonly clock: Clock;
  readonly timeLimitMs?: number | undefined;
}

/**
 * Runs one turn against a brain as a call would, in its own session, and yields its parts as they arrive, then the
 * result. A failing brain is reported in the result, never thrown.
 */
export async function* testBrain(
  { brain, orgId, query, variables, userId, runTools, signal }: BrainTestInput,
  { client, clock, timeLimitMs = TIME_LIMIT_MS }: BrainTestDeps,
): AsyncGenerator<BrainTestPart | BrainTestResult> {
  const limit = new AbortController();
  const cancel = clock.after(timeLimitMs, () => limit.abort());
  const test = new RunningTest(clock);
  try {
    const answer = client.ask({
      plan: brain,
      orgId,
      request: { ...variables, query, userId, sessionId: newId("ses"), turn: 1 },
      runTools,
      signal: AbortSignal.any([signal, limit.signal]),
      onSent: () => test.sent(),
      onFirstContent: () => undefined,
    });
    for await (const part of answer) {
      yield test.took(part);
      if (test.isFull) break;
    }
    if (limit.signal.aborted) {
      test.failed(
        "time_limit",
        `The brain was not done after ${timeLimitMs / 1_000} s, when this test ends.`,
      );
    }
  } catch (error) {
    if (!(error instanceof BrainError)) throw error;
    test.failed(error.failure, error.message);
  } finally {
    cancel();
    // A consumer that leaves early must not leave the request open.
    limit.abort();
  }
  yield test.result();
}

/** What is known of a running test so far. */
class RunningTest {
  readonly #clock: Clock;
  readonly #startedMs: number;
  #text = "";
  #parts = 0;
  #chars = 0;
  #tries = 0;
  #firstTokenMs: number | null = null;
  #error: BrainTestResult["error"] = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
  }

  get isFull(): boolean {
    return this.#parts >= MAX_PARTS || this.#chars >= MAX_CHARS;
  }

  sent(): void {
    this.#tries += 1;
  }

  took(part: BrainPart): BrainTestPart {
    const atMs = this.#elapsedMs();
    this.#parts += 1;
    if (part.type === "control") {
      this.#chars += JSON.stringify(part.control).length;
      return { ...part, atMs };
    }
    this.#firstTokenMs ??= atMs;
    const text = part.text.slice(0, MAX_CHARS - this.#chars);
    this.#chars += part.text.length;
    this.#text += text;
    return { type: "token", text, atMs };
  }

  failed(failure: string, message: string): void {
    this.#error = { failure, message };
  }

  result(): BrainTestResult {
    if (this.#parts === 0 && this.#error === null) {
      this.failed("empty", "The brain's answer had neither tokens nor control events.");
    }
    return {
      type: "result",
      ok: this.#error === null,
      text: this.#text,
      firstTokenMs: this.#firstTokenMs,
      totalMs: this.#elapsedMs(),
      tries: this.#tries,
      truncated: this.isFull,
      error: this.#error,
    };
  }

  #elapsedMs(): number {
    return Math.round(this.#clock.monotonicMs() - this.#startedMs);
  }
}
