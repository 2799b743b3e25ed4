import { AppError } from "@parley/shared/errors.ts";
import type { Dispatchers } from "@parley/shared/net/egress.ts";
import { guardedRequest } from "@parley/shared/net/guarded-request.ts";
import { parseUrl } from "@parley/shared/urls.ts";
import { type Meaning, meaningOf } from "./graph-errors.ts";
import { refusalIn } from "./graph-refusal.ts";

const VERSION = "v26.0";
const GRAPH_URL = "https://graph.facebook.com";
/** Where media are, and nowhere else: the token goes along. */
const MEDIA_ORIGIN = "https://lookaside.fbsbx.com";
const TIMEOUT_MS = 15_000;
const MEDIA_TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 2 * 1_048_576;
const FIRST_ERROR_STATUS = 300;
const FIRST_SERVER_STATUS = 500;

/** The Graph API refused what was asked. Its message says what to do about it. */
export class GraphError extends Error {
  override readonly name = "GraphError";
  readonly meaning: Meaning;
  /** The API's own code. */
  readonly code: number;

  constructor(code: number, meaning: Meaning) {
    super(meaning.words);
    this.code = code;
    this.meaning = meaning;
  }
}

export interface GraphReach {
  readonly dispatchers: Dispatchers;
  /** Where the Graph API is instead of at its own address, for development; media are there, too. */
  readonly url: string | undefined;
}

interface GraphRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Without the version. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
}

/** The Graph API for one access token. */
export class GraphApi {
  readonly #token: string;
  readonly #orgId: string;
  readonly #reach: GraphReach;

  constructor({ orgId, token }: { readonly orgId: string; readonly token: string }, reach: GraphReach) {
    this.#orgId = orgId;
    this.#token = token;
    this.#reach = reach;
  }

  /** Throws `GraphError`, and as `guardedRequest`: after these whether it was done is not known. */
  async ask({ method, path, query = {}, body, signal }: GraphRequest): Promise<unknown> {
    const url = new URL(`/${VERSION}/${path}`, this.#reach.url ?? GRAPH_URL);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const answer = await guardedRequest(this.#reach.dispatchers.of(this.#orgId), url.href, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_ANSWER_BYTES,
    });
    const json = jsonIn(answer.body);
    const refusal = refusalIn(answer.status, json);
    if (refusal) throw new GraphError(refusal.code, meaningOf(refusal));
    if (answer.status < FIRST_ERROR_STATUS && json !== undefined) return json;
    throw unreadable(answer.status);
  }

  /** Bytes of media, from the address that the API gave. Throws as `ask`, and blocked_address for an address elsewhere. */
  async download(address: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
    const origin = new URL(this.#reach.url ?? MEDIA_ORIGIN).origin;
    const isMedia = parseUrl(address)?.origin === origin;
    if (!isMedia) throw new AppError("blocked_address", "The media are not at an address of WhatsApp.");
    const answer = await guardedRequest(this.#reach.dispatchers.of(this.#orgId), address, {
      method: "GET",
      headers: { authorization: `Bearer ${this.#token}` },
      ...(signal === undefined ? {} : { signal }),
      timeoutMs: MEDIA_TIMEOUT_MS,
      maxResponseBytes: maxBytes,
    });
    if (answer.status < FIRST_ERROR_STATUS) return answer.body;
    throw unreadable(answer.status);
  }
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function unreadable(status: number): AppError {
  const code = status >= FIRST_SERVER_STATUS ? "vendor_failed" : "vendor_rejected";
  return new AppError(code, `WhatsApp answered with status ${status} and nothing that can be read.`);
}
