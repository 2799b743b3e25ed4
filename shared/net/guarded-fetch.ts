import { Readable, Transform } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { type Dispatcher, request } from "undici";
import { AppError } from "../errors.ts";

export interface GuardedFetchOptions {
  /** Called for each request: dispatchers must not be kept. */
  readonly dispatcher: () => Dispatcher;
  /** Limit for one answer, however long it streams. */
  readonly maxResponseBytes: number;
  /** Aborts every request made with this `fetch`. */
  readonly signal?: AbortSignal;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Statuses whose answers have no body, by the standard of `Response`. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` for libraries that need one, through a guarded dispatcher. Returns redirects as ordinary answers,
 * regardless of `init`, and requests no compression. Rejects with `AppError` bad_request or blocked_address when the
 * address is refused, else with undici's error; a body that grows too large errors with response_too_large.
 */
export function guardedFetch({ dispatcher, maxResponseBytes, signal }: GuardedFetchOptions): Fetch {
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    const { body } = init;
    if (body instanceof URLSearchParams && !headers.has("content-type")) {
      headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
    }
    const signals = [signal, init.signal].filter((one) => one !== undefined && one !== null);
    const answer = await request(String(url), {
      method: (init.method ?? "GET") as Dispatcher.HttpMethod,
      dispatcher: dispatcher(),
      headers: Object.fromEntries(headers),
      body: textOf(body),
      ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
    }).catch((error: unknown) => {
      throw error instanceof Error && error.cause instanceof AppError ? error.cause : error;
    });
    const { statusCode: status } = answer;
    const hasBody = !WITHOUT_BODY.has(status);
    if (!hasBody) await answer.body.dump();
    return new Response(hasBody ? bounded(answer.body, maxResponseBytes) : null, {
      status,
      headers: headersOf(answer.headers),
    });
  };
}

function textOf(body: RequestInit["body"]): string | null {
  if (body === undefined || body === null) return null;
  if (typeof body === "string" || body instanceof URLSearchParams) return String(body);
  throw new AppError("internal", "A guarded request has a body that is no text.");
}

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}

function bounded(body: Readable, maxBytes: number): BodyInit {
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= maxBytes) done(null, chunk);
      else done(new AppError("response_too_large", `The answer is larger than ${maxBytes} bytes.`));
    },
  });
  body.on("error", (error) => limit.destroy(error));
  limit.on("close", () => body.destroy());
  // A reader gets the error; without a reader, it must not end the process.
  limit.on("error", () => undefined);
  return Readable.toWeb(body.pipe(limit)) as ReadableStream<Uint8Array> as BodyInit;
}
