import type { Clock } from "@parley/shared/clock.ts";
import type { ClientMessage, ServerMessage } from "@parley/shared/contracts/call-socket.ts";

const FRAME_MS = 20;
const FRAME_SAMPLES = 320;
const SILENCE = new Int16Array(FRAME_SAMPLES);
/** Above the level of a quiet room, below speech. */
const QUIET_PEAK = 600;
/** Most frames that the microphone catches up on after a stall. */
const MAX_CATCH_UP_FRAMES = 50;

export interface PhoneSocketEvents {
  onMessage?(message: ServerMessage): void;
  /** Receives 20 ms of the far end's audio as it arrives. */
  onAudio?(samples: Int16Array): void;
  /** Adds what the microphone picks up beside the words; the frame may be kept. */
  pickUp?(frame: Int16Array<ArrayBuffer>): Int16Array<ArrayBuffer>;
  onClosed(): void;
}

/**
 * A telephone's end of a call socket: 16 kHz both ways, a microphone that is open while anybody listens, and a
 * loudspeaker that plays in real time and reports what it has played.
 */
export class PhoneSocket {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #events: PhoneSocketEvents;
  readonly #queue: Int16Array[] = [];
  #queuedAt = 0;
  #sentFrames = 0;
  #startMs = 0;
  #stopMicrophone: () => void = () => undefined;
  #playedUntilMs = 0;
  #speechBeganMs = 0;
  #heardFrames = 0;
  #soundUntilMs = 0;
  #isTextual = false;
  #isClosed = false;

  constructor(url: string, events: PhoneSocketEvents, clock: Clock) {
    this.#clock = clock;
    this.#events = events;
    this.#socket = new WebSocket(url);
    this.#socket.binaryType = "arraybuffer";
    this.#socket.onopen = () =>
      this.#send({ type: "start", audio: { encoding: "pcm_s16le", sampleRate: 16_000 } });
    this.#socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === "string") this.#read(JSON.parse(data) as ServerMessage);
      else this.#hear(new Int16Array(data));
    };
    this.#socket.onclose = () => this.#closed();
  }

  /** Whether the gateway has no recognizer, so words are sent as text. */
  get isTextual(): boolean {
    return this.#isTextual;
  }

  /** Audible frames received from the far end so far. */
  get heardFrames(): number {
    return this.#heardFrames;
  }

  /** How long the far end has been silent; 0 while it speaks. An open microphone sends silence continuously. */
  get quietMs(): number {
    return Math.max(0, this.#clock.monotonicMs() - this.#soundUntilMs);
  }

  /** Duration of the queued speech. */
  get leftToSayMs(): number {
    const samples = this.#queue.reduce((sum, { length }) => sum + length, 0) - this.#queuedAt;
    return (samples / FRAME_SAMPLES) * FRAME_MS;
  }

  speak(samples: Int16Array): void {
    this.#queue.push(samples);
  }

  sendText(text: string): void {
    this.#send({ type: "text", text });
  }

  press(digit: string): void {
    this.#send({ type: "dtmf", digit } as ClientMessage);
  }

  hangUp(): void {
    this.#send({ type: "hangup" });
    this.#socket.close();
    this.#closed();
  }

  #read(message: ServerMessage): void {
    if (message.type === "ready") {
      this.#isTextual = message.recognition === "client";
      this.#startMs = this.#clock.monotonicMs();
      this.#stopMicrophone = this.#clock.every(FRAME_MS, () => this.#speakDueFrames());
    }
    if (message.type === "state" && message.state === "speaking")
      this.#speechBeganMs = Math.max(this.#clock.monotonicMs(), this.#playedUntilMs);
    if (message.type === "mark") this.#whenPlayed(() => this.#send({ type: "mark", name: message.name }));
    if (message.type === "clear") {
      const nowMs = this.#clock.monotonicMs();
      const playedMs = Math.max(0, Math.min(nowMs, this.#playedUntilMs) - this.#speechBeganMs);
      this.#playedUntilMs = nowMs;
      this.#send({ type: "clear", playedMs });
    }
    this.#events.onMessage?.(message);
  }

  #hear(samples: Int16Array): void {
    const nowMs = this.#clock.monotonicMs();
    this.#playedUntilMs = Math.max(nowMs, this.#playedUntilMs) + (samples.length / FRAME_SAMPLES) * FRAME_MS;
    if (samples.some((sample) => Math.abs(sample) > QUIET_PEAK)) {
      this.#heardFrames += 1;
      this.#soundUntilMs = this.#playedUntilMs;
    }
    this.#events.onAudio?.(samples);
  }

  #whenPlayed(then: () => void): void {
    const leftMs = this.#playedUntilMs - this.#clock.monotonicMs();
    if (leftMs <= 0) then();
    else this.#clock.after(leftMs, then);
  }

  #speakDueFrames(): void {
    const due = Math.floor((this.#clock.monotonicMs() - this.#startMs) / FRAME_MS);
    this.#sentFrames = Math.max(this.#sentFrames, due - MAX_CATCH_UP_FRAMES);
    // With no recognizer listening, silence need not be sent: hundreds of phones live in one process.
    if (this.#isTextual && this.#queue.length === 0) this.#sentFrames = due;
    for (; this.#sentFrames < due; this.#sentFrames++) {
      const frame = this.#nextFrame();
      if (this.#socket.readyState === WebSocket.OPEN)
        this.#socket.send(this.#events.pickUp?.(frame) ?? frame);
    }
  }

  #nextFrame(): Int16Array<ArrayBuffer> {
    const frame = SILENCE.slice();
    let filled = 0;
    while (filled < FRAME_SAMPLES) {
      const first = this.#queue[0];
      if (!first) break;
      const part = first.subarray(this.#queuedAt, this.#queuedAt + FRAME_SAMPLES - filled);
      frame.set(part, filled);
      filled += part.length;
      this.#queuedAt += part.length;
      if (this.#queuedAt < first.length) break;
      this.#queue.shift();
      this.#queuedAt = 0;
    }
    return frame;
  }

  #send(message: ClientMessage): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopMicrophone();
    this.#events.onClosed();
  }
}
