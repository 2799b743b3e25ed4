import type { WebSocket } from "ws";
import { type FakeServer, startFakeServer } from "./fake-server.ts";
import { bytesAt, type FakeVoice } from "./fake-speech.ts";
import { type Fault, FaultSwitch } from "./faults.ts";
import { sendAudio } from "./send-audio.ts";

const MAX_CONTEXTS = 5;
const POLICY_VIOLATION = 1008;
const PATH = /^\/v1\/text-to-speech\/([^/]+)\/multi-stream-input$/;

export interface FakeElevenLabsOptions {
  readonly apiKey: string;
  readonly voice: FakeVoice;
  readonly port?: number;
  /** Start of each character as a share of the audio; evenly spaced when absent, no times when `null`. */
  readonly times?: ((text: string) => readonly number[]) | null;
  /** Overrides the client's value, so that a test need not wait. */
  readonly inactivityTimeoutMs?: number;
}

export interface FakeElevenLabs extends FakeServer {
  readonly faults: FaultSwitch;
  /** `speeds`: requested speeds, of contexts with one. */
  readonly asked: { sockets: number; readonly texts: string[]; readonly speeds: number[] };
  /** Resolves when no socket is open. */
  untilNoSockets(): Promise<void>;
}

/** ElevenLabs' multi-context websocket, as documented at elevenlabs.io/docs. */
export async function startFakeElevenLabs(options: FakeElevenLabsOptions): Promise<FakeElevenLabs> {
  const faults = new FaultSwitch();
  const asked = { sockets: 0, texts: [] as string[], speeds: [] as number[] };
  const open = new Set<WebSocket>();
  const server = await startFakeServer({
    port: options.port,
    onUpgrade: (request, upgrade) => {
      asked.sockets += 1;
      const fault = faults.take();
      const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://fake");
      const key = String(request.headers["xi-api-key"]);
      if (fault?.kind === "hang") return;
      if (fault?.kind === "status") return upgrade.refuse(fault.status, { detail: { status: "fault" } });
      const voiceId = PATH.exec(pathname)?.[1];
      if (voiceId === undefined) return upgrade.refuse(404, { detail: "Not Found" });
      upgrade.accept((socket) => {
        open.add(socket);
        socket.once("close", () => open.delete(socket));
        if (key !== options.apiKey) refuse(socket, "invalid_api_key", `Invalid API key ${key}`);
        else if (voiceId === "nobody") refuse(socket, "voice_id_does_not_exist", "No such voice");
        else if (voiceId === "crowded") refuse(socket, "model_overloaded", "Try again");
        else if (query.get("output_format") !== "pcm_16000") refuse(socket, "unsupported_output_format", "");
        else {
          const onText = (text: string): void => void asked.texts.push(text);
          const onSpeed = (speed: number): void => void asked.speeds.push(speed);
          new VoiceSocket(socket, { ...options, query, fault, onText, onSpeed });
        }
      });
    },
  });
  const untilNoSockets = async (): Promise<void> => {
    for (const socket of open) await new Promise((resolve) => socket.once("close", resolve));
  };
  return { ...server, faults, asked, untilNoSockets };
}

function refuse(socket: WebSocket, error: string, message: string): void {
  socket.send(JSON.stringify({ message, error, code: POLICY_VIOLATION }));
  socket.close(POLICY_VIOLATION, error);
}

interface VoiceSocketOptions extends FakeElevenLabsOptions {
  readonly query: URLSearchParams;
  readonly fault: Fault | undefined;
  readonly onText: (text: string) => void;
  readonly onSpeed: (speed: number) => void;
}

interface ClientMessage {
  readonly text?: string;
  readonly context_id?: string;
  readonly flush?: boolean;
  readonly close_context?: boolean;
  readonly close_socket?: boolean;
  readonly voice_settings?: { readonly speed?: number };
}

