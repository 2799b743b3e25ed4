import { type Dispatcher, request } from "undici";
import { AppError } from "../errors.ts";
import { asAppError } from "./guarded-request.ts";

/** How long a receiver that has answered may take over the rest of what it says. */
const BODY_WITHIN_MS = 2_000;

export interface GuardedPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For the status; the rest of the answer gets a moment more. */
  readonly timeoutMs: number;
  /** More of the answer than this is not read. */
  readonly keepBytes: number;
}

/**
 * Posts to an address a customer gave and gives the status with the beginning of the answer, however long or slow
 * the rest is. A redirect is an answer like any other. Throws `AppError` deadline_exceeded, blocked_address or
 * unavailable; the cause of unavailable is the network's own error.
 */
export async function guardedPost(
  dispatcher: Dispatcher,
  url: string,
  { headers, body, timeoutMs, keepBytes }: GuardedPost,
): Promise<{ status: number; body: string }> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await request(url, { method: "POST", dispatcher, headers, body, signal: deadline });
    return { status: response.statusCode, body: await beginningOf(response.body, keepBytes) };
  } catch (error) {
    throw asAppError(error, deadline, timeoutMs);
  }
}

async function beginningOf(stream: Dispatcher.ResponseData["body"], keepBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const tooSlow = setTimeout(() => stream.destroy(), BODY_WITHIN_MS);
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= keepBytes) break;
    }
  } catch (error) {
    // The status is the answer; what broke off after it is kept as far as it came.
    if (!(error instanceof Error) || error instanceof AppError) throw error;
  } finally {
    clearTimeout(tooSlow);
    stream.destroy();
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, keepBytes)).replaceAll("\0", "\uFFFD");
}
