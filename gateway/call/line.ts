import type { AudioFormat, ServerMessage } from "@parley/shared/contracts/call-socket.ts";
import type { CloseReason } from "@parley/shared/contracts/close-codes.ts";

/** One connected socket of the caller, independent of its wire protocol. */
export interface CallerConnection {
  readonly format: AudioFormat;
  /** The carrier's id of the call leg; phones only. */
  readonly callSid?: string;
  /** True if the app answers a clear with how much it had played. */
  readonly reportsPlayed: boolean;
  send(message: ServerMessage): void;
  /** Sends 20 ms of 16 kHz audio; `frame` is valid during the call only. */
  sendFrame(frame: Int16Array): void;
  /** Sends everything that `work` sends in one write. */
  together(work: () => void): void;
  close(reason: CloseReason): void;
}

/** Maximum number of messages kept for a caller whose socket dropped; the oldest are discarded first. */
const MAX_MISSED_MESSAGES = 200;

/**
 * The caller's end of the call: a connection that may drop and be taken over by another. Keeps messages that the caller
 * has to read in the meantime, but neither audio nor momentary states.
 */
export class CallerLine {
  #connection: CallerConnection | undefined;
  #missed: ServerMessage[] = [];

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  get format(): AudioFormat | undefined {
    return this.#connection?.format;
  }

  get reportsPlayed(): boolean {
    return this.#connection?.reportsPlayed ?? false;
  }

  /** Lets a connection take the call over. Returns the previous connection. */
  connect(connection: CallerConnection): CallerConnection | undefined {
    const previous = this.#connection;
    this.#connection = connection;
    return previous;
  }

  /** Sends what the caller missed while nobody was connected. */
  catchUp(): void {
    const missed = this.#missed;
    this.#missed = [];
    for (const message of missed) this.#connection?.send(message);
  }

  isHeldBy(connection: CallerConnection): boolean {
    return this.#connection === connection;
  }

  /** Returns true if this connection held the line. */
  disconnect(connection: CallerConnection): boolean {
    if (this.#connection !== connection) return false;
    this.#connection = undefined;
    return true;
  }

  send(message: ServerMessage): void {
    if (this.#connection) {
      this.#connection.send(message);
      return;
    }
    if (!isLasting(message)) return;
    this.#missed.push(message);
    if (this.#missed.length > MAX_MISSED_MESSAGES) this.#missed.shift();
  }

  sendFrame(frame: Int16Array): void {
    this.#connection?.sendFrame(frame);
  }

  together(work: () => void): void {
    if (this.#connection) this.#connection.together(work);
    else work();
  }

  close(reason: CloseReason): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.close(reason);
  }
}

/** True for messages that no later message repeats. */
function isLasting(message: ServerMessage): boolean {
  if (message.type === "transcript") return message.final;
  return message.type === "metrics" || message.type === "transfer";
}
