import {
  DOCUMENT_MAX_BYTES,
  DOCUMENT_TYPES,
  type DocumentFormat,
} from "@parley/shared/contracts/knowledge.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Dispatchers } from "@parley/shared/net/egress.ts";
import { guardedFetch } from "@parley/shared/net/guarded-fetch.ts";
import { GonePage, UnreadableDocument } from "./document.ts";

export interface FetchedPage {
  /** The address after redirects. */
  readonly url: string;
  readonly format: DocumentFormat;
  readonly bytes: Uint8Array;
}

export interface PageRequest {
  readonly dispatchers: Dispatchers;
  readonly orgId: string;
  readonly signal: AbortSignal;
  /** Called before each request, including redirects; rejects when the address must not be read. */
  readonly allows?: (url: URL) => Promise<void>;
}

const MAX_MS = 20_000;
const MAX_REDIRECTS = 5;
const ACCEPTED = "text/html, text/markdown, text/plain, application/pdf;q=0.8";
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Permanent refusals; other statuses may be temporary. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 403, 405, 406, 414, 415, 451]);
const GONE: ReadonlySet<number> = new Set([404, 410]);

/**
 * Fetches a page through at most five redirects, each checked like the first address. Throws `UnreadableDocument` when
 * a retry is useless, else a network error.
 */
export async function fetchPage(url: string, request: PageRequest): Promise<FetchedPage> {
  try {
    return await pageOf(await fetchAnswer(url, request));
  } catch (error) {
    const isFinal =
      error instanceof AppError &&
      ["bad_request", "blocked_address", "response_too_large"].includes(error.code);
    throw isFinal ? new UnreadableDocument(error.message, { cause: error }) : error;
  }
}

interface Answer {
  readonly answer: Response;
  readonly url: string;
}

/** The response after redirects. The caller must read or cancel its body. */
export async function fetchAnswer(first: string, request: PageRequest): Promise<Answer> {
  const { dispatchers, orgId, signal, allows } = request;
  const get = guardedFetch({
    dispatcher: () => dispatchers.of(orgId),
    maxResponseBytes: DOCUMENT_MAX_BYTES,
    signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]),
  });
  let url = new URL(first);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    await allows?.(url);
    const answer = await get(url, { headers: { accept: ACCEPTED, "user-agent": "Parley" } });
    const location = answer.headers.get("location");
    if (!REDIRECTS.has(answer.status) || location === null) return { answer, url: url.href };
    await answer.body?.cancel();
    url = targetOf(location, url);
  }
  throw new UnreadableDocument(
    `The address redirects more than ${MAX_REDIRECTS} times. Enter the last address.`,
  );
}

function targetOf(location: string, from: URL): URL {
  try {
    return new URL(location, from);
  } catch (error) {
    throw new UnreadableDocument("The address redirects to an invalid one.", { cause: error });
  }
}

async function pageOf({ answer, url }: Answer): Promise<FetchedPage> {
  const { status } = answer;
  if (!answer.ok) {
    await answer.body?.cancel();
    const what = `The server of the address returned ${status}.`;
    const advice = `${what} Check that it opens without signing in.`;
    if (GONE.has(status)) throw new GonePage(advice);
    if (FINAL.has(status)) throw new UnreadableDocument(advice);
    throw new AppError("vendor_failed", what);
  }
  const type =
    (answer.headers.get("content-type") ?? "text/html").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const format = formatOf(type);
  if (format === undefined) {
    await answer.body?.cancel();
    throw new UnreadableDocument(
      `The address is of type ${type}, which cannot be read. Enter the address of a page.`,
    );
  }
  return { url, format, bytes: new Uint8Array(await answer.arrayBuffer()) };
}

/** The format of a media type; undefined if it cannot be read. */
export function formatOf(type: string): DocumentFormat | undefined {
  if (type === "application/xhtml+xml") return "html";
  return Object.hasOwn(DOCUMENT_TYPES, type)
    ? DOCUMENT_TYPES[type as keyof typeof DOCUMENT_TYPES]
    : undefined;
}
