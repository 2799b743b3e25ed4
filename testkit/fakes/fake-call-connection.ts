import { once } from "node:events";
import {
  type ClientMessage,
  clientMessageSchema,
  type ServerMessage,
} from "@parley/shared/contracts/call-socket.ts";
import type { WebSocket } from "ws";

/** One binary message of caller audio and its arrival time. */
export interface ReceivedAudio {
  readonly atMs: number;
  readonly samples: Int16Array;
}

type MessageOf<T extends ClientMessage["type"]> = Extract<ClientMessage, { type: T }>;

const FRAME_SAMPLES = 320;
const FRAME_MS = 20;
/** Shorter than a browser test's own timeout, which does not say what is missing. */
const PATIENCE_MS = 90_000;
/** Lead of agent audio over real time, the same as the gateway's. */
const LEAD_MS = 200;

/** The gateway's end of one call socket, controlled by a test. */
export class FakeCallConnection {
  readonly #socket: WebSocket;
  readonly #unread: ClientMessage[] = [];
  readonly #changes = new EventTarget();
  readonly audio: ReceivedAudio[] = [];
  /** Every text message so far, read or not. */
  readonly messages: ClientMessage[] = [];

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.#keepAudio(data);
      else this.#keepMessage(data.toString());
    });
    socket.on("close", () => this.#changes.dispatchEvent(new Event("change")));
  }

  /** The next unread message of this type; others stay unread. */
  async next<T extends ClientMessage["type"]>(type: T): Promise<MessageOf<T>> {
    const isWanted = (message: ClientMessage): message is MessageOf<T> => message.type === type;
    await this.until(() => this.#unread.some(isWanted));
    const at = this.#unread.findIndex(isWanted);
    const [message] = this.#unread.splice(at, 1);
    if (message === undefined || !isWanted(message)) throw new Error(`no ${type} message`);
    return message;
  }

  /**
   * Waits until an incoming message makes this true. @throws when the socket closes first, or after half a
   * minute
   */
  async until(isTrue: () => boolean): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (!isTrue()) {
      if (this.#socket.readyState === this.#socket.CLOSED) throw new Error("the page closed its socket");
      await once(this.#changes, "change", { signal }).catch(() => {
        const types = this.messages.map(({ type }) => type).join(", ");
        throw new Error(`waited in vain; of the page came ${this.audio.length} frames and: ${types}`);
      });
    }
  }

  send(message: ServerMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Sends a message outside the contract. */
  sendRaw(data: string | Uint8Array): void {
    this.#socket.send(data);
  }

  /** Sends agent audio in 20 ms messages all at once, as after a network stall. */
  sendAudio(samples: Int16Array): void {
    for (let from = 0; from < samples.length; from += FRAME_SAMPLES) {
      this.#socket.send(samples.slice(from, from + FRAME_SAMPLES));
    }
  }

  /** Sends agent audio paced in real time with the gateway's lead; ends early when aborted. */
  async playAudio(samples: Int16Array, signal?: AbortSignal): Promise<void> {
    const startedMs = performance.now();
    for (let frame = 0; frame * FRAME_SAMPLES < samples.length; frame++) {
      const aheadMs = frame * FRAME_MS - (performance.now() - startedMs) - LEAD_MS;
      if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs));
      if (signal?.aborted) return;
      this.#socket.send(samples.slice(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES));
    }
  }

  /** Breaks the connection silently. */
  drop(): void {
    this.#socket.terminate();
  }

  close(code: number): void {
    this.#socket.close(code);
  }

  #keepAudio(data: Buffer): void {
    const samples = new Int16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
    this.audio.push({ atMs: performance.now(), samples });
    this.#changes.dispatchEvent(new Event("change"));
  }

  #keepMessage(text: string): void {
    const message = clientMessageSchema.parse(JSON.parse(text));
    this.messages.push(message);
    this.#unread.push(message);
    this.#changes.dispatchEvent(new Event("change"));
  }
}
