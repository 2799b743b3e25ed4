import type { CloseReason } from "@parley/shared/contracts/close-codes.ts";

/** The fate of a message: on its way, waiting behind a slow reader, or discarded. */
export type SendResult = "sent" | "buffered" | "dropped";

/** One websocket as the rest of the gateway sees it. Every method is safe after the socket has closed. */
export interface SocketPort {
  sendText(json: string): SendResult;
  sendBinary(bytes: Uint8Array): SendResult;
  /** Sends everything that `work` sends in one write. */
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
  /** `code` is 1006 for a broken connection, 1005 for a close without a code. */
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

/** The contents of a socket's address. The ticket is a secret wherever it appears in the address. */
export interface SocketAddress {
  readonly sessionId: string;
  readonly ticket: string | undefined;
  /** Only for a carrier's media socket. */
  readonly carrier?: string;
}

/** Decides who may open a socket before the upgrade completes. */
export interface SocketRoute {
  admit(address: SocketAddress): Promise<Admission>;
}
