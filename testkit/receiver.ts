import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedHook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

/** A webhook receiver with configurable answers. */
export class TestReceiver {
  readonly received: ReceivedHook[] = [];
  readonly url: string;
  answer: (response: ServerResponse, hook: ReceivedHook) => void;
  readonly #server: Server;

  private constructor(server: Server, answer: TestReceiver["answer"]) {
    this.#server = server;
    this.answer = answer;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }

  static async answering(answer: number | TestReceiver["answer"] = 200): Promise<TestReceiver> {
    let receiver: TestReceiver | undefined;
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const hook = {
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
        atMs: performance.now(),
      };
      receiver?.received.push(hook);
      receiver?.answer(response, hook);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const answerer =
      typeof answer === "number"
        ? (response: ServerResponse) => void response.writeHead(answer).end()
        : answer;
    receiver = new TestReceiver(server, answerer);
    return receiver;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
