import { createSocketCodec, type SocketCodec } from "@parley/media/codecs/socket-codec.ts";
import type { Clock } from "@parley/shared/clock.ts";
import {
  AUDIO_MESSAGE_MS,
  type AudioFormat,
  type ClientMessage,
  type ServerMessage,
  SOCKET_ERRORS,
  type SocketErrorCode,
} from "@parley/shared/contracts/call-socket.ts";
import { CLOSE, type CloseReason } from "@parley/shared/contracts/close-codes.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { CallerConnection } from "../call/line.ts";
import type { CallerInput } from "../call/live-call.ts";
import type { SocketHandler, SocketPort } from "../uws/socket-port.ts";
import { parseClientMessage } from "./client-message.ts";
import { FloodGuard } from "./flood-guard.ts";

/** Maximum number of messages that may arrive while `start` is being answered. */
const MAX_WAITING_MESSAGES = 100;
/** Minimum interval between repetitions of one complaint. */
const REPEAT_COMPLAINT_MS = 5_000;

/** Errors that close the socket when they occur again. */
const COUNTS_AS_MALFORMED: ReadonlySet<SocketErrorCode> = new Set([
  "malformed_json",
  "invalid_message",
  "start_expected",
]);

/** Answer to `start`: the call's input for this socket, or the reason for a refusal. */
export type StartAnswer =
  | { readonly ok: true; readonly input: CallerInput }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly close: CloseReason };

export interface WebCallDeps {
  readonly clock: Clock;
  readonly startTimeoutMs: number;
  /** Finds or opens the call for which this socket was admitted. */
  readonly start: (connection: CallerConnection, resume: string | undefined) => Promise<StartAnswer>;
  readonly onError: (code: string) => void;
  readonly onDropped: (reason: "audio_too_fast" | "message_flood" | "slow_reader") => void;
  readonly log: Logger;
}

type Phase =
  | { readonly kind: "fresh" }
  | { readonly kind: "starting"; readonly waiting: (string | Uint8Array)[] }
  | { readonly kind: "live"; readonly codec: SocketCodec; readonly input: CallerInput }
  | { readonly kind: "closed" };

/** The wire of the call socket: messages and audio in and out. It knows nothing about the call itself. */
export class WebCallTransport implements SocketHandler {
  readonly #socket: SocketPort;
  readonly #deps: WebCallDeps;
  readonly #guard: FloodGuard;
  readonly #cancelStartTimer: () => void;
  readonly #complainedAtMs = new Map<SocketErrorCode, number>();
  #phase: Phase = { kind: "fresh" };
  #wasWarned = false;

  constructor(socket: SocketPort, deps: WebCallDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#guard = new FloodGuard(deps.clock.monotonicMs());
    this.#cancelStartTimer = deps.clock.after(deps.startTimeoutMs, () => socket.close(CLOSE.noStart));
  }

