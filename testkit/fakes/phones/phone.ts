import { once } from "node:events";
import { createSocketCodec, type SocketCodec } from "@parley/media/codecs/socket-codec.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { WebSocket } from "ws";
import type { PhoneDialect } from "./dialect.ts";
import { PlayoutBuffer } from "./playout.ts";

export interface PhoneOptions {
  /** Delay of the carrier's buffer and network before audio is heard. */
  readonly delayMs?: number;
  /** Sends frames out of order, and some twice. */
  readonly isDisorderly?: boolean;
  /** Never confirms played marks. */
  readonly forgetsMarks?: boolean;
}

/** Every n-th frame is swapped with the next one, or sent twice. */
const SWAP_EVERY = 4;
const TWICE_EVERY = 7;

/** A phone call's media as a fake carrier brings it to the gateway: 20 ms frames both ways, in real time. */
export class FakePhone {
  /** Audio the caller heard, at 16 kHz. */
  readonly heard: Int16Array[] = [];
  readonly playedMarks: string[] = [];
  readonly droppedMarks: string[] = [];
  clears = 0;
  /** Messages the carrier would have refused. */
  readonly faults: string[] = [];
  closed: { code: number } | undefined;
  readonly socket: WebSocket;
  readonly #dialect: PhoneDialect;
  readonly #codec: SocketCodec;
  readonly #playout: PlayoutBuffer;
  readonly #isDisorderly: boolean;
  readonly #forgetsMarks: boolean;
  readonly #said: Int16Array[] = [];
  #onSaid: (() => void) | undefined;
  #held: string | Uint8Array | undefined;
  #frames = 0;
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;

  private constructor(
    socket: WebSocket,
    parts: { dialect: PhoneDialect; codec: SocketCodec; options: PhoneOptions },
  ) {
    const { dialect, codec, options } = parts;
    this.socket = socket;
    this.#dialect = dialect;
    this.#codec = codec;
    this.#isDisorderly = options.isDisorderly ?? false;
    this.#forgetsMarks = options.forgetsMarks ?? false;
    const frameBytes = codec.encode(new Int16Array(FRAME_SAMPLES)).length;
    this.#playout = new PlayoutBuffer({ frameBytes, delayMs: options.delayMs ?? 0 });
    socket.on("message", (data: Buffer, isBinary) =>
      this.#onMessage(isBinary ? data : data.toString("utf8")),
    );
    socket.on("close", (code) => this.#onClosed(code));
    for (const message of dialect.opening()) socket.send(message);
    this.#timer = setInterval(() => this.#catchUp(), FRAME_MS);
  }

  /** Connects as the carrier does once the call is answered. */
  static async connect(url: string, dialect: PhoneDialect, options: PhoneOptions = {}): Promise<FakePhone> {
    const codec = await createSocketCodec(dialect.format);
    const socket = new WebSocket(url);
    await once(socket, "open");
    return new FakePhone(socket, { dialect, codec, options });
  }

  /** Speaks 16 kHz audio; resolves when it has been sent. */
  async speak(samples: Int16Array): Promise<void> {
    for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
      this.#said.push(samples.slice(at, at + FRAME_SAMPLES));
    }
    await new Promise<void>((resolve) => {
      this.#onSaid = resolve;
    });
  }

  press(digits: string): void {
    for (const digit of digits) this.socket.send(this.#dialect.digit(digit));
  }

  hangUp(): void {
    const stop = this.#dialect.stop();
    if (stop !== undefined) this.socket.send(stop);
    this.socket.close(1000);
  }

  /** Breaks the connection while the call goes on. */
  drop(): void {
    this.socket.terminate();
  }

  async untilClosed(): Promise<{ code: number }> {
    if (!this.closed) await once(this.socket, "close");
    return this.closed ?? { code: 0 };
  }

  #onMessage(message: string | Uint8Array): void {
    try {
      const said = this.#dialect.read(message);
      if (said.type === "audio") this.#playout.write(said.bytes);
      else if (said.type === "mark") this.#playout.mark(said.name);
      else this.#clear();
    } catch (error) {
      this.faults.push(String(error));
    }
  }

  #clear(): void {
    this.clears += 1;
    const dropped = this.#playout.clear();
    this.droppedMarks.push(...dropped);
    for (const message of this.#dialect.cleared(dropped)) this.#send(message);
  }

  #onClosed(code: number): void {
    this.closed = { code };
    clearInterval(this.#timer);
    this.#codec.free();
    this.#onSaid?.();
  }

  #catchUp(): void {
    const due = Math.floor((performance.now() - this.#startedMs) / FRAME_MS);
    while (this.#frames < due && !this.closed) this.#tick();
  }

  #tick(): void {
    this.#frames += 1;
    const frame = this.#said.shift();
    this.#sendMedia(this.#dialect.media(this.#codec.encode(frame ?? new Int16Array(FRAME_SAMPLES)).slice()));
    if (this.#said.length === 0) this.#onSaid?.();
    const { audio, marks } = this.#playout.tick();
    for (const name of marks) {
      this.playedMarks.push(name);
      if (!this.#forgetsMarks) this.#send(this.#dialect.played(name));
    }
    if (audio) this.heard.push(this.#codec.decode(audio).slice());
  }

  #sendMedia(message: string | Uint8Array): void {
    if (!this.#isDisorderly) {
      this.#send(message);
      return;
    }
    if (this.#frames % SWAP_EVERY === 0) {
      this.#held = message;
      return;
    }
    this.#send(message);
    if (this.#held !== undefined) this.#send(this.#held);
    this.#held = undefined;
    if (this.#frames % TWICE_EVERY === 0) this.#send(message);
  }

  #send(message: string | Uint8Array): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message);
  }
}
