import { PassThrough } from "node:stream";
import type { Clock } from "@parley/shared/clock.ts";
import type { FastifyReply } from "fastify";

/** Buffer limit for clients that do not read. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** Answers a request with server-sent events, with comments as keep-alive. */
export class EventStream {
  readonly #body = new PassThrough();
  readonly #stopHeartbeat: () => void;

  /** `heartbeatMs` should be below the idle timeout of proxies. */
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
    this.sendJson(event, JSON.stringify(data));
  }

  /** `json` is data that was written as JSON, without line breaks. */
  sendJson(event: string, json: string): void {
    this.#write(`event: ${event}\ndata: ${json}\n\n`);
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
