import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** An operator's end-of-turn model, as a real server. */
export class TestJudge {
  /** Requests received, in order. */
  readonly asked: unknown[] = [];
  /** The answer: a status other than 200, a body, or none at all. */
  answer: { status?: number; body?: unknown } | "never";
  readonly #server: Server;

  private constructor(finished: number) {
    this.answer = { body: { finished } };
    this.#server = createServer(async (request, response) => {
      this.asked.push(await json(request));
      if (this.answer === "never") return;
      const { status = 200, body } = this.answer;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body ?? {}));
    });
  }

  static async start(finished: number): Promise<TestJudge> {
    const judge = new TestJudge(finished);
    judge.#server.listen(0, "127.0.0.1");
    await once(judge.#server, "listening");
    return judge;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/finished`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
