interface SocketAt {
  /** Public URL of the call's gateway. */
  readonly publicUrl: string;
  readonly sessionId: string;
  /** A ticket of kind `call`. */
  readonly ticket: string;
}

/** The `websocketUrl` of a client's or softphone's call socket. */
export function callSocketUrl({ publicUrl, sessionId, ticket }: SocketAt): string {
  return `${publicUrl}/v1/calls/${sessionId}?ticket=${ticket}`;
}
