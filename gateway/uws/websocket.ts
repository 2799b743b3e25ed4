import type {
  HttpRequest,
  HttpResponse,
  us_socket_context_t,
  WebSocket,
  WebSocketBehavior,
} from "uWebSockets.js";
import { STATUS_CODES } from "node:http";
import { CLOSE } from "@parley/shared/contracts/close-codes.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { CorkAnchor } from "./cork-anchor.ts";
import { sendJson } from "./http-routes.ts";
import type {
  Admission,
  SendResult,
  SocketAddress,
  SocketHandler,
  SocketPort,
  SocketRoute,
} from "./socket-port.ts";
import type { SocketSlots } from "./socket-slots.ts";

export interface SocketLimits {
  /** A longer message closes the socket with 1009. */
  readonly maxMessageBytes: number;
  /** Bytes that may wait for a slow reader; anything beyond is dropped. */
  readonly maxBufferedBytes: number;
  /** A peer that answers no ping for this long counts as gone. */
  readonly idleTimeoutSecs: number;
  /** Maximum number of sockets of one route; a further one is refused with 503. */
  readonly maxSocketsPerRoute?: number;
}

/**
 * uWebSockets.js drops the connection without a close frame if a message exceeds its own limit. To be able to say 1009,
 * its limit is this much higher than ours.
 */
const HARD_LIMIT_FACTOR = 32;
const RETRY_AFTER_SECS = 2;

interface SocketBehaviorDeps {
  readonly route: SocketRoute;
  readonly readAddress: (req: HttpRequest) => SocketAddress;
  readonly limits: SocketLimits;
  readonly onRefused: (reason: string) => void;
  readonly onCount: (change: 1 | -1) => void;
  readonly slots: SocketSlots;
  /** Upgrades are corked in this anchor. */
  readonly anchor: CorkAnchor;
  readonly log: Logger;
}

type Refusal = Extract<Admission, { ok: false }>;

const FULL: Refusal = {
  ok: false,
  status: 503,
  code: "unavailable",
  message: "This node cannot take another socket. Try again.",
  retryAfterSecs: RETRY_AFTER_SECS,
};
const FAULT: Refusal = {
  ok: false,
  status: 500,
  code: "internal",
  message: "The socket could not be opened. The server's log says why.",
};

interface SocketData {
  readonly sessionId: string;
  readonly admission: Extract<Admission, { ok: true }>;
  port: UwsSocket | undefined;
  handler: SocketHandler | undefined;
}

/** The websocket behavior of one route: admission at the upgrade, then messages to the route's handler. */
export function socketBehavior(deps: SocketBehaviorDeps): WebSocketBehavior<SocketData> {
  const { limits, log, onCount, slots } = deps;
  /** An exception in a uWS callback would end the process. */
  const failed = (data: SocketData, error: unknown): void => {
    log.error(
      { event: "socket_handler_failed", err: messageOf(error), sessionId: data.sessionId },
      "a socket's handler failed",
    );
    data.port?.close(CLOSE.overloaded);
  };
  const caught = (data: SocketData, work: () => void): void => {
    try {
      work();
    } catch (error) {
      failed(data, error);
    }
  };
  const guarded = (data: SocketData, work: (handler: SocketHandler) => void): void =>
    caught(data, () => {
      if (data.handler) work(data.handler);
    });
  /** Runs fifty times a second per call, so messages get no closure of their own. */
  const take = (data: SocketData, message: ArrayBuffer, isBinary: boolean): void => {
    try {
      if (isBinary) data.handler?.onBinary(new Uint8Array(message));
      else data.handler?.onText(Buffer.from(message).toString("utf8"));
    } catch (error) {
      failed(data, error);
    }
  };
  return {
    maxPayloadLength: limits.maxMessageBytes * HARD_LIMIT_FACTOR,
    maxBackpressure: limits.maxBufferedBytes,
    idleTimeout: limits.idleTimeoutSecs,
    sendPingsAutomatically: true,
    upgrade: (res, req, context) => {
      upgrade(res, req, { ...deps, context });
    },
    open: (ws) => {
      const data = ws.getUserData();
      onCount(1);
      const port = new UwsSocket(ws);
      data.port = port;
      caught(data, () => {
        data.handler = data.admission.open(port);
      });
    },
    message: (ws, message, isBinary) => {
      const data = ws.getUserData();
      if (message.byteLength > limits.maxMessageBytes) {
        data.port?.close(CLOSE.tooLarge);
        return;
      }
      take(data, message, isBinary);
    },
    drain: (ws) => guarded(ws.getUserData(), (handler) => handler.onDrain?.()),
    close: (ws, code) => {
      const data = ws.getUserData();
      onCount(-1);
      slots.free();
      data.port?.markClosed();
      guarded(data, (handler) => handler.onClose(code));
      data.handler = undefined;
    },
  };
}

