import * as uWS from "uWebSockets.js";
import { Agent, request } from "undici";

/**
 * The limit: a bare relay of one turn. Sends the text to the brain, the answer's first piece to the voice,
 * and the first audio to the socket; no call, clauses or pacing.
 */
const [brainUrl = "", voiceUrl = ""] = process.argv.slice(2);
const FRAME_BYTES = 640;
const dispatcher = new Agent({ connections: 256, keepAliveTimeout: 60_000 });

interface Data {
  isOpen: boolean;
}

async function relay(ws: uWS.WebSocket<Data>, query: string): Promise<void> {
  const text = await firstPiece(await post(brainUrl, { query }), (piece) => {
    const data = /^data: (".*")$/m.exec(piece.toString("utf8"))?.[1];
    return data === undefined ? undefined : (JSON.parse(data) as string);
  });
  const audio = await firstPiece(await post(`${voiceUrl}/v1/speak`, { text }), (piece) => piece);
  if (ws.getUserData().isOpen && audio) ws.send(audio.subarray(0, FRAME_BYTES), true);
}

async function post(url: string, body: object): Promise<AsyncIterable<Buffer>> {
  const headers = { "content-type": "application/json" };
  const answer = await request(url, { method: "POST", headers, body: JSON.stringify(body), dispatcher });
  return answer.body;
}

/** Resolves with the first piece that `read` accepts; discards the rest. */
function firstPiece<T>(
  body: AsyncIterable<Buffer>,
  read: (piece: Buffer) => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const drain = async (): Promise<void> => {
      for await (const piece of body) {
        const found = read(piece);
        if (found !== undefined) resolve(found);
      }
      resolve(undefined);
    };
    drain().catch(reject);
  });
}

const app = uWS.App();
app.ws<Data>("/*", {
  upgrade: (res, req, context) => {
    const [key = "", protocol = "", extensions = ""] = ["key", "protocol", "extensions"].map((name) =>
      req.getHeader(`sec-websocket-${name}`),
    );
    res.upgrade({ isOpen: true }, key, protocol, extensions, context);
  },
  message: (ws, message, isBinary) => {
    if (isBinary) return;
    const { type, text } = JSON.parse(Buffer.from(message).toString("utf8")) as {
      type: string;
      text?: string;
    };
    if (type === "hangup") ws.end(1000);
    else if (type === "start") ws.send(JSON.stringify({ type: "ready", recognition: "client" }));
    else relay(ws, text ?? "").catch((error: unknown) => console.error(error));
  },
  close: (ws) => {
    ws.getUserData().isOpen = false;
  },
});
app.listen("127.0.0.1", 0, (socket) => {
  if (socket) console.log(`relay ready at ws://127.0.0.1:${uWS.us_socket_local_port(socket)}`);
});
