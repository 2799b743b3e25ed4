import type { Clock } from "@parley/shared/clock.ts";
import { Agent, type FormData, request } from "undici";
import { DEFAULT_DEADLINES, type VendorDeadlines, Watchdog } from "./deadlines.ts";
import { connectionError, statusError, timeoutError } from "./failures.ts";

/** Connections per vendor; more requests wait, within their first-byte deadline. */
const MAX_CONNECTIONS = 128;
/** Longer than people think about an answer, so that the next clause finds the connection open. */
const KEEP_ALIVE_MS = 60_000;
const OK = 200;

export interface VendorHttpOptions {
  readonly vendor: string;
  readonly clock: Clock;
  readonly deadlines?: VendorDeadlines | undefined;
}

export interface VendorPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | Uint8Array;
  readonly signal: AbortSignal;
}

export interface VendorAnswer {
  /** Lower case, without parameters. */
  readonly contentType: string;
  /** The body as it arrives; must be read or returned, which frees the connection. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Requests to one vendor at an address configured by the operator. Does not follow redirects. */
export class VendorHttp {
  readonly #vendor: string;
  readonly #clock: Clock;
  readonly #deadlines: VendorDeadlines;
  readonly #agent: Agent;

  constructor({ vendor, clock, deadlines = DEFAULT_DEADLINES }: VendorHttpOptions) {
    this.#vendor = vendor;
    this.#clock = clock;
    this.#deadlines = deadlines;
    this.#agent = new Agent({
      connect: { timeout: deadlines.connectMs },
      connections: MAX_CONNECTIONS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // This class has finer deadlines of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Throws `SpeechError` for any status but 200, here and while the body is read. Also throws on an aborted `signal`.
   */
  async post(url: string, { headers, body, signal }: VendorPost): Promise<VendorAnswer> {
    const exchange = new AbortController();
    const abort = (): void => exchange.abort();
    const watchdog = new Watchdog(this.#clock, (afterMs) =>
      exchange.abort(timeoutError(this.#vendor, "nothing came", afterMs)),
    );
    const release = (): void => {
      watchdog.stop();
      signal.removeEventListener("abort", abort);
    };
    const finish = (): void => {
      release();
      exchange.abort();
    };
    if (signal.aborted) exchange.abort();
    signal.addEventListener("abort", abort, { once: true });
    watchdog.expectWithin(this.#deadlines.firstByteMs);
    try {
      const answer = await request(url, {
        method: "POST",
        headers,
        body,
        signal: exchange.signal,
        dispatcher: this.#agent,
      });
      if (answer.statusCode !== OK) {
        answer.body.on("error", () => undefined).destroy();
        throw statusError(this.#vendor, answer.statusCode);
      }
      const chunks = this.#read(answer.body, watchdog, { release, finish });
      return { contentType: mediaTypeOf(answer.headers["content-type"]), chunks };
    } catch (error) {
      finish();
      throw connectionError(this.#vendor, error);
    }
  }

  /** Waits for requests in flight. */
  close(): Promise<void> {
    return this.#agent.close();
  }

  async *#read(
    body: AsyncIterable<Uint8Array>,
    watchdog: Watchdog,
    { release, finish }: { release: () => void; finish: () => void },
  ): AsyncGenerator<Uint8Array> {
    let isRead = false;
    try {
      for await (const chunk of body) {
        watchdog.stop();
        yield chunk;
        // Only the vendor's time counts, not the reader's.
        watchdog.expectWithin(this.#deadlines.idleMs);
      }
      isRead = true;
    } catch (error) {
      throw connectionError(this.#vendor, error);
    } finally {
      // A body read to its end needs no abort, which is expensive.
      if (isRead) release();
      else finish();
    }
  }
}

function mediaTypeOf(header: string | string[] | undefined): string {
  const [first = ""] = [header ?? ""].flat();
  return (first.split(";")[0] ?? "").trim().toLowerCase();
}
