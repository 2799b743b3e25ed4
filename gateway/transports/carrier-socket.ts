import { createSocketCodec, type SocketCodec } from "@parley/media/codecs/socket-codec.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { ServerMessage } from "@parley/shared/contracts/call-socket.ts";
import { CLOSE } from "@parley/shared/contracts/close-codes.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { CallerConnection } from "../call/line.ts";
import type { CallerInput } from "../call/live-call.ts";
import type { SocketHandler, SocketPort } from "../uws/socket-port.ts";
import { FloodGuard } from "./flood-guard.ts";
import { ReorderBuffer } from "./reorder-buffer.ts";
import type {
  MediaEvent,
  MediaSerializer,
  MediaStart,
  StreamSerializer,
} from "./serializers/media-serializer.ts";
import type { StartAnswer } from "./web-call.ts";

/** Maximum number of messages that may arrive while the call is being opened. */
const MAX_WAITING_MESSAGES = 100;
/** The call survives a single malformed message but not this many. */
const MAX_MALFORMED = 20;
const MAX_AUDIO_MESSAGE_MS = 500;
/** Close codes of a socket whose call is over: normal, or no code at all (RFC 6455, 7.4.1). */
const CLOSED_BY_HANG_UP: readonly number[] = [1000, 1005];

export interface CarrierSocketDeps {
  readonly wire: MediaSerializer;
  readonly clock: Clock;
  readonly startTimeoutMs: number;
  /** Finds or opens the call for which this socket was admitted. */
  readonly start: (connection: CallerConnection) => Promise<StartAnswer>;
  readonly onError: (code: string) => void;
  readonly onDropped: (reason: "audio_too_fast" | "message_flood" | "slow_reader") => void;
  readonly log: Logger;
}

interface Live {
  readonly kind: "live";
  readonly codec: SocketCodec;
  readonly stream: StreamSerializer;
  readonly input: CallerInput;
  readonly order: ReorderBuffer;
}

type Phase =
  | { readonly kind: "fresh" }
  | { readonly kind: "starting"; readonly waiting: MediaEvent[] }
  | Live
  | { readonly kind: "closed"; readonly isHungUp: boolean };

/** A phone call's media socket: translates between the carrier's protocol and the call's caller. */
export class CarrierSocket implements SocketHandler {
  readonly #socket: SocketPort;
  readonly #deps: CarrierSocketDeps;
  readonly #guard: FloodGuard;
  readonly #cancelStartTimer: () => void;
  readonly #complaints = new Set<string>();
  #malformed = 0;
  #phase: Phase = { kind: "fresh" };

  constructor(socket: SocketPort, deps: CarrierSocketDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#guard = new FloodGuard(deps.clock.monotonicMs());
    this.#cancelStartTimer = deps.clock.after(deps.startTimeoutMs, () => socket.close(CLOSE.noStart));
  }

  onText(text: string): void {
    this.#take(text);
  }

  onBinary(bytes: Uint8Array): void {
    this.#take(bytes);
  }

  onClose(code: number): void {
    this.#cancelStartTimer();
    const phase = this.#phase;
    const closed = { kind: "closed", isHungUp: CLOSED_BY_HANG_UP.includes(code) } as const;
    this.#phase = closed;
    if (phase.kind !== "live") return;
    phase.codec.free();
    leave(closed, phase.input);
  }

  #take(message: string | Uint8Array): void {
    if (this.#isClosed()) return;
    if (!this.#guard.admitMessage(this.#deps.clock.monotonicMs())) {
      this.#drop("message_flood");
      return;
    }
    const event = this.#deps.wire.parse(message);
    if (this.#phase.kind === "starting") this.#wait(this.#phase.waiting, event);
    else this.#onEvent(event);
  }

  #wait(waiting: MediaEvent[], event: MediaEvent): void {
    if (waiting.length >= MAX_WAITING_MESSAGES) this.#drop("message_flood");
    else waiting.push(event.type === "audio" ? { ...event, bytes: event.bytes.slice() } : event);
  }

  #onEvent(event: MediaEvent): void {
    switch (event.type) {
      case "ignored":
      case "cleared":
        return;
      case "malformed":
        this.#onMalformed(event.problem);
        return;
      case "error":
        this.#complain("carrier_error", event.problem);
        return;
      case "started":
        if (this.#phase.kind === "fresh") this.#start(event).catch((error: unknown) => this.#failed(error));
        else this.#complain("already_started", "a second start");
        return;
      default:
        if (this.#phase.kind === "live") this.#onCallEvent(event, this.#phase);
        else this.#complain("start_expected", `${event.type} before start`);
    }
  }

  #onCallEvent(
    event: Extract<MediaEvent, { type: "audio" | "dtmf" | "mark" | "stopped" }>,
    live: Live,
  ): void {
    switch (event.type) {
      case "audio":
        this.#onAudio(event, live);
        break;
      case "dtmf":
      case "mark":
        live.input.onMessage(event);
        break;
      case "stopped":
        live.input.onMessage({ type: "hangup" });
        break;
      default:
        event satisfies never;
    }
  }

