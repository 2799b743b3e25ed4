import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Clock } from "@parley/shared/clock.ts";
import fp from "fastify-plugin";

const MAX_DISCARDED_BYTES = 128 * 1024 * 1024;
const MAX_LINGER_MS = 15_000;
/** Per process: more would only hold sockets that others could use. */
const MAX_LINGERING = 256;

export interface LingeringOptions {
  readonly clock: Clock;
  /** Defaults to 128 MiB. */
  readonly maxBytes?: number;
  /** Defaults to 15 s. */
  readonly maxMs?: number;
  /** Defaults to 256 connections. */
  readonly maxLingering?: number;
}

/**
 * Sends a refusal at once even if the body has not arrived, then keeps the connection open and discards the rest. If
 * closed right away, the kernel would answer the incoming data with a reset, and most clients would report a broken
 * connection instead of the 413 (RFC 9112, section 9.6). Bounded in bytes, time and number: beyond that, the connection
 * that has lingered longest is cut.
 */
export const lingeringPlugin = fp<LingeringOptions>(async (app, options) => {
  const closing = new AbortController();
  const { maxLingering = MAX_LINGERING } = options;
  /** Each entry cuts one connection; oldest first. */
  const lingering = new Set<() => void>();
  app.addHook("preClose", async () => closing.abort());
  app.addHook("onSend", async ({ raw }, reply, payload) => {
    if (reply.statusCode < 400 || raw.complete || typeof payload !== "string") return payload;
    reply.header("connection", "close").header("content-length", Buffer.byteLength(payload));
    const linger = async (): Promise<void> => {
      const own = new AbortController();
      const cut = (): void => own.abort();
      const [oldest] = lingering;
      if (lingering.size >= maxLingering) oldest?.();
      lingering.add(cut);
      await discardRest(raw, { ...options, signal: AbortSignal.any([closing.signal, own.signal]) });
      lingering.delete(cut);
    };
    return Readable.from(thenDiscard(payload, linger));
  });
});

/** Ends the response, and thereby the connection, when the request ends. */
async function* thenDiscard(payload: string, discard: () => Promise<void>): AsyncGenerator<string> {
  yield payload;
  await discard();
}

function discardRest(
  request: IncomingMessage,
  {
    clock,
    signal,
    maxBytes = MAX_DISCARDED_BYTES,
    maxMs = MAX_LINGER_MS,
  }: LingeringOptions & { readonly signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const stop = (): void => {
      cancelTimer();
      request.off("data", count).off("end", stop).off("close", stop);
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) stop();
    };
    const cancelTimer = clock.after(maxMs, stop);
    signal.addEventListener("abort", stop);
    request.on("data", count).once("end", stop).once("close", stop).resume();
    if (request.complete || request.destroyed || signal.aborted) stop();
  });
}
