import {
  type ClientMessage,
  type ServerMessage,
  serverMessageSchema,
} from "@parley/shared/contracts/call-socket.ts";
import { CLOSE } from "@parley/shared/contracts/close-codes.ts";
import { CALL_AUDIO } from "./call-format.ts";

export type ReadyMessage = Extract<ServerMessage, { type: "ready" }>;

/** Why a call could not start or continue. */
export type CallFailure =
  /** No gateway answered, or it refused the URL; browsers do not tell which. */
  | "unreachable"
  | "overloaded"
  /** The socket dropped and did not come back within the window. */
  | "lost"
  /** This page and the gateway speak different contracts. */
  | "protocol"
  /** The gateway gave the reason in an `error` message just before. */
  | "fatal";

export type CallSocketEvent =
  | { readonly type: "ready"; readonly ready: ReadyMessage }
  | { readonly type: "resuming" }
  | { readonly type: "message"; readonly message: Exclude<ServerMessage, ReadyMessage | EndedMessage> }
  | { readonly type: "audio"; readonly samples: Int16Array<ArrayBuffer> }
  | { readonly type: "ended"; readonly reason: string }
  | { readonly type: "failed"; readonly failure: CallFailure };

type EndedMessage = Extract<ServerMessage, { type: "ended" }>;

export interface CallSocketOptions {
  readonly onEvent: (event: CallSocketEvent) => void;
  /** How long the gateway keeps a call whose socket dropped (call socket, "Resuming"). */
  readonly resumeWindowMs?: number;
  /** Delays before each attempt to resume; the last one repeats. */
  readonly retryDelaysMs?: readonly number[];
}

/** Reasons of `ended` events raised on this side; all others come from the gateway. */
const LOCAL_END = { hangup: "hangup", replaced: "replaced", closed: "closed" } as const;

const RESUME_WINDOW_MS = 15_000;
const RETRY_DELAYS_MS = [0, 250, 500, 1000, 2000] as const;
/** The gateway itself waits 10 s for a `start`. */
const READY_DEADLINE_MS = 10_000;
/** How long a hang-up waits for the gateway's `ended`. */
const HANGUP_DEADLINE_MS = 2_000;
/** About 2 s of unsent audio: the socket is dead, whatever its state says. */
const MAX_BACKLOG_BYTES = 64_000;
/** Close code of a socket that broke without a close frame (RFC 6455, 7.1.5). */
const ABNORMAL_CLOSE = 1006;
/** Limit of messages kept while disconnected. */
const MAX_OUTBOX = 64;

/** The connection's state; each state holds only what it needs. */
type Link =
  | { readonly at: "idle" | "ended" | "failed" }
  | { readonly at: "connecting" }
  | { readonly at: "live"; readonly resumeToken: string }
  | {
      readonly at: "resuming";
      readonly resumeToken: string;
      readonly untilMs: number;
      readonly attempt: number;
    };
export type CallSocketState = Link["at"];

/**
 * One call on the gateway's call socket: starts it, keeps it across dropped sockets, ends it. Knows nothing
 * of microphones or pages.
 */
export class CallSocket {
  readonly #url: string;
  readonly #options: CallSocketOptions;
  readonly #outbox: ClientMessage[] = [];
  #link: Link = { at: "idle" };
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isHungUp = false;

  /** @param websocketUrl as `init-web-call` returns it, including the ticket */
  constructor(websocketUrl: string, options: CallSocketOptions) {
    this.#url = websocketUrl;
    this.#options = options;
  }

  get state(): CallSocketState {
    return this.#link.at;
  }