class VoiceSocket {
  readonly #socket: WebSocket;
  readonly #options: VoiceSocketOptions;
  /** Unspoken text of each open context. */
  readonly #contexts = new Map<string, string>();
  #queue = Promise.resolve();
  #pending = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, options: VoiceSocketOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on("message", (data: Buffer) => this.#onMessage(JSON.parse(data.toString()) as ClientMessage));
    socket.once("close", () => clearTimeout(this.#idleTimer));
    this.#restartIdleTimer();
  }

  #onMessage(message: ClientMessage): void {
    this.#restartIdleTimer();
    const { context_id: context = "default", text, flush, close_context, close_socket } = message;
    if (close_socket) {
      this.#socket.close();
      return;
    }
    const speed = message.voice_settings?.speed;
    if (speed !== undefined) this.#options.onSpeed(speed);
    if (text !== undefined && !this.#contexts.has(context) && this.#contexts.size >= MAX_CONTEXTS) {
      refuse(this.#socket, "max_active_conversations", "Maximum simultaneous contexts exceeded (5)");
      return;
    }
    if (text !== undefined) this.#contexts.set(context, `${this.#contexts.get(context) ?? ""}${text}`);
    if (flush || close_context) this.#speak(context);
    if (close_context) this.#closeContext(context);
  }

  #speak(context: string): void {
    const text = (this.#contexts.get(context) ?? "").trim();
    this.#contexts.set(context, "");
    if (text === "") return;
    this.#options.onText(text);
    this.#later(async () => {
      const socket = this.#socket;
      const { fault, voice } = this.#options;
      const spoken = await bytesAt(16_000, await voice(text));
      let sentBytes = 0;
      const sink = {
        write: (bytes: Uint8Array) => {
          const audio = Buffer.from(bytes).toString("base64");
          const chunk = { from: sentBytes, to: sentBytes + bytes.length, of: spoken.length };
          sentBytes = chunk.to;
          const alignment = this.#align(text, chunk);
          socket.send(JSON.stringify({ audio, isFinal: null, contextId: context, alignment }));
        },
        destroy: () => socket.terminate(),
        get isGone() {
          return socket.readyState !== socket.OPEN;
        },
      };
      if (fault?.kind !== "mute") await sendAudio(sink, spoken, fault);
    });
  }

  /** Characters that start in a chunk, with times relative to the chunk. */
  #align(text: string, { from, to, of }: { from: number; to: number; of: number }): object | null {
    const { times, query } = this.#options;
    if (times === null || query.get("sync_alignment") !== "true") return null;
    const chars = [...text];
    const shares = times?.(text) ?? chars.map((_, i) => i / chars.length);
    const starts = chars.map((_, i) => (shares[i] ?? 1) * of);
    const here = chars.flatMap((char, i) => {
      const [start = of, end = of] = [starts[i], starts[i + 1]];
      if (start < from || start >= to) return [];
      // A character that continues in the next chunk is reported in full here.
      return [{ char, startMs: (start - from) / 32, durationMs: (Math.min(end, to) - start) / 32 }];
    });
    return {
      chars: here.map(({ char }) => char),
      charStartTimesMs: here.map(({ startMs }) => Math.round(startMs)),
      charDurationsMs: here.map(({ durationMs }) => Math.round(durationMs)),
    };
  }

  #closeContext(context: string): void {
    this.#later(() => {
      this.#contexts.delete(context);
      const { fault } = this.#options;
      if (fault?.kind === "mute" || fault?.kind === "stall") return;
      this.#socket.send(JSON.stringify({ audio: null, isFinal: true, contextId: context }));
    });
  }

  #later(work: () => void | Promise<void>): void {
    this.#pending += 1;
    this.#queue = this.#queue
      .then(work)
      .catch(() => this.#socket.terminate())
      .finally(() => {
        this.#pending -= 1;
        this.#restartIdleTimer();
      });
  }

  #restartIdleTimer(): void {
    const askedMs = Number(this.#options.query.get("inactivity_timeout") ?? 20) * 1000;
    clearTimeout(this.#idleTimer);
    if (this.#pending > 0 || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#idleTimer = setTimeout(
      () => refuse(this.#socket, "input_timeout_exceeded", "No input for too long"),
      this.#options.inactivityTimeoutMs ?? askedMs,
    );
  }
}
