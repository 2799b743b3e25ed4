import { AppError } from "@parley/shared/errors.ts";
import type { Dispatchers } from "@parley/shared/net/egress.ts";
import { guardedRequest } from "@parley/shared/net/guarded-request.ts";
import { parseUrl } from "@parley/shared/urls.ts";
import { type GraphRefusal, refusalIn } from "./graph-refusal.ts";
import type { Meaning } from "./meaning.ts";

const VERSION = "v26.0";
const TIMEOUT_MS = 15_000;
const MEDIA_TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 2 * 1_048_576;
const FIRST_ERROR_STATUS = 300;
const FIRST_SERVER_STATUS = 500;

/** A refusal by the Graph API; the message says what to do about it. */
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

/** How one Meta product uses the Graph API. */
export interface GraphProduct {
  /** Key of the product in `INTEGRATION_URLS`. */
  readonly id: "whatsapp" | "instagram";
  readonly name: string;
  readonly url: string;
  /** Whether media may be fetched from this address; `sendsToken` says whether the token is sent along. */
  readonly isMediaUrl: (address: URL) => boolean;
  readonly sendsToken: boolean;
  readonly meaningOf: (refusal: GraphRefusal) => Meaning;
}

export interface GraphReach {
  readonly dispatchers: Dispatchers;
  /** Replaces a product's own address, including its media, for development. */
  readonly vendorUrls: Readonly<Record<string, string | undefined>>;
}

interface GraphAccount {
  readonly orgId: string;
  readonly token: string;
  readonly product: GraphProduct;
}

/** Downloaded media. */
export interface PulledMedia {
  readonly bytes: Buffer;
  /** As the media server declares it. */
  readonly mimeType: string | undefined;
}

interface GraphRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Without the version. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Instead of a body: fields and a file. */
  readonly form?: FormData;
  readonly signal?: AbortSignal | undefined;
}

/** The Graph API with one access token. */
export class GraphApi {
  readonly #account: GraphAccount;
  readonly #reach: GraphReach;

  constructor(account: GraphAccount, reach: GraphReach) {
    this.#account = account;
    this.#reach = reach;
  }

  /** Throws `GraphError`, and as `guardedRequest` does: then the request may have taken effect. */
  async ask({ method, path, query = {}, body, form, signal }: GraphRequest): Promise<unknown> {
    const { orgId, token, product } = this.#account;
    const url = new URL(`/${VERSION}/${path}`, this.#instead ?? product.url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const content = await contentOf(body, form);
    const answer = await guardedRequest(this.#reach.dispatchers.of(orgId), url.href, {
      method,
      headers: { authorization: `Bearer ${token}`, ...content?.headers },
      ...(content === undefined ? {} : { body: content.body }),
      ...(signal === undefined ? {} : { signal }),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_ANSWER_BYTES,
    });
    const json = jsonIn(answer.body);
    const refusal = refusalIn(answer.status, json);
    if (refusal) throw new GraphError(refusal.code, product.meaningOf(refusal));
    if (answer.status < FIRST_ERROR_STATUS && json !== undefined) return json;
    throw this.#unreadable(answer.status);
  }

  /** Downloads media from an address the API returned. Throws as `ask`, and blocked_address for a foreign address. */
  async download(address: string, maxBytes: number, signal?: AbortSignal): Promise<PulledMedia> {
    const { orgId, token, product } = this.#account;
    const url = parseUrl(address);
    const instead = this.#instead;
    const isMedia =
      url !== undefined &&
      (instead === undefined ? product.isMediaUrl(url) : url.origin === new URL(instead).origin);
    if (!isMedia)
      throw new AppError("blocked_address", `The media are not at an address of ${product.name}.`);
    const answer = await guardedRequest(this.#reach.dispatchers.of(orgId), address, {
      method: "GET",
      headers: product.sendsToken ? { authorization: `Bearer ${token}` } : {},
      ...(signal === undefined ? {} : { signal }),
      timeoutMs: MEDIA_TIMEOUT_MS,
      maxResponseBytes: maxBytes,
    });
    const type = answer.headers["content-type"];
    if (answer.status < FIRST_ERROR_STATUS)
      return { bytes: answer.body, mimeType: typeof type === "string" ? type : undefined };
    throw this.#unreadable(answer.status);
  }

  get #instead(): string | undefined {
    return this.#reach.vendorUrls[this.#account.product.id];
  }

  #unreadable(status: number): AppError {
    const code = status >= FIRST_SERVER_STATUS ? "vendor_failed" : "vendor_rejected";
    const { name } = this.#account.product;
    return new AppError(code, `${name} sent an invalid response (status ${status}).`);
  }
}

interface Content {
  readonly body: Uint8Array | string;
  readonly headers: Readonly<Record<string, string>>;
}

async function contentOf(body: object | undefined, form: FormData | undefined): Promise<Content | undefined> {
  if (body !== undefined)
    return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  if (form === undefined) return undefined;
  const encoded = new Response(form);
  const headers = { "content-type": encoded.headers.get("content-type") ?? "" };
  return { body: new Uint8Array(await encoded.arrayBuffer()), headers };
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
