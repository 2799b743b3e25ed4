import { CLOSE } from "@parley/shared/contracts/close-codes.ts";
import type { StreamFrame } from "@parley/shared/contracts/stream-frames.ts";
import type { SocketPort } from "../uws/socket-port.ts";

/** Number of newest frames kept for a watcher that does not keep up. */
const NEWEST_FRAMES = 32;

export interface WatcherOptions {
  readonly sessionId: string;
  readonly socket: SocketPort;
  /** Unsent bytes beyond which frames are held back. */
  readonly bufferBytes: number;
  readonly onDropped: (frames: number) => void;
}

/**
 * Sends frames to one watcher. A slow reader gets the newest frames and the number it missed; its backlog never exceeds
 * its buffer and a few frames.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  #heldBack: string[] = [];
  #dropped = 0;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  send(frame: string): void {
    const { socket, bufferBytes } = this.#options;
    if (this.#heldBack.length === 0 && socket.bufferedBytes < bufferBytes) {
      socket.sendText(frame);
      return;
    }
    this.#heldBack.push(frame);
    if (this.#heldBack.length <= NEWEST_FRAMES) return;
    this.#heldBack.shift();
    this.#dropped += 1;
    this.#options.onDropped(1);
  }

  /** The watcher has caught up: report the gap, then go on with the newest frames. */
  catchUp(): void {
    const { socket, bufferBytes } = this.#options;
    if (socket.bufferedBytes < bufferBytes) this.#tellGap();
    while (this.#heldBack.length > 0 && socket.bufferedBytes < bufferBytes) {
      socket.sendText(this.#heldBack.shift() ?? "");
    }
  }

  /** Ends the watch: even a slow watcher gets its newest frames and the last one, and nothing after it. */
  finish(lastFrame: string): void {
    const { socket } = this.#options;
    this.#tellGap();
    for (const frame of this.#heldBack) socket.sendText(frame);
    this.#heldBack = [];
    socket.sendText(lastFrame);
    socket.close(CLOSE.ended);
  }

  #tellGap(): void {
    const { socket, sessionId } = this.#options;
    if (this.#dropped === 0) return;
    const gap: StreamFrame = { topic: "stream.gap", sessionId, data: { dropped: this.#dropped } };
    this.#dropped = 0;
    socket.sendText(JSON.stringify(gap));
  }
}
