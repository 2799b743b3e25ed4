import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Dispatcher } from "@parley/shared/net/dispatchers.ts";
import { type GuardedResponse, guardedRequest } from "@parley/shared/net/guarded-request.ts";

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_WORDS = 300;
const DEFAULT_RETRY_AFTER_SECS = 1;

/** How a carrier is reached. */
export interface CarrierNetwork {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Asked again for each request. */
  readonly dispatcher: () => Dispatcher;
  readonly clock: Clock;
  /** For one whole exchange. */
  readonly timeoutMs?: number | undefined;
}

export interface CarrierApiOptions {
  readonly network: CarrierNetwork;
  /** As people write it. */
  readonly title: string;
  /** The settings its credentials are in. */
  readonly settings: string;
  /** The value of `Authorization`. */
  readonly authorize: () => string;
  readonly readRefusal: (body: unknown) => Refusal;
}

/** What a carrier says when it refuses. */
export interface Refusal {
  readonly words: string | undefined;
  /** It refuses because the call is over. */
  readonly isOver?: boolean;
}

export interface CarrierCommand {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly form?: URLSearchParams;
  readonly json?: object;
  /** It is about a call that exists: a 404 says that it is over. */
  readonly isOfCall?: true;
  /** Sending it twice does what sending it once does. */
  readonly isRepeatable?: true;
}

/** A carrier's REST API: one request each, never tried again here, with its failures as errors of the port. */
export class CarrierApi {
  readonly #options: CarrierApiOptions;

  constructor(options: CarrierApiOptions) {
    this.#options = options;
  }

  /** The JSON that was answered, undefined when it was none. Throws `AppError` as the port has it. */
  async send(command: CarrierCommand): Promise<unknown> {
    const response = await this.#exchange(command);
    const body = parseJson(response.body);
    if (response.status >= 200 && response.status < 300) return body;
    throw this.#failure(command, response, body);
  }

  /** For an answer that lacks what it has to have. */
  unreadable(): AppError {
    return new AppError("unavailable", `${this.#options.title} answered something that cannot be read.`, {
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
        const message = `${this.#options.title} cannot be reached, and was asked for nothing; try again shortly.`;
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
      return new AppError(
        "unauthorized",
        `${title} does not take the account's credentials; check ${settings}.`,
      );
    }
    if (command.isOfCall && (status === 404 || refusal.isOver)) {
      return new AppError("not_found", `${title} has no such call any more; it is over.`);
    }
    if (status === 429) {
      const retryAfterSecs = secondsOf(headers["retry-after"], network.clock.wallMs());
      return new AppError("too_many_requests", `${title} takes no more requests at the moment${words}`, {
        retryAfterSecs,
      });
    }
    if (status >= 400 && status < 500)
      return new AppError("bad_request", `${title} refuses it (${status})${words}`);
    return this.#away(`answered ${status}`, command);
  }

  #away(what: string, command: CarrierCommand, cause?: unknown): AppError {
    const isRepeatable = command.isRepeatable === true;
    // What was asked for may have been done all the same: a call that is dialed twice rings twice.
    const hint = isRepeatable ? "try again shortly" : "look whether it was done before trying again";
    return new AppError("unavailable", `${this.#options.title} ${what}; ${hint}.`, {
      cause,
      retryable: isRepeatable,
    });
  }
}

/** No connection was made: of the request nobody has seen a byte. */
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

/** One line, without what a terminal or a page would act upon. */
function readable(words: string): string {
  return words
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_WORDS);
}

/** `Retry-After`: seconds or a date. */
function secondsOf(value: string | string[] | undefined, nowMs: number): number {
  const text = Array.isArray(value) ? value[0] : value;
  if (text === undefined) return DEFAULT_RETRY_AFTER_SECS;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? DEFAULT_RETRY_AFTER_SECS : Math.max(1, Math.ceil((atMs - nowMs) / 1_000));
}
