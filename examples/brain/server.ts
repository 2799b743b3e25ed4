import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Memory, newMemory, type Piece, reply, type ToolResult } from "./receptionist.ts";

export interface ExampleBrainOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Pause between words, as a model would make; 0 for none. */
  readonly tokenDelayMs?: number;
}

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_SESSIONS = 1_000;
const DEFAULT_TOKEN_DELAY_MS = 15;

/** The brain of the demo agent: plain Node, no dependencies. Made to be copied. */
export async function startExampleBrain(
  options: ExampleBrainOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const sessions = new Map<string, Memory>();
  const delayMs = options.tokenDelayMs ?? DEFAULT_TOKEN_DELAY_MS;
  const server = createServer((req, res) => {
    answer(req, res, { sessions, delayMs }).catch(() => res.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : options.port;
  return {
    url: `http://${options.host}:${port}/`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Context {
  readonly sessions: Map<string, Memory>;
  readonly delayMs: number;
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  { sessions, delayMs }: Context,
): Promise<void> {
  const body = await readJson(req);
  if (typeof body?.query !== "string") {
    res.writeHead(400, { "content-type": "text/plain" }).end("POST a JSON body with a query.\n");
    return;
  }
  const sessionId = String(body.sessionId ?? "");
  const memory = sessions.get(sessionId) ?? newMemory();
  sessions.delete(sessionId);
  sessions.set(sessionId, memory);
  const oldest = sessions.keys().next().value;
  if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  res.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
  const { query, heard, toolResults } = body;
  for (const piece of reply({ query, heard, toolResults, memory, now: new Date() })) {
    for (const data of asEvents(piece)) {
      if (res.destroyed) return;
      res.write(`data: ${data}\n\n`);
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  res.end("data: [DONE]\n\n");
}

/** Words one by one, as a model streams them; control events whole. */
function asEvents(piece: Piece): string[] {
  if (typeof piece !== "string") return [JSON.stringify(piece)];
  return piece.split(/(?<= )/).map((word) => JSON.stringify(word));
}

interface TurnBody {
  readonly query?: unknown;
  readonly sessionId?: unknown;
  readonly heard?: { readonly text: string };
  readonly toolResults?: readonly ToolResult[];
}

async function readJson(req: IncomingMessage): Promise<TurnBody | undefined> {
  let text = "";
  for await (const chunk of req.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MAX_BODY_BYTES) return undefined;
  }
  try {
    return JSON.parse(text) as TurnBody;
  } catch {
    return undefined;
  }
}
