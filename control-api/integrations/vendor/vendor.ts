import type { GuardedSocket } from "@parley/shared/net/sockets.ts";

/** What went wrong at a vendor, as whoever asked can act upon it. */
export type VendorProblem =
  /** The credentials are not taken. */
  | "unauthorized"
  /** They are, and do not allow this. */
  | "denied"
  | "not_found"
  | "rate_limited"
  /** It was asked for something that it does not take. */
  | "rejected"
  /** It cannot be reached, or is left alone for a while after failures. */
  | "unreachable"
  /** It answered that something is wrong at its side, or something that cannot be read. */
  | "failed"
  | "timed_out";

/** What a refusal means. */
export interface VendorRefusal {
  readonly problem: VendorProblem;
  /** The vendor's own words. */
  readonly words?: string | undefined;
}

/** A vendor did not do what it was asked for. The message is for people, and holds no secret. */
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
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent without the connection's credentials. */
  readonly isAnonymous?: true;
  /** A 404 is an answer: nothing was found. */
  readonly mayBeMissing?: true;
  /** Refusals that are answers: whoever asks knows what to make of these statuses. */
  readonly alsoAnswers?: readonly number[];
  /** Whatever it is, the answer is given as text where it is not JSON. */
  readonly isAnyContent?: true;
}

export interface VendorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON; undefined when there was no content. */
  readonly body: unknown;
}

/** A conversation in a protocol of the vendor's own. */
export interface VendorSession {
  /** Not connected yet; closed when the work is done. */
  readonly socket: GuardedSocket;
  /** Milliseconds that are left for all of it. */
  readonly leftMs: number;
  /** What is not encrypted is to be refused. */
  readonly isTlsRequired: boolean;
}

/** The way to a vendor: guarded, with a deadline, counted, and left alone while it fails. */
export interface Vendor {
  /** One exchange. Throws `VendorError`, and the signal's reason when whoever asked has gone. */
  send(request: VendorRequest): Promise<VendorAnswer>;
  /** One conversation over a socket, with what `work` makes of it. Throws as `send`. */
  converse<T>(
    to: { readonly host: string; readonly port: number },
    work: (session: VendorSession) => Promise<T>,
  ): Promise<T>;
}