/** Parses `/<sessionId>?ticket=…`. */
export function queryAddress(req: HttpRequest): SocketAddress {
  const ticket = req.getQuery("ticket");
  return { sessionId: req.getParameter(0) ?? "", ticket: ticket === "" ? undefined : ticket };
}

/** Parses `/<carrier>/<sessionId>/<ticket>`: some carriers remove the query. */
export function pathAddress(req: HttpRequest): SocketAddress {
  const [carrier, sessionId, ticket] = [0, 1, 2].map((index) => req.getParameter(index) ?? "");
  return { carrier: carrier ?? "", sessionId: sessionId ?? "", ticket: ticket === "" ? undefined : ticket };
}

function upgrade(
  res: HttpResponse,
  req: HttpRequest,
  deps: SocketBehaviorDeps & { context: us_socket_context_t },
): void {
  const { route, slots, anchor, onRefused, log, context } = deps;
  // Copies everything from the request before the first await, because uWS reuses it afterwards.
  const address = deps.readAddress(req);
  const { sessionId } = address;
  const key = req.getHeader("sec-websocket-key");
  const protocol = req.getHeader("sec-websocket-protocol");
  const extensions = req.getHeader("sec-websocket-extensions");
  let isAborted = false;
  res.onAborted(() => {
    isAborted = true;
  });
  const refuseWith = (refusal: Refusal): void => {
    onRefused(refusal.code);
    if (!isAborted) refuse(res, refusal);
  };
  if (!slots.take()) {
    refuseWith(FULL);
    return;
  }
  const decide = async (): Promise<void> => {
    const admission = await route.admit(address);
    if (!admission.ok || isAborted) {
      slots.free();
      if (!admission.ok) refuseWith(admission);
      return;
    }
    const data: SocketData = { sessionId, admission, port: undefined, handler: undefined };
    anchor.cork(() => res.upgrade(data, key, protocol, extensions, context));
  };
  decide().catch((error: unknown) => {
    slots.free();
    log.error(
      { event: "upgrade_failed", err: messageOf(error), sessionId },
      "failed to upgrade a request to a WebSocket",
    );
    refuseWith(FAULT);
  });
}

function refuse(res: HttpResponse, refusal: Refusal): void {
  const { status, code, message: error, retryAfterSecs } = refusal;
  sendJson(res, {
    status: `${status} ${STATUS_CODES[status] ?? "Error"}`,
    body: { success: false, error, code },
    headers: retryAfterSecs === undefined ? {} : { "Retry-After": String(retryAfterSecs) },
  });
}

const SEND_RESULTS: Readonly<Record<number, SendResult>> = { 0: "buffered", 1: "sent", 2: "dropped" };

class UwsSocket implements SocketPort {
  #ws: WebSocket<SocketData> | undefined;

  constructor(ws: WebSocket<SocketData>) {
    this.#ws = ws;
  }

  get isOpen(): boolean {
    return this.#ws !== undefined;
  }

  get bufferedBytes(): number {
    return this.#ws?.getBufferedAmount() ?? 0;
  }

  sendText(json: string): SendResult {
    return this.#send(json, false);
  }

  sendBinary(bytes: Uint8Array): SendResult {
    return this.#send(bytes, true);
  }

  together(work: () => void): void {
    if (this.#ws) this.#ws.cork(work);
    else work();
  }

  close(reason: { code: number; reason: string }): void {
    this.#ws?.end(reason.code, reason.reason);
  }

  /** Marks the socket as closed, because uWS throws if a closed socket is used. */
  markClosed(): void {
    this.#ws = undefined;
  }

  #send(message: string | Uint8Array, isBinary: boolean): SendResult {
    if (!this.#ws) return "dropped";
    return SEND_RESULTS[this.#ws.send(message, isBinary)] ?? "dropped";
  }
}
