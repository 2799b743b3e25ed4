import { once } from "node:events";
import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import type { ServerMessage } from "@parley/shared/contracts/call-socket.ts";
import { serverMessageSchema } from "@parley/shared/contracts/call-socket.ts";
import { WebSocket } from "ws";

type MessageOf<T extends ServerMessage["type"]> = Extract<ServerMessage, { type: T }>;

/** A message that is not there by then does not come, however slow the machine is. */
const PATIENCE_MS = 90_000;

export interface CallerOptions {
  readonly audio?: { encoding: string; sampleRate: number };
  readonly resume?: string;
  /** Behaves like a good app: acknowledges marks in time and answers clears. */
  readonly acknowledges?: boolean;
}

/** A caller's app: speaks the call socket, and keeps everything it hears. */
export class TestCaller {
  readonly socket: WebSocket;
  readonly messages: ServerMessage[] = [];
  /** Agent audio as received (16 kHz PCM unless the options say otherwise). */
  readonly audio: Buffer[] = [];
  closed: { code: number; reason: string } | undefined;
  #waiters: { matches: (message: ServerMessage) => boolean; resolve: (message: ServerMessage) => void }[] =
    [];
  #cursor = 0;
  #playedBytes = 0;
  readonly #options: CallerOptions;

  private constructor(socket: WebSocket, options: CallerOptions) {
    this.socket = socket;
    this.#options = options;
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.#onAudio(data);
      else this.#onMessage(serverMessageSchema.parse(JSON.parse(data.toString("utf8"))));
    });
    socket.on("close", (code, reason) => {
      this.closed = { code, reason: reason.toString("utf8") };
    });
  }

  /** Connects, sends `start` and waits for `ready`. */
  static async start(url: string, options: CallerOptions = {}): Promise<TestCaller> {
    const caller = await TestCaller.connect(url, options);
    caller.send({ type: "start", audio: options.audio, resume: options.resume });
    await caller.next("ready");
    return caller;
  }

  /** Connects without sending anything. */
  static async connect(url: string, options: CallerOptions = {}): Promise<TestCaller> {
    const socket = new WebSocket(url);
    const caller = new TestCaller(socket, options);
    await once(socket, "open");
    return caller;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** The next message of a type not awaited before. On timeout, reports the messages received instead. */
  async next<T extends ServerMessage["type"]>(
    type: T,
    matches: (message: MessageOf<T>) => boolean = () => true,
    withinMs = PATIENCE_MS,
  ): Promise<MessageOf<T>> {
    const isMatch = (message: ServerMessage): message is MessageOf<T> =>
      message.type === type && matches(message as MessageOf<T>);
    const found = this.messages.slice(this.#cursor).findIndex(isMatch);
    if (found !== -1) {
      const message = this.messages[this.#cursor + found];
      this.#cursor += found + 1;
      return message as MessageOf<T>;
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(
          new Error(
            `no ${type} within ${withinMs} ms; got ${JSON.stringify(this.messages.slice(-12))}, closed ${JSON.stringify(this.closed)}`,
          ),
        );
      }, withinMs);
      this.#waiters.push({
        matches: isMatch,
        resolve: (message) => {
          clearTimeout(timer);
          this.#cursor = this.messages.indexOf(message) + 1;
          resolve(message as MessageOf<T>);
        },
      });
    });
  }

  /** The final transcript of a role's next turn. */
  async said(role: "user" | "assistant"): Promise<MessageOf<"transcript">> {
    return this.next("transcript", (message) => message.role === role && message.final);
  }

  /** Streams speech (16 kHz PCM) in real time, 20 ms per message, then `thenSilenceMs` of silence. */
  async speak(samples: Int16Array, thenSilenceMs = 600): Promise<void> {
    const silence = new Int16Array((thenSilenceMs / 20) * FRAME_SAMPLES);
    const startedMs = performance.now();
    let frames = 0;
    for (const part of [samples, silence]) {
      for (let at = 0; at + FRAME_SAMPLES <= part.length; at += FRAME_SAMPLES) {
        if (this.socket.readyState !== WebSocket.OPEN) return;
        const frame = part.slice(at, at + FRAME_SAMPLES);
        this.socket.send(Buffer.from(frame.buffer));
        frames += 1;
        const dueMs = startedMs + frames * 20;
        const waitMs = dueMs - performance.now();
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  }

  /** All agent audio so far, as PCM. */
  heard(): Int16Array {
    const bytes = Buffer.concat(this.audio);
    return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  }

  /** Drops the connection without a close handshake. */
  drop(): void {
    this.socket.terminate();
  }

  async untilClosed(): Promise<{ code: number; reason: string }> {
    if (!this.closed) await once(this.socket, "close");
    return this.closed ?? { code: 0, reason: "" };
  }

  #onAudio(data: Buffer): void {
    this.audio.push(data);
    this.#playedBytes += data.length;
  }

  #onMessage(message: ServerMessage): void {
    this.messages.push(message);
    if (this.#options.acknowledges) this.#acknowledge(message);
    const index = this.#waiters.findIndex(({ matches }) => matches(message));
    if (index === -1) return;
    const [waiter] = this.#waiters.splice(index, 1);
    waiter?.resolve(message);
  }

  #acknowledge(message: ServerMessage): void {
    if (message.type === "mark") this.send({ type: "mark", name: message.name });
  }
}
