import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** An end-of-turn model of an operator's, as a real server. */
export class TestJudge {
  /** What it was asked, in order. */
  readonly asked: unknown[] = [];
  /** What it answers: a status other than 200, a body, or nothing at all. */
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
