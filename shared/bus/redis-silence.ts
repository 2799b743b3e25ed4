import type { Redis } from "ioredis";
import type { Clock } from "../clock.ts";

interface Link {
  readonly client: Redis;
  heardAtMs: number;
}

interface SilenceWatchDeps {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** A connection that owes a reply for this long is closed as silent. */
  readonly silenceTimeoutMs: number;
}

/**
 * Reopens the connections that fell silent together with one that was closed for it. A connection that owes no reply at
 * that moment shows nothing: a reader between two reads would send its next one into a dead connection, and wait for it.
 */
export class SilenceWatch {
  readonly #deps: SilenceWatchDeps;
  readonly #links = new Set<Link>();

  constructor(deps: SilenceWatchDeps) {
    this.#deps = deps;
  }

  add(client: Redis): void {
    const { clock } = this.#deps;
    const link: Link = { client, heardAtMs: clock.monotonicMs() };
    this.#links.add(link);
    client.on("connect", () => {
      client.stream.on("data", () => {
        link.heardAtMs = clock.monotonicMs();
      });
    });
    client.on("error", (error: unknown) => {
      if (isSilence(error)) this.#reopenOthers(client);
    });
    client.once("end", () => this.#links.delete(link));
  }

  /** Those that have heard something since are alive. */
  #reopenOthers(silent: Redis): void {
    const { clock, silenceTimeoutMs } = this.#deps;
    const heardSinceMs = clock.monotonicMs() - silenceTimeoutMs / 2;
    for (const { client, heardAtMs } of this.#links) {
      if (client === silent || client.status !== "ready" || heardAtMs > heardSinceMs) continue;
      client.stream.destroy(new Error("as silent as another connection, which was closed"));
    }
  }
}

/** Whether ioredis closed the connection because a reply was due for too long. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Socket timeout");
}
