interface SocketAt {
  /** Of the gateway that has the call. */
  readonly publicUrl: string;
  readonly sessionId: string;
  /** Of kind `call`. */
  readonly ticket: string;
}

/** Where a client's or a softphone's call socket connects to: a `websocketUrl`. */
export function callSocketUrl({ publicUrl, sessionId, ticket }: SocketAt): string {
  return `${publicUrl}/v1/calls/${sessionId}?ticket=${ticket}`;
}
