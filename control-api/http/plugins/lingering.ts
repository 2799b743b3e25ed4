import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Clock } from "@parley/shared/clock.ts";
import fp from "fastify-plugin";

const MAX_DISCARDED_BYTES = 128 * 1024 * 1024;
const MAX_LINGER_MS = 15_000;
/** Of a process. Many more hold nothing but sockets that others could use. */
const MAX_LINGERING = 256;

export interface LingeringOptions {
  readonly clock: Clock;
  /** Instead of 128 MiB. */
  readonly maxBytes?: number;
  /** Instead of 15 s. */
  readonly maxMs?: number;
  /** Instead of 256 connections. */
  readonly maxLingering?: number;
}

/**
 * A refusal that is sent before the body has arrived goes out at once, and the connection stays open until the client has
 * sent the rest, which is discarded. Closed right away, the kernel would answer what is still coming with a reset, and
 * most clients then report a broken connection instead of the 413 (RFC 9112, section 9.6). Bounded in bytes and time, and in
 * how many there are: past that, whoever has lingered longest is cut off.
 */
export const lingeringPlugin = fp<LingeringOptions>(async (app, options) => {
  const closing = new AbortController();
  const { maxLingering = MAX_LINGERING } = options;
  /** Cuts each one off; the oldest is first. */
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

/** The response ends, and its connection with it, when the request has. */
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
