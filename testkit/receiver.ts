import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedHook {
  /** Below the receiver's own: empty, or such as `/calm`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

/**
 * A webhook receiver with configurable answers, at a path of its own: whoever still calls an earlier test's receiver, whose port
 * it may have, is not counted and uses up none of its answers.
 */
export class TestReceiver {
  readonly received: ReceivedHook[] = [];
  readonly url: string;
  answer: (response: ServerResponse, hook: ReceivedHook) => void;
  readonly #server: Server;

  private constructor(server: Server, root: string, answer: TestReceiver["answer"]) {
    this.#server = server;
    this.answer = answer;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${root}`;
  }

  static async answering(answer: number | TestReceiver["answer"] = 200): Promise<TestReceiver> {
    const root = `/hook/${randomUUID()}`;
    let receiver: TestReceiver | undefined;
    const server = createServer(async (request, response) => {
      if (!receiver || !request.url?.startsWith(root)) {
        response.writeHead(404).end();
        return;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const hook = {
        path: request.url.slice(root.length),
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
        atMs: performance.now(),
      };
      receiver.received.push(hook);
      receiver.answer(response, hook);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const answerer =
      typeof answer === "number"
        ? (response: ServerResponse) => void response.writeHead(answer).end()
        : answer;
    receiver = new TestReceiver(server, root, answerer);
    return receiver;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
