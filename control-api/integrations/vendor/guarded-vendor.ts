import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Dispatchers } from "@parley/shared/net/dispatchers.ts";
import { type GuardedResponse, guardedRequest } from "@parley/shared/net/guarded-request.ts";
import type { Sockets } from "@parley/shared/net/sockets.ts";
import { parseUrl } from "@parley/shared/urls.ts";
import type { AuthorizedHeaders } from "../connector.ts";
import { vendorAddress } from "./address.ts";
import { isPage, problemOf, readable, retryAfterOf, wordsOf } from "./answers.ts";
import type { VendorCircuits } from "./circuits.ts";
import type { TokenSource } from "./token-source.ts";
import {
  type Vendor,
  type VendorAnswer,
  VendorError,
  type VendorRefusal,
  type VendorRequest,
  type VendorSession,
} from "./vendor.ts";

const MAX_ANSWER_BYTES = 512 * 1024;
/** The longest pause a caller can bear; a longer one is an error that says so. */
const LONGEST_WAIT_MS = 2_000;

export interface VendorNetwork {
  readonly dispatchers: Dispatchers;
  readonly sockets: Sockets;
  readonly circuits: VendorCircuits;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "integrationRequestsTotal" | "integrationRequestSeconds">;
  /** Addresses of fakes that replace vendors in development and tests. */
  readonly vendorUrls: Readonly<Record<string, string>>;
}

export interface VendorReach {
  readonly orgId: string;
  readonly connector: {
    readonly id: string;
    readonly name: string;
    readonly authorized: AuthorizedHeaders;
    readonly refusalOf?: ((answer: VendorAnswer) => VendorRefusal | undefined) | undefined;
  };
  readonly credentials: Readonly<Record<string, string>>;
  readonly tokens: TokenSource | undefined;
  readonly signal: AbortSignal;
  /** On the clock's `monotonicMs` scale. */
  readonly deadlineAtMs: number;
}

/** The path to a vendor for one verification or action. */
export class GuardedVendor implements Vendor {
  readonly #reach: VendorReach;
  readonly #network: VendorNetwork;

  constructor(reach: VendorReach, network: VendorNetwork) {
    this.#reach = reach;
    this.#network = network;
  }

  async send(request: VendorRequest): Promise<VendorAnswer> {
    const { tokens } = this.#reach;
    const token = request.isAnonymous ? undefined : await tokens?.token();
    try {
      return await this.#sendPatiently(request, token);
    } catch (error) {
      const isRefused = error instanceof VendorError && error.problem === "unauthorized";
      if (!isRefused || tokens === undefined || token === undefined) throw error;
      // Safe to repeat: an unauthorized request does nothing.
      return this.#sendPatiently(request, await tokens.renewed(token));
    }
  }

  /** Waits once if a vendor asks for a short pause. */
  async #sendPatiently(request: VendorRequest, token: string | undefined): Promise<VendorAnswer> {
    try {
      return await this.#exchange(request, token);
    } catch (error) {
      if (!(error instanceof VendorError) || error.problem !== "rate_limited") throw error;
      const { orgId, connector } = this.#reach;
      const { circuits, clock } = this.#network;
      const waitMs = (error.retryAfterSecs ?? 0) * 1_000;
      const leftMs = this.#reach.deadlineAtMs - clock.monotonicMs();
      if (waitMs > LONGEST_WAIT_MS || waitMs >= leftMs / 2) {
        circuits.pause(orgId, circuitOf(connector.id, request.url), error.retryAfterSecs ?? 1);
        throw error;
      }
      await pause(waitMs, this.#reach.signal, clock);
      return this.#exchange(request, token);
    }
  }

  #exchange(request: VendorRequest, token: string | undefined): Promise<VendorAnswer> {
    const circuit = circuitOf(this.#reach.connector.id, request.url);
    return this.#counted(circuit, async () => this.#read(request, await this.#request(request, token)));
  }

