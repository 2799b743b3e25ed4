import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PCM_RATE_HZ } from "@parley/media/pcm.ts";

/** When the stages of one probed turn happened, in ms on this process's clock. */
export interface TurnTimes {
  asked: number;
  requestArrived: number;
  tokenWritten: number;
  voiceAsked: number;
  audioWritten: number;
  heard: number;
}

const MS_PER_CHAR = 40;
const THINK_MS = 30;
const SYNTHESIS_MS = 20;

/**
 * The brain and the voice of probed turns, in the prober's own process: one clock for everything outside the
 * gateway. A probe's number travels in the words: query, answer, text to synthesize.
 */
export class World {
  readonly #times = new Map<number, Partial<TurnTimes>>();
  readonly #servers: Server[] = [];
  #next = 0;
  brainUrl = "";
  voiceUrl = "";

  static async start(): Promise<World> {
    const world = new World();
    world.brainUrl = `${await world.#listen((body, response) => world.#think(body, response))}/`;
    world.voiceUrl = await world.#listen((body, response) => world.#speak(body, response));
    return world;
  }

  /** Starts a probed turn; returns its number and query. */
  ask(): { id: number; query: string } {
    const id = ++this.#next;
    this.#times.set(id, { asked: performance.now() });
    return { id, query: `Is probe q${id} ready?` };
  }

  /** Notes the answer's first audio. */
  heard(id: number): void {
    this.#note(id, "heard");
  }

  /** Turns with every stage seen. */
  finished(): TurnTimes[] {
    return [...this.#times.values()].filter((times): times is TurnTimes => Object.keys(times).length === 6);
  }

  forget(): void {
    this.#times.clear();
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  #think(body: string, response: ServerResponse): void {
    const id = probeIn(body);
    this.#note(id, "requestArrived");
    setTimeout(() => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      this.#note(id, "tokenWritten");
      response.write(`data: ${JSON.stringify(`Yes, probe q${id} is ready. `)}\n\n`);
      response.end('data: "And that is all."\n\ndata: [DONE]\n\n');
    }, THINK_MS);
  }

  #speak(body: string, response: ServerResponse): void {
    const { text } = JSON.parse(body) as { text: string };
    const id = probeIn(text);
    this.#note(id, "voiceAsked");
    setTimeout(() => {
      response.writeHead(200, { "content-type": "audio/l16;rate=16000;channels=1" });
      this.#note(id, "audioWritten");
      response.end(Buffer.alloc(2 * Math.floor((text.length * MS_PER_CHAR * PCM_RATE_HZ) / 1_000), 1));
    }, SYNTHESIS_MS);
  }

  #note(id: number | undefined, stage: keyof TurnTimes): void {
    const times = id === undefined ? undefined : this.#times.get(id);
    if (times) times[stage] ??= performance.now();
  }

  async #listen(answer: (body: string, response: ServerResponse) => void): Promise<string> {
    const server = createServer((request: IncomingMessage, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      request.once("end", () => answer(body, response));
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
}

function probeIn(text: string): number | undefined {
  const match = /\bq(\d+)\b/.exec(text);
  return match ? Number(match[1]) : undefined;
}
