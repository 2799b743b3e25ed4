import { PassThrough } from "node:stream";
import type { Clock } from "@parley/shared/clock.ts";
import type { FastifyReply } from "fastify";

/** A client that reads nothing does not make us keep more. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** Server-sent events as the answer to a request, with comments that keep the connection. */
export class EventStream {
  readonly #body = new PassThrough();
  readonly #stopHeartbeat: () => void;

  /** `heartbeatMs` should be shorter than proxies wait for a byte. */
  constructor(clock: Clock, heartbeatMs: number) {
    this.#stopHeartbeat = clock.every(heartbeatMs, () => this.comment("still here"));
  }

  /** Sends the headers with the first event or comment. */
  answer(reply: FastifyReply): FastifyReply {
    return reply
      .type("text/event-stream; charset=utf-8")
      .header("cache-control", "no-store")
      .header("x-accel-buffering", "no")
      .send(this.#body);
  }

  send(event: string, data: object): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  comment(text: string): void {
    this.#write(`: ${text}\n\n`);
  }

  end(): void {
    this.#stopHeartbeat();
    this.#body.end();
  }

  #write(text: string): void {
    if (this.#body.destroyed || this.#body.writableEnded) return;
    if (this.#body.readableLength + this.#body.writableLength > MAX_WAITING_BYTES) this.#body.destroy();
    else this.#body.write(text);
  }
}