  async converse<T>(
    { host, port }: { readonly host: string; readonly port: number },
    work: (session: VendorSession) => Promise<T>,
  ): Promise<T> {
    const { orgId, connector, signal } = this.#reach;
    const { sockets } = this.#network;
    return this.#counted(`${connector.id}\n${host}:${port}`, async () => {
      const leftMs = this.#leftMs();
      const socket = sockets.open(orgId, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(leftMs)]),
        maxReadBytes: MAX_ANSWER_BYTES,
      });
      try {
        const result = await work({ socket, leftMs, isTlsRequired: sockets.isTlsRequired });
        socket.release();
        return result;
      } catch (error) {
        socket.destroy();
        signal.throwIfAborted();
        if (error instanceof VendorError && socket.failure === undefined) throw error;
        throw failedExchange(socket.failure ?? error, connector.name);
      }
    });
  }

  async #counted<T>(circuit: string, exchange: () => Promise<T>): Promise<T> {
    const { orgId, connector } = this.#reach;
    const { circuits, metrics, clock } = this.#network;
    this.#assertOpen(circuit);
    const startMs = clock.monotonicMs();
    const count = (outcome: string) => {
      metrics.integrationRequestsTotal.inc({ provider: connector.id, outcome });
      metrics.integrationRequestSeconds.observe(
        { provider: connector.id },
        (clock.monotonicMs() - startMs) / 1_000,
      );
    };
    try {
      const answer = await exchange();
      circuits.answered(orgId, circuit);
      count("answered");
      return answer;
    } catch (error) {
      if (!(error instanceof VendorError)) {
        count("aborted");
        throw error;
      }
      const isDown = ["unreachable", "timed_out", "failed"].includes(error.problem);
      if (isDown) circuits.failed(orgId, circuit);
      else circuits.answered(orgId, circuit);
      count(error.problem);
      throw error;
    }
  }

  #leftMs(): number {
    const leftMs = Math.ceil(this.#reach.deadlineAtMs - this.#network.clock.monotonicMs());
    if (leftMs > 0) return leftMs;
    throw new VendorError("timed_out", `${this.#reach.connector.name} did not answer in time.`);
  }

  #assertOpen(circuit: string): void {
    const { orgId, connector } = this.#reach;
    const { circuits } = this.#network;
    const pauseSecs = circuits.pauseSecs(orgId, circuit);
    if (pauseSecs > 0) {
      const message = `${connector.name} accepts no more requests for ${pauseSecs} s.`;
      throw new VendorError("rate_limited", message, { retryAfterSecs: pauseSecs });
    }
    if (!circuits.admits(orgId, circuit)) {
      throw new VendorError(
        "unreachable",
        `${connector.name} failed several times in a row; it is tried again shortly.`,
      );
    }
  }

  async #request(request: VendorRequest, token: string | undefined): Promise<GuardedResponse> {
    const { connector, orgId, credentials, signal } = this.#reach;
    const { dispatchers, vendorUrls } = this.#network;
    const timeoutMs = this.#leftMs();
    const { method = "GET", json, form, isAnonymous } = request;
    const body = contentOf(request);
    try {
      return await guardedRequest(dispatchers.of(orgId), addressOf(request, vendorUrls[connector.id]), {
        method,
        headers: {
          accept: "application/json",
          "user-agent": "Parley",
          ...(form ? { "content-type": "application/x-www-form-urlencoded" } : {}),
          ...(json === undefined ? {} : { "content-type": "application/json" }),
          ...(isAnonymous ? {} : connector.authorized(credentials, token)),
          ...request.headers,
        },
        ...(body === undefined ? {} : { body }),
        signal,
        timeoutMs,
        maxResponseBytes: MAX_ANSWER_BYTES,
      });
    } catch (error) {
      signal.throwIfAborted();
      throw failedExchange(error, connector.name);
    }
  }

  #read(request: VendorRequest, { status, headers, body }: GuardedResponse): VendorAnswer {
    const { connector } = this.#reach;
    const parsed = parse(body);
    const answer = { status, headers, body: parsed?.value };
    const isNamed = request.alsoAnswers?.includes(status) || (request.mayBeMissing && status === 404);
    const isAnswer = isNamed && parsed !== undefined;
    const refusal = isAnswer ? undefined : connector.refusalOf?.(answer);
    if (refusal) throw this.#refusal(refusal, answer);
    if (isAnswer) return answer;
    if (status >= 300 && status < 400) {
      throw new VendorError(
        "failed",
        `${connector.name} redirects elsewhere (${status}); check the address of the connection.`,
      );
    }
    const isOk = status >= 200 && status < 300;
    if (parsed === undefined && request.isAnyContent && isOk)
      return { ...answer, body: body.toString("utf8") };
    if (parsed === undefined && (isOk || status === 404))
      throw unreadable(connector.name, isPage(headers["content-type"], body));
    if (isOk) return answer;
    throw this.#refusal({ problem: problemOf(status), words: wordsOf(answer.body) }, answer);
  }

  #refusal({ problem, words }: VendorRefusal, answer: VendorAnswer): VendorError {
    const { name } = this.#reach.connector;
    const said = words === undefined ? undefined : readable(words);
    const because = said === undefined ? "." : `: ${said}`;
    if (problem === "rate_limited") {
      const retryAfterSecs = retryAfterOf(answer, this.#network.clock.wallMs());
      return new VendorError(problem, `${name} is limiting requests right now${because}`, {
        retryAfterSecs,
      });
    }
    return new VendorError(problem, `${SENTENCES[problem](name, answer.status)}${because}`);
  }
}

