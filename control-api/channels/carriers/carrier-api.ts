import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Dispatcher } from "@parley/shared/net/dispatchers.ts";
import { type GuardedResponse, guardedRequest } from "@parley/shared/net/guarded-request.ts";

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_WORDS = 300;
const DEFAULT_RETRY_AFTER_SECS = 1;

/** How to reach a carrier. */
export interface CarrierNetwork {
  /** No trailing slash. */
  readonly baseUrl: string;
  /** Called for every request. */
  readonly dispatcher: () => Dispatcher;
  readonly clock: Clock;
  /** Covers the whole exchange. */
  readonly timeoutMs?: number | undefined;
}

export interface CarrierApiOptions {
  readonly network: CarrierNetwork;
  /** Display name. */
  readonly title: string;
  /** Where its credentials are configured. */
  readonly settings: string;
  /** The value of `Authorization`. */
  readonly authorize: () => string;
  readonly readRefusal: (body: unknown) => Refusal;
}

/** A carrier's refusal. */
export interface Refusal {
  readonly words: string | undefined;
  /** The carrier refuses because the call is over. */
  readonly isOver?: boolean;
}

export interface CarrierCommand {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly form?: URLSearchParams;
  readonly json?: object;
  /** The command addresses an existing call, so a 404 means that the call is over. */
  readonly isOfCall?: true;
  /** The command is idempotent. */
  readonly isRepeatable?: true;
}

/** A carrier's REST API. Sends each command once, without retries, and maps failures to the port's errors. */
export class CarrierApi {
  readonly #options: CarrierApiOptions;

  constructor(options: CarrierApiOptions) {
    this.#options = options;
  }

  /** Returns the JSON response, or undefined if it was not JSON. Throws `AppError` as the port specifies. */
  async send(command: CarrierCommand): Promise<unknown> {
    const response = await this.#exchange(command);
    const body = parseJson(response.body);
    if (response.status >= 200 && response.status < 300) return body;
    throw this.#failure(command, response, body);
  }

  /** The error for a response that lacks required fields. */
  unreadable(): AppError {
    return new AppError("unavailable", `${this.#options.title} sent an invalid response.`, {
      retryable: false,
    });
  }

  async #exchange(command: CarrierCommand): Promise<GuardedResponse> {
    const { network, authorize } = this.#options;
    const { method, path, form, json } = command;
    try {
      return await guardedRequest(network.dispatcher(), network.baseUrl + path, {
        method,
        headers: {
          authorization: authorize(),
          accept: "application/json",
          ...(form ? { "content-type": "application/x-www-form-urlencoded" } : {}),
          ...(json ? { "content-type": "application/json" } : {}),
        },
        ...(form ? { body: form.toString() } : {}),
        ...(json ? { body: JSON.stringify(json) } : {}),
        timeoutMs: network.timeoutMs ?? TIMEOUT_MS,
        maxResponseBytes: MAX_ANSWER_BYTES,
      });
    } catch (cause) {
      if (wasNeverSent(cause)) {
        const message = `${this.#options.title} cannot be reached, so nothing was done. Try again shortly.`;
        throw new AppError("unavailable", message, { cause, retryable: true });
      }
      throw this.#away("did not answer", command, cause);
    }
  }

  #failure(command: CarrierCommand, { status, headers }: GuardedResponse, body: unknown): AppError {
    const { title, settings, network } = this.#options;
    const refusal = this.#options.readRefusal(body);
    const words = refusal.words === undefined ? "" : `: ${readable(refusal.words)}`;
    if (status === 401) {
      return new AppError("unauthorized", `${title} rejected the account's credentials. Check ${settings}.`);
    }
    if (command.isOfCall && (status === 404 || refusal.isOver)) {
      return new AppError("not_found", `${title} no longer has this call; it has ended.`);
    }
    if (status === 429) {
      const retryAfterSecs = secondsOf(headers["retry-after"], network.clock.wallMs());
      return new AppError("too_many_requests", `${title} is limiting requests right now${words}`, {
        retryAfterSecs,
      });
    }
    if (status >= 400 && status < 500)
      return new AppError("bad_request", `${title} refused the request (${status})${words}`);
    return this.#away(`answered ${status}`, command);
  }

  #away(what: string, command: CarrierCommand, cause?: unknown): AppError {
    const isRepeatable = command.isRepeatable === true;
    // The command may have taken effect: dialing again would ring twice.
    const hint = isRepeatable ? "try again shortly" : "look whether it was done before trying again";
    return new AppError("unavailable", `${this.#options.title} ${what}; ${hint}.`, {
      cause,
      retryable: isRepeatable,
    });
  }
}

/** No connection was made, so no byte of the request was seen. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ESERVFAIL",
  "EREFUSED",
  "ETIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function wasNeverSent(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && NOT_CONNECTED.has(String(cause.code));
}

export function basicAuth(name: string, secret: string): string {
  return `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Reduces words to one line that no terminal or page interprets. */
function readable(words: string): string {
  return words
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_WORDS);
}

/** Parses `Retry-After`: seconds or a date. */
function secondsOf(value: string | string[] | undefined, nowMs: number): number {
  const text = Array.isArray(value) ? value[0] : value;
  if (text === undefined) return DEFAULT_RETRY_AFTER_SECS;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? DEFAULT_RETRY_AFTER_SECS : Math.max(1, Math.ceil((atMs - nowMs) / 1_000));
}