  async #start(start: MediaStart): Promise<void> {
    const waiting: MediaEvent[] = [];
    this.#phase = { kind: "starting", waiting };
    this.#cancelStartTimer();
    const codec = await createSocketCodec(start.format);
    const stream = this.#deps.wire.stream(start);
    const answer = await this.#deps.start(this.#connection(start, { codec, stream }));
    const closed = this.#closed();
    if (closed) {
      codec.free();
      const isHungUp = closed.isHungUp || waiting.some(({ type }) => type === "stopped");
      if (answer.ok) leave({ isHungUp }, answer.input);
      return;
    }
    if (!answer.ok) {
      codec.free();
      this.#complain(answer.code, answer.message);
      this.#socket.close(answer.close);
      return;
    }
    this.#phase = { kind: "live", codec, stream, input: answer.input, order: new ReorderBuffer() };
    for (const event of waiting) this.#onEvent(event);
  }

  #connection(
    { format, callSid }: MediaStart,
    { codec, stream }: { codec: SocketCodec; stream: StreamSerializer },
  ): CallerConnection {
    return {
      format,
      reportsPlayed: false,
      ...(callSid === undefined ? {} : { callSid }),
      send: (message) => this.#tell(message, stream),
      sendFrame: (frame) => {
        if (!this.#isClosed()) this.#send(stream.audio(codec.encode(frame)));
      },
      together: (work) => this.#socket.together(work),
      close: (reason) => this.#socket.close(reason),
    };
  }

  /** A carrier understands two of the messages meant for a caller's app. The agent's keys are in its audio. */
  #tell(message: ServerMessage, stream: StreamSerializer): void {
    if (this.#isClosed()) return;
    if (message.type === "mark") this.#send(stream.mark(message.name));
    else if (message.type === "clear") this.#send(stream.clear());
  }

  #send(message: string | Uint8Array): void {
    const sent =
      typeof message === "string" ? this.#socket.sendText(message) : this.#socket.sendBinary(message);
    if (sent === "dropped") this.#deps.onDropped("slow_reader");
  }

  #onAudio(event: Extract<MediaEvent, { type: "audio" }>, live: Live): void {
    const nowMs = this.#deps.clock.monotonicMs();
    const durationMs = live.codec.durationMs(event.bytes);
    if (durationMs === 0 || durationMs > MAX_AUDIO_MESSAGE_MS) {
      this.#complain("audio_length", `audio of ${event.bytes.length} bytes`);
      return;
    }
    if (!this.#guard.admitAudio(durationMs, nowMs)) {
      this.#drop("audio_too_fast");
      return;
    }
    const inOrder =
      event.chunk === undefined ? [event.bytes] : live.order.push(event.chunk, event.bytes, nowMs);
    for (const bytes of inOrder) this.#hear(bytes, live);
  }

  #hear(bytes: Uint8Array, { codec, stream, input }: Live): void {
    let samples: Int16Array;
    try {
      samples = codec.decode(stream.read?.(bytes) ?? bytes);
    } catch (error) {
      this.#complain("audio_decode", messageOf(error));
      return;
    }
    input.onAudio(samples);
  }

  #onMalformed(problem: string): void {
    this.#complain("malformed_message", problem);
    this.#malformed += 1;
    if (this.#phase.kind === "fresh" || this.#malformed > MAX_MALFORMED) this.#socket.close(CLOSE.protocol);
  }

  #drop(reason: "audio_too_fast" | "message_flood"): void {
    this.#deps.onDropped(reason);
    this.#complain(reason, "the surplus is dropped");
  }

  /** Carriers do not read our errors, so each kind is counted, and logged once. */
  #complain(code: string, problem: string): void {
    this.#deps.onError(code);
    if (this.#complaints.has(code)) return;
    this.#complaints.add(code);
    this.#deps.log.warn(
      { event: "carrier_media_invalid", code, problem },
      "a carrier's media socket sends invalid messages",
    );
  }

  /** Nobody else catches what happens after an await: it would end the process, and all of its calls. */
  #failed(error: unknown): void {
    this.#deps.log.error({ event: "socket_start_failed", err: messageOf(error) }, "failed to start a socket");
    this.#socket.close(CLOSE.overloaded);
  }

  #isClosed(): boolean {
    return this.#closed() !== undefined;
  }

  #closed(): Extract<Phase, { kind: "closed" }> | undefined {
    return this.#phase.kind === "closed" ? this.#phase : undefined;
  }
}

/** Tells the call that its socket has closed: by a hang-up, or broken. */
function leave({ isHungUp }: { readonly isHungUp: boolean }, input: CallerInput): void {
  if (isHungUp) input.onMessage({ type: "hangup" });
  else input.onDropped();
}
