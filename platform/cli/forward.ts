import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { ClaimedDelivery, LocalAnswer } from "./api-client.ts";

/** Matches how long Parley itself waits for a receiver. */
const RECEIVER_TIME_MS = 30_000;
const KEPT_BYTES = 4_096;
const BODY_WITHIN_MS = 2_000;
const MAX_REASON_CHARS = 300;

/**
 * Posts a delivery exactly as Parley would: same bytes and headers, no redirects followed. Returns the
 * outcome; throws only the reason `signal` was aborted with.
 */
export async function forward(
  url: URL,
  { headers, body }: Pick<ClaimedDelivery, "headers" | "body">,
  signal: AbortSignal,
): Promise<LocalAnswer> {
  const startedMs = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - startedMs);
  const deadline = AbortSignal.timeout(RECEIVER_TIME_MS);
  try {
    const response = await post(url, { headers, body, signal: AbortSignal.any([signal, deadline]) });
    const durationMs = elapsedMs();
    return { status: response.statusCode ?? 0, body: await beginningOf(response), durationMs };
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = deadline.aborted ? "no answer within 30 s" : reasonOf(error, url);
    return { error: reason.slice(0, MAX_REASON_CHARS), durationMs: elapsedMs() };
  }
}

function post(
  url: URL,
  { headers, body, signal }: Pick<ClaimedDelivery, "headers" | "body"> & { signal: AbortSignal },
): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    // Uses a new connection each time: a server restarted meanwhile would have closed a kept one.
    const outgoing = request(url, { method: "POST", headers, agent: false, signal }, resolve);
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const tooSlow = setTimeout(() => response.destroy(), BODY_WITHIN_MS);
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= KEPT_BYTES) break;
    }
  } catch (error) {
    // The status is the answer; a body cut off after it is kept as far as it arrived.
    if (!(error instanceof Error)) throw error;
  } finally {
    clearTimeout(tooSlow);
    response.destroy();
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, KEPT_BYTES));
  // Parley accepts neither NUL nor its JSON escape.
  return text.replaceAll("\0", "\uFFFD").replaceAll("\\u0000", "\uFFFD");
}

function reasonOf(error: unknown, { origin }: URL): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  if (code === "ECONNREFUSED") return `nobody listens at ${origin}`;
  if (code === "ENOTFOUND") return `the host of ${origin} was not found`;
  if (typeof code === "string") return `${origin} could not be reached (${code})`;
  return `${origin} could not be reached`;
}