const SENTENCES: Readonly<
  Record<Exclude<VendorRefusal["problem"], "rate_limited">, (name: string, status: number) => string>
> = {
  unauthorized: (name) => `${name} does not accept the credentials`,
  denied: (name) => `${name} does not allow this with these credentials`,
  not_found: (name) => `${name} has no such thing`,
  rejected: (name, status) => `${name} refused the request (${status})`,
  failed: (name, status) => `${name} failed (${status})`,
  unreachable: (name) => `${name} cannot be reached`,
  timed_out: (name) => `${name} did not answer in time`,
};

/** Counts failures per host: one customer's shop may be down while others are not. */
function circuitOf(connectorId: string, url: string): string {
  return `${connectorId}\n${parseUrl(url)?.host ?? ""}`;
}

function addressOf({ url, query }: VendorRequest, instead: string | undefined): string {
  const address = new URL(url);
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined) address.searchParams.append(key, String(value));
  }
  return vendorAddress(address.href, instead);
}

function contentOf({ form, json }: VendorRequest): string | undefined {
  if (form) return new URLSearchParams(form).toString();
  return json === undefined ? undefined : JSON.stringify(json);
}

function parse(body: Buffer): { value: unknown } | undefined {
  const text = body.toString("utf8");
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function unreadable(name: string, isHtml: boolean): VendorError {
  const message = isHtml
    ? `${name} answered with a web page instead of data; check the address of the connection.`
    : `${name} sent an invalid response.`;
  return new VendorError("failed", message);
}

function failedExchange(error: unknown, name: string): VendorError {
  const code = error instanceof AppError ? error.code : "unavailable";
  const cause = { cause: error };
  if (code === "deadline_exceeded")
    return new VendorError("timed_out", `${name} did not answer in time.`, cause);
  if (code === "response_too_large")
    return new VendorError("failed", `${name} answered more than can be read.`, cause);
  if (code === "blocked_address")
    return new VendorError(
      "rejected",
      `The address of ${name} is a private one, which is not allowed.`,
      cause,
    );
  return new VendorError("unreachable", `${name} cannot be reached.`, cause);
}

function pause(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    });
    signal.addEventListener("abort", giveUp, { once: true });
  });
}
