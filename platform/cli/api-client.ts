import { type ApiRequest, type Connection, callApi } from "./api-call.ts";
import type { ListenOptions } from "./options.ts";

/** A listener as `POST /api/v1/listeners` returns it. */
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

/** The local receiver's answer, or why there was none. */
export type LocalAnswer =
  | { readonly status: number; readonly body: string; readonly durationMs: number }
  | { readonly error: string; readonly durationMs: number };

export interface Reported {
  readonly status: "delivered" | "failed" | "dead";
  /** Seconds until the next attempt; null when there is none. */
  readonly retryInSecs: number | null;
}

/** Client of `/api/v1/listeners`. Every call throws `ApiError`, or the reason `signal` was aborted with. */
export class ListenerApi {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async create(
    { events, agentId, includeRecording, includeTranscript, secret }: ListenOptions,
    signal: AbortSignal,
  ): Promise<Listener> {
    const made = await this.#call("POST", "", {
      signal,
      body: {
        ...(events === undefined ? {} : { events }),
        ...(agentId === undefined ? {} : { agent_id: agentId }),
        include_recording: includeRecording,
        include_transcript: includeTranscript,
        signing_secret: secret,
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

  #call(
    method: ApiRequest["method"],
    path: string,
    request: Pick<ApiRequest, "signal" | "body" | "extraMs">,
  ): Promise<Record<string, unknown>> {
    return callApi(this.#connection, { ...request, method, path: `/api/v1/listeners${path}` });
  }
}