  connect(): void {
    if (this.#link.at !== "idle") return;
    this.#link = { at: "connecting" };
    this.#after(READY_DEADLINE_MS, () => this.#fail("unreachable"));
    try {
      this.#open();
    } catch {
      // Browsers throw immediately for an insecure socket on a secure page.
      this.#fail("unreachable");
    }
  }

  /** Sends a message, or queues it until the socket is back. */
  send(message: ClientMessage): void {
    if (this.#link.at === "live") this.#socket?.send(JSON.stringify(message));
    else if (this.#link.at === "connecting" || this.#link.at === "resuming") {
      this.#outbox.push(message);
      if (this.#outbox.length > MAX_OUTBOX) this.#outbox.shift();
    }
  }

  /** Sends 20 ms of caller audio; drops it while disconnected, as late audio only confuses a turn. */
  sendAudio(samples: Int16Array<ArrayBuffer>): void {
    if (this.#link.at !== "live" || this.#socket === undefined) return;
    if (this.#socket.bufferedAmount > MAX_BACKLOG_BYTES) this.#dropped();
    else this.#socket.send(samples);
  }

  /** Retries at once instead of at the next attempt, for when the network is back. */
  retryNow(): void {
    if (this.#link.at === "resuming" && this.#socket === undefined) this.#attempt();
  }

  hangUp(): void {
    if (this.#link.at === "live") {
      this.#isHungUp = true;
      this.send({ type: "hangup" });
      this.#after(HANGUP_DEADLINE_MS, () => this.#end(LOCAL_END.hangup));
    } else this.#end(LOCAL_END.hangup);
  }

  #open(): void {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    const ifCurrent =
      <E>(handle: (event: E) => void) =>
      (event: E) => {
        if (this.#socket === socket) handle(event);
      };
    socket.onopen = ifCurrent(() => this.#sendStart(socket));
    socket.onmessage = ifCurrent<MessageEvent<string | ArrayBuffer>>(({ data }) => this.#onData(data));
    socket.onclose = ifCurrent<CloseEvent>(({ code }) => this.#onClose(code));
    // A refused handshake raises an error, not always followed by a close.
    socket.onerror = ifCurrent(() => this.#onClose(ABNORMAL_CLOSE));
  }

  #sendStart(socket: WebSocket): void {
    const resume = this.#link.at === "resuming" ? { resume: this.#link.resumeToken } : {};
    socket.send(JSON.stringify({ type: "start", audio: CALL_AUDIO, ...resume } satisfies ClientMessage));
  }

  #onData(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      this.#options.onEvent({ type: "audio", samples: wholeSamples(data) });
      return;
    }
    const message = parse(data);
    if (message === undefined) return;
    if (message.type === "ready") this.#onReady(message);
    else if (message.type === "ended") this.#end(message.reason);
    else {
      this.#options.onEvent({ type: "message", message });
      if (message.type === "error" && message.fatal) this.#fail("fatal");
    }
  }

  #onReady(ready: ReadyMessage): void {
    clearTimeout(this.#timer);
    this.#link = { at: "live", resumeToken: ready.resume };
    this.#options.onEvent({ type: "ready", ready });
    for (const message of this.#outbox.splice(0)) this.send(message);
  }

  #onClose(code: number): void {
    this.#socket = undefined;
    if (code === CLOSE.ended.code) this.#end(LOCAL_END.closed);
    else if (code === CLOSE.replaced.code) this.#end(LOCAL_END.replaced);
    else if (code === CLOSE.malformed.code || code === CLOSE.tooLarge.code) this.#fail("protocol");
    else if (this.#link.at === "connecting") {
      this.#fail(code === CLOSE.overloaded.code ? "overloaded" : "unreachable");
    } else this.#dropped();
  }

  /** The socket is gone but the call is not, unless this side hung up: the gateway keeps it for the resume window. */
  #dropped(): void {
    this.#forgetSocket();
    if (this.#isHungUp) {
      this.#end(LOCAL_END.hangup);
      return;
    }
    if (this.#link.at === "live") {
      const untilMs = performance.now() + (this.#options.resumeWindowMs ?? RESUME_WINDOW_MS);
      this.#link = { at: "resuming", resumeToken: this.#link.resumeToken, untilMs, attempt: 0 };
      this.#options.onEvent({ type: "resuming" });
    }
    if (this.#link.at !== "resuming") return;
    const delays = this.#options.retryDelaysMs ?? RETRY_DELAYS_MS;
    const delayMs = delays[Math.min(this.#link.attempt, delays.length - 1)] ?? 0;
    if (performance.now() + delayMs > this.#link.untilMs) {
      this.#fail("lost");
      return;
    }
    this.#link = { ...this.#link, attempt: this.#link.attempt + 1 };
    this.#after(delayMs, () => this.#attempt());
  }

  #attempt(): void {
    if (this.#link.at !== "resuming") return;
    this.#open();
    this.#after(this.#link.untilMs - performance.now(), () => this.#fail("lost"));
  }

  #end(reason: string): void {
    if (!this.#finish("ended")) return;
    this.#options.onEvent({ type: "ended", reason });
  }

  #fail(failure: CallFailure): void {
    if (!this.#finish("failed")) return;
    this.#options.onEvent({ type: "failed", failure });
  }

  #finish(at: "ended" | "failed"): boolean {
    if (this.#link.at === "ended" || this.#link.at === "failed") return false;
    this.#link = { at };
    clearTimeout(this.#timer);
    this.#outbox.length = 0;
    this.#forgetSocket();
    return true;
  }

  #forgetSocket(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #after(delayMs: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, Math.max(0, delayMs));
  }
}

/** Drops a torn last byte, which would make the typed array throw. */
function wholeSamples(data: ArrayBuffer): Int16Array<ArrayBuffer> {
  return new Int16Array(data.byteLength % 2 === 0 ? data : data.slice(0, -1));
}

/** Skips messages of a later contract, which only ever extends this one. */
function parse(data: string): ServerMessage | undefined {
  try {
    return serverMessageSchema.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}
