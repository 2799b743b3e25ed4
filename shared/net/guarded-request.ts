import { type Dispatcher, request } from "undici";
import { AppError } from "../errors.ts";

export interface GuardedRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal;
  /** Time limit of the whole exchange. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
}

export interface GuardedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * Sends one request to an address given by a customer, bounded in time and size. A redirect is an ordinary answer.
 * Throws `AppError` deadline_exceeded, response_too_large, blocked_address, or unavailable, or the reason of `signal`
 * if that was aborted.
 */
export async function guardedRequest(
  dispatcher: Dispatcher,
  url: string,
  options: GuardedRequest,
): Promise<GuardedResponse> {
  const { method, headers, body, signal, timeoutMs, maxResponseBytes } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await request(url, {
      method,
      dispatcher,
      headers: headers ?? {},
      body: body ?? null,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > maxResponseBytes) {
        throw new AppError("response_too_large", `The answer is larger than ${maxResponseBytes} bytes.`);
      }
      chunks.push(chunk);
    }
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
  } catch (error) {
    signal?.throwIfAborted();
    throw asAppError(error, deadline, timeoutMs);
  }
}

/** Converts a failed exchange to an `AppError`: `deadline` tells whether its time was up. */
export function asAppError(
  error: unknown,
  deadline: Pick<AbortSignal, "aborted">,
  timeoutMs: number,
): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.cause instanceof AppError) return error.cause;
  if (deadline.aborted) {
    return new AppError("deadline_exceeded", `There was no full answer within ${timeoutMs} ms.`, {
      cause: error,
    });
  }
  return new AppError("unavailable", "The address cannot be reached.", { cause: error });
}
