import type { CloseReason } from "@parley/shared/contracts/close-codes.ts";

/** What became of a message: on its way, waiting behind a slow reader, or thrown away. */
export type SendResult = "sent" | "buffered" | "dropped";

/** One websocket as the rest of the gateway sees it. Every method is safe after the socket closed. */
export interface SocketPort {
  sendText(json: string): SendResult;
  sendBinary(bytes: Uint8Array): SendResult;
  /** What `work` sends leaves in one write. */
  together(work: () => void): void;
  /** Bytes waiting for a slow reader. */
  readonly bufferedBytes: number;
  readonly isOpen: boolean;
  /** Sends what waits, then closes. */
  close(reason: CloseReason): void;
}

/** Receives a socket's messages, in order and synchronously. */
export interface SocketHandler {
  onText(text: string): void;
  /** `bytes` is valid during the call only: the memory is reused afterwards. */
  onBinary(bytes: Uint8Array): void;
  /** The reader has caught up. */
  onDrain?(): void;
  /** `code` is 1006 for a connection that broke, 1005 for a close without a code. */
  onClose(code: number): void;
}

/** The answer to an upgrade. */
export type Admission =
  | { readonly ok: true; readonly open: (socket: SocketPort) => SocketHandler }
  | {
      readonly ok: false;
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly retryAfterSecs?: number;
    };

/** What the address of a socket says. The ticket is a secret, wherever in the address it is. */
export interface SocketAddress {
  readonly sessionId: string;
  readonly ticket: string | undefined;
  /** Of a carrier's media socket. */
  readonly carrier?: string;
}

/** Who may open a socket; decided before the upgrade completes. */
export interface SocketRoute {
  admit(address: SocketAddress): Promise<Admission>;
}
