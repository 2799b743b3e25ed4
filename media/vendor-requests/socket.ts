import type { Clock } from "@parley/shared/clock.ts";
import WebSocket, { type RawData } from "ws";
import { SpeechError } from "../speech-error.ts";
import { connectionError, statusError, timeoutError } from "./failures.ts";

/** Maximum unsent data for a vendor that does not read or respond: over half a minute of 16 kHz audio. */
const MAX_UNSENT_BYTES = 2 * 1024 * 1024;
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const CLOSE_GRACE_MS = 1_000;

export interface VendorSocketOptions {
  readonly vendor: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly connectMs: number;
  readonly onOpen?: () => void;
  readonly onMessage: (text: string) => void;
  /** Called once if the connection is lost without a call of `close`. */
  readonly onFailed: (error: SpeechError) => void;
  /** Explains the vendor's close; undefined stands for a dropped connection. */
  readonly explainClose?: (code: number, reason: string) => SpeechError | undefined;
}

/** A websocket to one vendor. Messages sent before it opens wait, within a bound. */
export class VendorSocket {
  readonly #options: VendorSocketOptions;
  readonly #socket: WebSocket;
  readonly #cancelDeadline: () => void;
  #waiting: (string | Uint8Array)[] = [];
  #waitingBytes = 0;
  #isDone = false;

  constructor(options: VendorSocketOptions) {
    const { vendor, url, headers, clock, connectMs } = options;
    this.#options = options;
    this.#socket = new WebSocket(url, {
      headers,
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
    });
    this.#cancelDeadline = clock.after(connectMs, () =>
      this.#fail(timeoutError(vendor, "no connection", connectMs)),
    );
    this.#socket.on("open", () => this.#onOpen());
    this.#socket.on("message", (data, isBinary) => {
      if (!isBinary && !this.#isDone) options.onMessage(textOf(data));
    });
    this.#socket.on("unexpected-response", (_request, response) => {
      response.destroy();
      this.#fail(statusError(vendor, response.statusCode ?? 0));
    });
    this.#socket.on("error", (error) => this.#fail(connectionError(vendor, error)));
    this.#socket.on("close", (code, reason) => this.#onClose(code, reason.toString()));
  }

  get isOpen(): boolean {
    return !this.#isDone && this.#socket.readyState === WebSocket.OPEN;
  }

  /** The bytes must not change afterwards. */
  send(message: string | Uint8Array): void {
    if (this.#isDone) return;
    const unsentBytes = this.#waitingBytes + this.#socket.bufferedAmount;
    if (unsentBytes > MAX_UNSENT_BYTES) {
      this.#fail(new SpeechError(this.#options.vendor, "does not read what is sent", { retryable: true }));
    } else if (this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(message);
    } else {
      this.#waiting.push(message);
      this.#waitingBytes += message.length;
    }
  }

  /** Sends a last message if the socket is open, and closes; safe to call twice. */
  close(lastMessage?: string): void {
    if (this.#isDone) return;
    if (this.#socket.readyState !== WebSocket.OPEN) {
      this.#end();
      return;
    }
    if (lastMessage !== undefined) this.#socket.send(lastMessage);
    this.#isDone = true;
    this.#socket.close();
    const cancel = this.#options.clock.after(CLOSE_GRACE_MS, () => this.#socket.terminate());
    this.#socket.once("close", cancel);
  }

  #onOpen(): void {
    if (this.#isDone) return;
    this.#cancelDeadline();
    for (const message of this.#waiting) this.#socket.send(message);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#options.onOpen?.();
  }

  #onClose(code: number, reason: string): void {
    const { vendor, explainClose } = this.#options;
    const dropped = new SpeechError(vendor, `the socket was closed (${code})`, { retryable: true });
    this.#fail(explainClose?.(code, reason) ?? dropped);
  }

  #fail(error: SpeechError): void {
    if (this.#isDone) return;
    this.#end();
    this.#options.onFailed(error);
  }

  #end(): void {
    this.#isDone = true;
    this.#cancelDeadline();
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#socket.terminate();
  }
}

function textOf(data: RawData): string {
  return Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as ArrayBuffer).toString();
}
