import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrainRequest } from "@parley/shared/contracts/brain.ts";

/** One turn, as the brain sees it. */
export interface BrainTurn {
  readonly request: BrainRequest;
  readonly headers: IncomingMessage["headers"];
  readonly url: string;
  readonly rawBody: string;
  /** Sends one token. */
  token(text: string): void;
  /** Sends one control event. */
  control(event: Record<string, unknown>): void;
  /** Ends the answer with [DONE]. */
  done(): void;
  /** Resolves when the gateway disconnects before `done`. */
  readonly aborted: Promise<void>;
  readonly res: ServerResponse;
}

/** A brain whose answers a test writes; real HTTP on a free port. */
export class TestBrain {
  readonly url: string;
  readonly turns: BrainTurn[] = [];
  readonly #close: () => void;

  private constructor(url: string, close: () => void) {
    this.url = url;
    this.#close = close;
  }

  /** Calls `answer` for each turn; it may keep the turn and continue later. */
  static async start(answer: (turn: BrainTurn) => void): Promise<TestBrain> {
    let brain: TestBrain;
    const server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on("data", (chunk: Buffer) => chunks.push(chunk));
      req.on("end", () => {
        const turn = asTurn(req, res, Buffer.concat(chunks).toString("utf8"));
        brain.turns.push(turn);
        answer(turn);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    brain = new TestBrain(`http://127.0.0.1:${port}/brain?tenant=7`, () => {
      server.close();
      server.closeAllConnections();
    });
    return brain;
  }

  /** A brain that always gives the same answer. */
  static saying(...tokens: string[]): Promise<TestBrain> {
    return TestBrain.start((turn) => {
      for (const token of tokens) turn.token(token);
      turn.done();
    });
  }

  get queries(): string[] {
    return this.turns.map(({ request }) => request.query);
  }

  close(): void {
    this.#close();
  }
}

function asTurn(req: IncomingMessage, res: ServerResponse, rawBody: string): BrainTurn {
  const open = (): void => {
    if (!res.headersSent) res.writeHead(200, { "content-type": "text/event-stream" });
  };
  const event = (data: string): void => {
    open();
    res.write(`data: ${data}\n\n`);
  };
  return {
    request: JSON.parse(rawBody) as BrainRequest,
    headers: req.headers,
    url: req.url ?? "",
    rawBody,
    token: (text) => event(JSON.stringify(text)),
    control: (control) => event(JSON.stringify(control)),
    done: () => {
      event("[DONE]");
      res.end();
    },
    aborted: new Promise((resolve) => {
      res.on("close", () => {
        if (!res.writableFinished) resolve();
      });
    }),
    res,
  };
}