  onText(text: string): void {
    if (!this.#admitsMessage()) return;
    if (this.#phase.kind === "starting") {
      this.#wait(this.#phase.waiting, text);
      return;
    }
    const parsed = parseClientMessage(text);
    if (!parsed.ok) this.#complain(parsed.code, parsed.problem);
    else this.#onMessage(parsed.message);
  }

  onBinary(bytes: Uint8Array): void {
    if (!this.#admitsMessage()) return;
    if (this.#phase.kind === "starting") this.#wait(this.#phase.waiting, bytes.slice());
    else if (this.#phase.kind === "live") this.#onAudio(bytes, this.#phase);
    else this.#complain("start_expected");
  }

  onClose(): void {
    this.#cancelStartTimer();
    const phase = this.#phase;
    this.#phase = { kind: "closed" };
    if (phase.kind !== "live") return;
    phase.codec.free();
    phase.input.onDropped();
  }

  #onMessage(message: ClientMessage): void {
    if (message.type === "start") {
      if (this.#phase.kind === "fresh") this.#start(message).catch((error: unknown) => this.#failed(error));
      else this.#complain("already_started");
      return;
    }
    if (this.#phase.kind !== "live") this.#complain("start_expected");
    else if (message.type === "ping") this.#send({ type: "pong", id: message.id });
    else this.#phase.input.onMessage(message);
  }

  async #start(message: Extract<ClientMessage, { type: "start" }>): Promise<void> {
    const waiting: (string | Uint8Array)[] = [];
    this.#phase = { kind: "starting", waiting };
    this.#cancelStartTimer();
    const codec = await createSocketCodec(message.audio);
    const answer = await this.#deps.start(
      this.#connection(message.audio, codec),
      message.resume ?? undefined,
    );
    if (this.#isClosed()) {
      codec.free();
      if (answer.ok) leave(waiting, answer.input);
      return;
    }
    if (!answer.ok) {
      codec.free();
      this.#deps.onError(answer.code);
      this.#send({ type: "error", code: answer.code, message: answer.message, fatal: true });
      this.#socket.close(answer.close);
      return;
    }
    this.#phase = { kind: "live", codec, input: answer.input };
    for (const item of waiting) {
      if (typeof item === "string") this.onText(item);
      else this.onBinary(item);
    }
  }

  #connection(format: AudioFormat, codec: SocketCodec): CallerConnection {
    return {
      format,
      reportsPlayed: true,
      send: (message) => this.#send(message),
      sendFrame: (frame) => {
        if (this.#isClosed()) return;
        if (this.#socket.sendBinary(codec.encode(frame)) === "dropped") this.#deps.onDropped("slow_reader");
      },
      together: (work) => this.#socket.together(work),
      close: (reason) => this.#socket.close(reason),
    };
  }

  #onAudio(bytes: Uint8Array, { codec, input }: Extract<Phase, { kind: "live" }>): void {
    const durationMs = codec.durationMs(bytes);
    if (durationMs < AUDIO_MESSAGE_MS.min || durationMs > AUDIO_MESSAGE_MS.max) {
      this.#complain("audio_length", `${SOCKET_ERRORS.audio_length} It has ${bytes.length} bytes.`);
      return;
    }
    if (!this.#guard.admitAudio(durationMs, this.#deps.clock.monotonicMs())) {
      this.#deps.onDropped("audio_too_fast");
      this.#complain("audio_too_fast");
      return;
    }
    let samples: Int16Array;
    try {
      samples = codec.decode(bytes);
    } catch (error) {
      this.#complain("audio_decode", messageOf(error));
      return;
    }
    input.onAudio(samples);
  }

  #admitsMessage(): boolean {
    if (this.#isClosed()) return false;
    if (this.#guard.admitMessage(this.#deps.clock.monotonicMs())) return true;
    this.#deps.onDropped("message_flood");
    this.#complain("message_flood");
    return false;
  }

  #wait(waiting: (string | Uint8Array)[], item: string | Uint8Array): void {
    if (waiting.length < MAX_WAITING_MESSAGES) waiting.push(item);
    else this.#deps.onDropped("message_flood");
  }

  /** Warns the client; a malformed message after a warning closes the socket (call-socket contract, 4000). */
  #complain(code: SocketErrorCode, message: string = SOCKET_ERRORS[code]): void {
    const nowMs = this.#deps.clock.monotonicMs();
    this.#deps.onError(code);
    if (COUNTS_AS_MALFORMED.has(code)) {
      if (this.#wasWarned) {
        this.#socket.close(CLOSE.malformed);
        return;
      }
      this.#wasWarned = true;
    } else {
      const lastMs = this.#complainedAtMs.get(code);
      if (lastMs !== undefined && nowMs - lastMs < REPEAT_COMPLAINT_MS) return;
      this.#complainedAtMs.set(code, nowMs);
    }
    this.#send({ type: "error", code, message, fatal: false });
  }

  #send(message: ServerMessage): void {
    if (!this.#isClosed()) this.#socket.sendText(JSON.stringify(message));
  }

  /** Nobody else catches what happens after an await: it would end the process, and all of its calls. */
  #failed(error: unknown): void {
    this.#deps.log.error({ event: "socket_start_failed", err: messageOf(error) }, "failed to start a socket");
    this.#socket.close(CLOSE.overloaded);
  }

  #isClosed(): boolean {
    return this.#phase.kind === "closed";
  }
}

/** Passes on what a socket said that closed before its call was open: a hang-up must not leave the call behind. */
function leave(waiting: readonly (string | Uint8Array)[], input: CallerInput): void {
  for (const item of waiting) {
    const parsed = typeof item === "string" ? parseClientMessage(item) : undefined;
    if (parsed?.ok && parsed.message.type !== "start" && parsed.message.type !== "ping")
      input.onMessage(parsed.message);
  }
  input.onDropped();
}
