/** Connections that no content security policy stops. */
const UNGUARDED = [
  "RTCPeerConnection",
  "webkitRTCPeerConnection",
  "RTCDataChannel",
  "RTCIceTransport",
] as const;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: {
      createHTML(text: string, type: string, sink: string): string | null;
      createScriptURL(url: string): string | null;
    },
  ): unknown;
}

/**
 * Closes what the sandbox and the policy leave open, before any code of the app runs. WebRTC goes to the network past
 * every policy; a nested document would have it again, and its own window, so none is made: the frame's policy demands
 * trusted types, of which this is the only one.
 */
export function lockDown(): void {
  for (const name of UNGUARDED) {
    Object.defineProperty(window, name, { value: undefined, writable: false, configurable: false });
  }
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy("default", {
    createHTML: (text, _type, sink) => (/srcdoc/i.test(sink) || /srcdoc/i.test(text) ? null : text),
    // Which addresses those may be is the policy's business.
    createScriptURL: (url) => url,
  });
}
