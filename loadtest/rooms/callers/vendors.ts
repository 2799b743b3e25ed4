import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { samplesToMs } from "@parley/media/pcm.ts";
import { createFlite } from "@parley/media/tts/flite.ts";
import { type WebSocket, WebSocketServer } from "ws";
import { OracleSession } from "../oracle/oracle-session.ts";
import { atLevel } from "../sounds/level.ts";
import type { CallRecord } from "./call-record.ts";

/** An agent's voice is somewhat louder than a caller's. */
const AGENT_DB = -20;
const SYNTHESIS_MS = 60;
const TOKEN_MS = 15;

/**
 * Brain, voice and recognizer for all calls of a run, in the callers' own process: one clock, and each
 * request is written into its call's record. A call's id travels in the brain's path and as the vendors'
 * model.
 */
export class Vendors {
  readonly #records = new Map<string, CallRecord>();
  readonly #flite = createFlite({ threads: 1 });
  readonly #spoken = new Map<string, Promise<Buffer>>();
  readonly #lengthsMs = new Map<string, number>();
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #server: Server;
  url = "";

  constructor() {
    this.#server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      request.once("end", () => this.#answer(request, response, body));
    });
    this.#server.on("upgrade", (request, socket, head) => {
      const record = this.#recordOf(request);
      if (!record || record.fault === "recogniser-dead") socket.destroy();
      else {
        this.#sockets.handleUpgrade(request, socket, head, (accepted: WebSocket) => {
          new OracleSession(accepted, record.sent);
        });
      }
    });
  }

  static async start(): Promise<Vendors> {
    const vendors = new Vendors();
    await new Promise<void>((resolve) => vendors.#server.listen(0, "127.0.0.1", resolve));
    vendors.url = `http://127.0.0.1:${(vendors.#server.address() as AddressInfo).port}`;
    return vendors;
  }

  brainUrl(id: string): string {
    return `${this.url}/brain/${id}`;
  }

  /** Registers a call's record. */
  add(record: CallRecord): void {
    this.#records.set(record.id, record);
  }

  /** Synthesizes a run's answers ahead, so that no call waits for another's synthesis. */
  async rehearse(turns: number): Promise<void> {
    for (let number = 1; number <= turns; number++) {
      for (const sentence of [...answerTo(number, false), ...answerTo(number, true)])
        await this.#say(sentence);
    }
  }

  /** Duration of a clause; 0 for one that was never said. */
  lengthMs(clause: string): number {
    return this.#lengthsMs.get(clause.trim()) ?? 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#flite.close?.();
  }

  #recordOf({ url = "/" }: IncomingMessage): CallRecord | undefined {
    const { pathname, searchParams } = new URL(url, this.url);
    return this.#records.get(searchParams.get("model") ?? pathname.split("/").at(-1) ?? "");
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const record = this.#recordOf(request);
    if (!record) response.writeHead(404).end();
    else if (request.url?.startsWith("/brain/")) this.#think(record, response, body);
    else void this.#speak(record, response, body);
  }

  #think(record: CallRecord, response: ServerResponse, body: string): void {
    const { query } = JSON.parse(body) as { query: string };
    record.requests.push({ atMs: performance.now(), query });
    if (record.fault === "brain-hangs") return;
    const pieces = answerTo(record.questions.length, record.hasLongAnswers);
    const send = (at: number): void => {
      if (response.destroyed) return;
      if (at === 0) response.writeHead(200, { "content-type": "text/event-stream" });
      const piece = pieces[at];
      if (piece === undefined) response.end("data: [DONE]\n\n");
      else {
        response.write(`data: ${JSON.stringify(`${piece} `)}\n\n`);
        setTimeout(() => send(at + 1), TOKEN_MS);
      }
    };
    setTimeout(() => send(0), record.brainMs);
  }

  async #speak(record: CallRecord, response: ServerResponse, body: string): Promise<void> {
    if (record.fault === "voice-dead") {
      response.writeHead(503).end();
      return;
    }
    const { text } = JSON.parse(body) as { text: string };
    const audio = await this.#say(text);
    setTimeout(() => {
      response.writeHead(200, { "content-type": "audio/l16;rate=16000;channels=1" });
      response.end(audio);
    }, SYNTHESIS_MS);
  }

  #say(text: string): Promise<Buffer> {
    const audio = this.#spoken.get(text) ?? this.#synthesize(text);
    this.#spoken.set(text, audio);
    return audio;
  }

  async #synthesize(text: string): Promise<Buffer> {
    const reply = this.#flite.openReply({ signal: new AbortController().signal });
    const pieces: Int16Array[] = [];
    for await (const samples of reply.say(text)) pieces.push(samples.slice());
    const all = pieces.flatMap((piece) => [...piece]);
    this.#lengthsMs.set(text.trim(), samplesToMs(all.length));
    return Buffer.from(Int16Array.from(atLevel(all, AGENT_DB)).buffer);
  }
}

/** The brain's answer to a question, sentence by sentence. */
function answerTo(number: number, isLong: boolean): string[] {
  const short = [`This is answer ${number}, and yes, we can do that for you.`];
  if (!isLong) return short;
  return [
    ...short,
    "It usually takes two or three working days until everything has been arranged.",
    "You will get a message with all the details as soon as somebody has looked at it.",
  ];
}
