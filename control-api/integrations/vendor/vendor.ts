import type { GuardedSocket } from "@parley/shared/net/sockets.ts";

/** What went wrong at a vendor, in terms the requester can act on. */
export type VendorProblem =
  /** The credentials are invalid. */
  | "unauthorized"
  /** The credentials are valid, but do not allow this. */
  | "denied"
  | "not_found"
  | "rate_limited"
  /** The vendor does not accept the request. */
  | "rejected"
  /** The vendor is unreachable, or left alone for a while after failures. */
  | "unreachable"
  /** The vendor reported a fault of its own, or its answer cannot be read. */
  | "failed"
  | "timed_out";

/** The meaning of a refusal. */
export interface VendorRefusal {
  readonly problem: VendorProblem;
  /** The vendor's own words. */
  readonly words?: string | undefined;
}

/** A vendor did not do what was asked. The message is for people, and holds no secret. */
export class VendorError extends Error {
  readonly problem: VendorProblem;
  readonly retryAfterSecs: number | undefined;

  constructor(
    problem: VendorProblem,
    message: string,
    options: { retryAfterSecs?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "VendorError";
    this.problem = problem;
    this.retryAfterSecs = options.retryAfterSecs;
  }
}

export interface VendorRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  /** Undefined values are omitted. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent without the connection's credentials. */
  readonly isAnonymous?: true;
  /** Treats 404 as an answer: nothing was found. */
  readonly mayBeMissing?: true;
  /** Error statuses to return as answers, for requesters that handle them. */
  readonly alsoAnswers?: readonly number[];
  /** Accepts any content: what is not JSON is returned as text. */
  readonly isAnyContent?: true;
}

export interface VendorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON; undefined without content. */
  readonly body: unknown;
}

/** A session in the vendor's own protocol. */
export interface VendorSession {
  /** Not connected yet; closed when the work is done. */
  readonly socket: GuardedSocket;
  /** Milliseconds left for the whole session. */
  readonly leftMs: number;
  /** Whether unencrypted connections must be refused. */
  readonly isTlsRequired: boolean;
}

/** The path to a vendor: guarded, with a deadline, counted, and paused while the vendor fails. */
export interface Vendor {
  /** One exchange. Throws `VendorError`, and the signal's reason when the requester is gone. */
  send(request: VendorRequest): Promise<VendorAnswer>;
  /** One session over a socket, with the result of `work`. Throws as `send`. */
  converse<T>(
    to: { readonly host: string; readonly port: number },
    work: (session: VendorSession) => Promise<T>,
  ): Promise<T>;
}
