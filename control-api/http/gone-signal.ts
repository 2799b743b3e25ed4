import type { FastifyReply } from "fastify";

/**
 * Aborts when the client disconnects; at once if it did so before, as while its access was checked. A listener that is
 * added then would never hear of it.
 */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  else raw.once("close", () => gone.abort());
  return gone.signal;
}
