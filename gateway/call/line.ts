import type { AudioFormat, ServerMessage } from "@parley/shared/contracts/call-socket.ts";
import type { CloseReason } from "@parley/shared/contracts/close-codes.ts";

/** One connected socket of the caller, whatever it speaks on the wire. */
export interface CallerConnection {
  readonly format: AudioFormat;
  /** The carrier's id of the call leg, of a phone. */
  readonly callSid?: string;
  /** Answers a clear with how much it had played. */
  readonly reportsPlayed: boolean;
  send(message: ServerMessage): void;
  /** 20 ms of 16 kHz audio; valid during the call only. */
  sendFrame(frame: Int16Array): void;
  /** What `work` sends leaves in one write. */
  together(work: () => void): void;
  close(reason: CloseReason): void;
}

/** Messages kept for a caller whose socket dropped; older ones give way. */
const MAX_MISSED_MESSAGES = 200;

/**
 * The caller's end of the call: a connection that may drop and be taken over by another. What the caller
 * would have to read is kept meanwhile; audio and momentary states are not.
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

  /** Takes the call over; gives the connection that had it. */
  connect(connection: CallerConnection): CallerConnection | undefined {
    const previous = this.#connection;
    this.#connection = connection;
    return previous;
  }

  /** Sends what was missed while nobody was connected. */
  catchUp(): void {
    const missed = this.#missed;
    this.#missed = [];
    for (const message of missed) this.#connection?.send(message);
  }

  isHeldBy(connection: CallerConnection): boolean {
    return this.#connection === connection;
  }

  /** True when it was this connection that held the line. */
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
    this.#connection?.close(reason);
    this.#connection = undefined;
  }
}

/** Nothing that comes later says it again. */
function isLasting(message: ServerMessage): boolean {
  if (message.type === "transcript") return message.final;
  return message.type === "metrics" || message.type === "transfer";
}
