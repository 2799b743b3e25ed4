import type { ListenOptions } from "./options.ts";

/** A listener as `POST /api/v1/listeners` made it. */
export interface Listener {
  readonly id: string;
  readonly secret: string;
}

export interface ClaimedDelivery {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  readonly attempt: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Claimed {
  readonly claimId: string;
  readonly deliveries: readonly ClaimedDelivery[];
}

/** What the receiver on this machine answered, or why it did not. */
export type LocalAnswer =
  | { readonly status: number; readonly body: string; readonly durationMs: number }
  | { readonly error: string; readonly durationMs: number };

export interface Reported {
  readonly status: "delivered" | "failed" | "dead";
  /** Until the next attempt; null when there is none. */
  readonly retryInSecs: number | null;
}

/** Parley refused, or could not be asked. */
export class ApiError extends Error {
  /** Of the answer; undefined when there was none. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }

  /** The same request may succeed later. */
  get isPassing(): boolean {
    const { status } = this;
    return status === undefined || status >= 500 || status === 429 || status === 408;
  }
}

const ANSWER_WITHIN_MS = 10_000;

/** `/api/v1/listeners`. Every call throws `ApiError`, or what `signal` was aborted with. */
export class ListenerApi {
  readonly #options: Pick<ListenOptions, "api" | "key">;

  constructor(options: Pick<ListenOptions, "api" | "key">) {
    this.#options = options;
  }

  async create(
    { events, agentId, includeRecording, includeTranscript }: ListenOptions,
    signal: AbortSignal,
  ): Promise<Listener> {
    const made = await this.#call("POST", "", {
      signal,
      body: {
        ...(events === undefined ? {} : { events }),
        ...(agentId === undefined ? {} : { agent_id: agentId }),
        include_recording: includeRecording,
        include_transcript: includeTranscript,
      },
    });
    return { id: String(made.id), secret: String(made.signing_secret) };
  }

  async claim(id: string, waitSecs: number, signal: AbortSignal): Promise<Claimed> {
    const extraMs = waitSecs * 1_000;
    const claimed = await this.#call("POST", `/${id}/claim?wait=${waitSecs}`, { signal, extraMs });
    return {
      claimId: String(claimed.claim_id),
      deliveries: claimed.deliveries as readonly ClaimedDelivery[],
    };
  }

  async report(
    { id, claimId, deliveryId }: { id: string; claimId: string; deliveryId: string },
    answer: LocalAnswer,
    signal: AbortSignal,
  ): Promise<Reported> {
    const { durationMs, ...outcome } = answer;
    const body = { claim_id: claimId, duration_ms: durationMs, ...outcome };
    const reported = await this.#call("POST", `/${id}/deliveries/${deliveryId}`, { signal, body });
    return {
      status: reported.status as Reported["status"],
      retryInSecs: reported.retry_in_secs as number | null,
    };
  }

  async delete(id: string): Promise<void> {
    await this.#call("DELETE", `/${id}`, { signal: new AbortController().signal });
  }

  async #call(
    method: string,
    path: string,
    { signal, body, extraMs = 0 }: { signal: AbortSignal; body?: unknown; extraMs?: number },
  ): Promise<Record<string, unknown>> {
    const { api, key } = this.#options;
    try {
      const response = await fetch(`${api}/api/v1/listeners${path}`, {
        method,
        headers: {
          "x-api-key": key,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        // A redirect would take the key along.
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS + extraMs)]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return answerOf(response.status, await response.text());
    } catch (error) {
      if (error instanceof ApiError || signal.aborted) throw error;
      throw new ApiError(`Nothing answers at ${api} (${reasonOf(error)}).`);
    }
  }
}

function answerOf(status: number, text: string): Record<string, unknown> {
  const answer = parse(text);
  if (status >= 200 && status < 300 && answer !== undefined) return answer;
  const said = answer?.error;
  throw new ApiError(typeof said === "string" ? said : `It answered ${status}, not as Parley does.`, status);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The network's own code where there is one. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no answer in time";
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code: unknown = Reflect.get(cause, "code");
  return typeof code === "string" ? code : cause.message;
}
